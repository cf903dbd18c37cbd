//! How do cells stand in line, and words in lines?

use unicode_width::UnicodeWidthStr as _;

/// Between two columns.
const GAP: &str = "  ";

/// The fewest columns that names are cut to.
const MIN_NAME: usize = 8;

/// Cells in columns: the first is a name and stands left, the others are numbers and stand right.
pub(super) struct Grid {
    rows: Vec<Vec<String>>,
}

impl Grid {
    pub(super) fn new(head: Vec<String>) -> Self {
        Self { rows: vec![head] }
    }

    pub(super) fn push(&mut self, row: Vec<String>) {
        self.rows.push(row);
    }

    fn widths(&self) -> Vec<usize> {
        let columns = self.rows.first().map_or(0, Vec::len);
        (0..columns).map(|at| self.rows.iter().map(|row| row[at].width()).max().unwrap_or(0)).collect()
    }

    /// How wide it is with nothing cut.
    pub(super) fn width(&self) -> usize {
        let widths = self.widths();
        widths.iter().sum::<usize>() + GAP.len() * widths.len().saturating_sub(1)
    }

    /// Its lines; names are cut where they do not fit.
    pub(super) fn text(&self, width: usize) -> String {
        let mut widths = self.widths();
        let over = self.width().saturating_sub(width);
        if let Some(name) = widths.first_mut() {
            *name = name.saturating_sub(over).max(MIN_NAME.min(*name));
        }
        let lines: Vec<String> = self.rows.iter().map(|row| line(row, &widths)).collect();
        lines.join("\n")
    }
}

fn line(row: &[String], widths: &[usize]) -> String {
    let mut line = String::new();
    for (at, (text, width)) in row.iter().zip(widths).enumerate() {
        if at == 0 {
            let name = cut(text, *width);
            line.push_str(&name);
            line.push_str(&" ".repeat(width - name.width()));
        } else {
            line.push_str(GAP);
            line.push_str(&" ".repeat(width.saturating_sub(text.width())));
            line.push_str(text);
        }
    }
    line.truncate(line.trim_end().len());
    line
}

fn cut(name: &str, width: usize) -> String {
    if name.width() <= width {
        return name.to_owned();
    }
    let mut kept = String::new();
    for c in name.chars() {
        let mut longer = kept.clone();
        longer.push(c);
        if longer.width() + 1 > width {
            break;
        }
        kept = longer;
    }
    kept.push('…');
    kept
}

/// The words of a text in lines of so many columns, all but the first indented. A word that fits no line has its own.
pub(super) fn wrapped(text: &str, width: usize, indent: usize) -> String {
    let mut lines: Vec<String> = vec![String::new()];
    for word in words(text) {
        let last = lines.last_mut().expect("there is always a line");
        if !last.trim().is_empty() && last.width() + 1 + word.width() > width {
            lines.push(format!("{}{word}", " ".repeat(indent)));
        } else {
            if !last.is_empty() {
                last.push(' ');
            }
            last.push_str(&word);
        }
    }
    lines.join("\n")
}

/// Words, a number and its percent sign being one.
fn words(text: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    for word in text.split(' ') {
        match words.last_mut() {
            Some(last) if word.starts_with('%') => {
                last.push(' ');
                last.push_str(word);
            }
            _ => words.push(word.to_owned()),
        }
    }
    words
}
