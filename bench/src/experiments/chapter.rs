//! What is a chapter made of? Text in Markdown, tables, and pictures that it shows.

use std::fmt::Write as _;

use super::claim::Claim;

/// A chapter under way.
pub(super) struct Chapter {
    pub(super) title: &'static str,
    pub(super) text: String,
    /// By name, without a suffix.
    pub(super) pictures: Vec<(String, String)>,
    /// The sentence that the first page has of it.
    pub(super) gist: String,
}

impl Chapter {
    pub(super) fn new(title: &'static str) -> Self {
        Self { title, text: format!("\n## {title}\n"), pictures: Vec::new(), gist: String::new() }
    }

    pub(super) fn heading(&mut self, text: &str) {
        let _ = write!(self.text, "\n### {text}\n");
    }

    pub(super) fn paragraph(&mut self, text: &str) {
        let _ = write!(self.text, "\n{}\n", wrapped(text, ""));
    }

    /// A command that makes these numbers.
    pub(super) fn command(&mut self, text: &str) {
        let _ = write!(self.text, "\n```text\n{}\n```\n", text.trim());
    }

    pub(super) fn picture(&mut self, name: &str, says: &str, svg: String) {
        let _ = write!(self.text, "\n![{says}](experiments/{name}.svg)\n");
        self.pictures.push((name.to_owned(), svg));
    }

    /// A table; the first column is text, the others are numbers.
    pub(super) fn table(&mut self, heads: &[&str], rows: &[Vec<String>]) {
        let _ = write!(self.text, "\n| {} |\n|---{}|\n", heads.join(" | "), "|--:".repeat(heads.len() - 1));
        for row in rows {
            let _ = writeln!(self.text, "| {} |", row.join(" | "));
        }
    }

    /// What the paper says, what was seen, whether they agree; then why they do not.
    pub(super) fn claims(&mut self, claims: &[Claim]) {
        let _ = write!(self.text, "\n| the paper says | seen here | |\n|---|---|---|\n");
        for claim in claims {
            let _ = writeln!(self.text, "| {} | {} | {} |", claim.says, claim.here, claim.verdict());
        }
        for remark in claims.iter().filter_map(Claim::remark) {
            self.paragraph(&remark);
        }
    }
}

/// Text in lines as long as those of the other documents; those after the first begin with `indent`.
pub(super) fn wrapped(text: &str, indent: &str) -> String {
    const WIDTH: usize = 120;
    let mut out = String::new();
    let mut column = 0;
    for word in text.split_whitespace() {
        let width = word.chars().count();
        if column > 0 && column + 1 + width > WIDTH {
            let _ = write!(out, "\n{indent}");
            column = indent.len();
        } else if column > 0 {
            out.push(' ');
            column += 1;
        }
        out.push_str(word);
        column += width;
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ours_no_word_is_lost_at_the_end_of_a_line() {
        let text = "seventeen letters ".repeat(40);
        let lines = wrapped(&text, "  ");
        assert!(lines.lines().count() > 5 && lines.lines().all(|line| line.chars().count() <= 120));
        assert!(lines.lines().skip(1).all(|line| line.starts_with("  s") || line.starts_with("  l")));
        assert_eq!(lines.split_whitespace().count(), 80);
    }
}
