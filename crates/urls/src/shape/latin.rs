//! What kind of character is this?

use std::borrow::Cow;

use percent_encoding::percent_decode_str;

/// What a character is to a shape.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// A digit of any script.
    Digit,
    /// A Latin letter, or a mark on one.
    Letter,
    /// A letter or symbol of another script, or a byte that no UTF-8 explains (as older encodings leave them).
    Foreign,
    /// Anything that stands between.
    Separator,
}

/// The kinds of ASCII characters as bits, for loops without branches.
pub(super) mod ascii {
    pub(in super::super) const DIGIT: u8 = 1;
    pub(in super::super) const LETTER: u8 = 2;
    pub(in super::super) const SEPARATOR: u8 = 4;
    /// Beside one of the others: a hexadecimal digit.
    pub(in super::super) const HEX: u8 = 8;

    pub(in super::super) static CLASS: [u8; 128] = classes();

    const fn classes() -> [u8; 128] {
        let mut classes = [SEPARATOR; 128];
        let mut at = 0;
        while at < 128 {
            let b = at as u8;
            if b.is_ascii_digit() {
                classes[at] = DIGIT;
            } else if b.is_ascii_alphabetic() {
                classes[at] = LETTER;
            }
            if b.is_ascii_hexdigit() {
                classes[at] |= HEX;
            }
            at += 1;
        }
        classes
    }
}

/// The kind of a character.
pub(super) fn kind(c: char) -> Kind {
    match ascii::CLASS.get(c as usize) {
        Some(class) if class & ascii::LETTER != 0 => Kind::Letter,
        Some(class) if class & ascii::DIGIT != 0 => Kind::Digit,
        Some(_) => Kind::Separator,
        None => kind_beyond_ascii(c),
    }
}

fn kind_beyond_ascii(c: char) -> Kind {
    match c {
        'ª' | 'º' => Kind::Letter,
        // Latin-1 signs and general punctuation: dashes, quotation marks, joiners.
        '\u{80}'..='\u{BF}' | '×' | '÷' | '\u{2000}'..='\u{206F}' => Kind::Separator,
        // Latin-1 letters to Latin Extended-B, combining marks, and the later Latin blocks.
        '\u{C0}'..='\u{24F}' | '\u{300}'..='\u{36F}' | '\u{1E00}'..='\u{1EFF}' => Kind::Letter,
        '\u{2C60}'..='\u{2C7F}' | '\u{A720}'..='\u{A7FF}' => Kind::Letter,
        _ if c.is_numeric() => Kind::Digit,
        _ => Kind::Foreign,
    }
}

/// The text with its escapes decoded; bytes that are not UTF-8 become U+FFFD. Borrows if there are none.
pub(super) fn decoded(text: &str) -> Cow<'_, str> {
    if memchr::memchr(b'%', text.as_bytes()).is_none() {
        return Cow::Borrowed(text);
    }
    percent_decode_str(text).decode_utf8_lossy()
}

/// Whether the text is 8-4-4-4-12 hexadecimal digits.
pub(super) fn is_uuid(text: &str) -> bool {
    text.len() == 36
        && text.bytes().enumerate().all(|(at, b)| match at {
            8 | 13 | 18 | 23 => b == b'-',
            _ => b.is_ascii_hexdigit(),
        })
}
