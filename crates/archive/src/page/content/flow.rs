//! Words one after another, with one blank between them.

/// Text with its white space collapsed, up to so many bytes.
#[derive(Debug)]
pub(super) struct Flow {
    text: String,
    cap: usize,
    /// White space, or the border of a block, was met since the last word.
    gap: bool,
    is_full: bool,
}

/// Whether one blank at most stands between words, as in most of what people write: it need not be taken apart.
fn is_plain(text: &str) -> bool {
    let mut last = 0;
    text.bytes().all(|byte| {
        let before = std::mem::replace(&mut last, byte);
        (b' '..0x7f).contains(&byte) && !(byte == b' ' && before == b' ')
    })
}

impl Flow {
    pub(super) fn new(cap: usize) -> Self {
        Self { text: String::new(), cap, gap: false, is_full: false }
    }

    /// What follows is another word.
    pub(super) fn gap(&mut self) {
        self.gap = true;
    }

    pub(super) fn push(&mut self, text: &str) {
        if self.is_full {
            return;
        }
        self.gap |= text.starts_with(char::is_whitespace);
        let is_plain = is_plain(text);
        let words = text.split_whitespace().take(if is_plain { 0 } else { usize::MAX });
        for word in words.chain(Some(text.trim()).filter(|text| is_plain && !text.is_empty())) {
            if self.gap && !self.text.is_empty() {
                self.add(" ");
            }
            self.add(word);
            // What parts the next word of this text from this one is white space.
            self.gap = true;
        }
        if !text.trim_start().is_empty() {
            self.gap = text.ends_with(char::is_whitespace);
        }
    }

    /// Whether nothing can be added any more.
    pub(super) fn is_full(&self) -> bool {
        self.is_full
    }

    fn add(&mut self, word: &str) {
        // A character that does not fit ends the text, even if a shorter one behind it would fit.
        if self.is_full {
            return;
        }
        let room = self.cap - self.text.len();
        let end = word.floor_char_boundary(room);
        self.text.push_str(&word[..end]);
        self.is_full |= end < word.len();
    }

    /// The text so far; the flow starts again.
    pub(super) fn take(&mut self) -> String {
        (self.gap, self.is_full) = (false, false);
        if self.text.ends_with(' ') {
            self.text.pop();
        }
        // A copy has the right size, and the buffer is used again.
        let text = self.text.as_str().to_owned();
        self.text.clear();
        text
    }
}
