//! What does every page share?
//!
//! One file, and nothing in it is fetched from elsewhere: a policy in its head forbids it. It reads the same without its
//! script, which only sorts tables and hides curves. It is well-formed XML too, so that a test can prove that every text
//! stays in its place: names and URLs come from outside, and all of them go through [`Escaped`].

use std::fmt::Write as _;

use crate::chart::Tint;
use crate::number::thousands;
use crate::text::{Breakable, Escaped};

const STYLE: &str = include_str!("style.css");
const SCRIPT: &str = include_str!("script.js");

/// A cell: what is read, and what it is sorted by.
pub type Cell = (String, String);

/// The end of a page.
pub fn end(out: &mut String) {
    let _ = write!(out, "<script>\n{SCRIPT}</script>\n</body>\n</html>\n");
}

/// The text with every number kept on one line with its percent sign.
#[must_use]
pub fn unbroken(text: &str) -> String {
    text.replace(" %", "\u{a0}%")
}

/// The beginning of a page.
pub fn head(out: &mut String, title: &str) {
    let _ = write!(
        out,
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; \
         script-src 'unsafe-inline'\"/>\n<title>{}</title>\n<style>\n{STYLE}",
        Escaped(title)
    );
    out.push_str("@media screen and (prefers-color-scheme: dark) {\n");
    for tint in Tint::ALL {
        let _ = writeln!(out, ".{} {{ stroke: {}; }}", tint.class(), tint.on_black());
    }
    out.push_str("}\n</style>\n</head>\n<body>\n");
}

/// How the cells of a column stand.
#[derive(Clone, Copy)]
enum Column {
    /// On the right.
    Numbers,
    /// On the left.
    Texts,
    /// On the left, on several lines where they are long.
    Paths,
}

impl Column {
    /// By what the cells are sorted by: numbers, texts, or texts with a slash.
    fn of<'a>(mut values: impl Iterator<Item = &'a str> + Clone) -> Self {
        let is_text = |value: &str| !value.is_empty() && value.parse::<f64>().is_err();
        if values.clone().any(|value| value.contains('/')) {
            Self::Paths
        } else if values.any(is_text) {
            Self::Texts
        } else {
            Self::Numbers
        }
    }

    fn class(self) -> &'static str {
        match self {
            Self::Numbers => "",
            Self::Texts => " class=\"text\"",
            Self::Paths => " class=\"path\"",
        }
    }
}

/// A table that sorts where scripts run; and how many rows there are besides. Heads are HTML of our own, cells any text; a line feed in a
/// cell begins a line.
pub fn push_table(out: &mut String, heads: &[&str], rows: impl Iterator<Item = Vec<Cell>>, left_out: u64) {
    let rows: Vec<Vec<Cell>> = rows.collect();
    let columns: Vec<Column> = (0..heads.len())
        .map(|column| Column::of(rows.iter().filter_map(|row| row.get(column)).map(|(_, value)| value.as_str())))
        .collect();
    out.push_str("<div class=\"scroll\"><table class=\"sortable long\">\n<thead><tr>");
    for (head, column) in heads.iter().zip(&columns) {
        let _ = write!(out, "<th scope=\"col\"{}>{head}</th>", column.class());
    }
    out.push_str("</tr></thead>\n<tbody>\n");
    for row in &rows {
        out.push_str("<tr>");
        for ((shown, value), column) in row.iter().zip(&columns) {
            let _ = write!(out, "<td{} data-value=\"{}\">", column.class(), Escaped(value));
            for (number, line) in shown.split('\n').enumerate() {
                let _ = write!(out, "{}{}", if number > 0 { "<br/>" } else { "" }, Breakable(line));
            }
            out.push_str("</td>");
        }
        out.push_str("</tr>\n");
    }
    out.push_str("</tbody></table></div>\n");
    if left_out > 0 {
        let _ = writeln!(out, "<p class=\"soft\">and {} more</p>", thousands(left_out));
    }
}
