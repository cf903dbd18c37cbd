//! How are rows written for spreadsheets and data frames?
//!
//! RFC 4180 with line feeds. What is no number is empty.

use std::borrow::Cow;

/// Adds a row.
pub fn push_row(out: &mut String, fields: &[String]) {
    let fields: Vec<Cow<'_, str>> = fields.iter().map(|field| quoted(field)).collect();
    out.push_str(&fields.join(","));
    out.push('\n');
}

/// A number in full; empty if it is none.
#[must_use]
pub fn number(x: Option<f64>) -> String {
    x.filter(|x| x.is_finite()).map(|x| x.to_string()).unwrap_or_default()
}

/// A field, in quotes where it needs them.
#[must_use]
pub fn quoted(text: &str) -> Cow<'_, str> {
    if text.contains(['"', ',', '\n', '\r']) {
        Cow::Owned(format!("\"{}\"", text.replace('"', "\"\"")))
    } else {
        Cow::Borrowed(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ours_fields_come_back_as_they_were() {
        let mut out = String::new();
        push_row(&mut out, &["a".to_owned(), "b,\"c\"\n".to_owned(), number(Some(f64::NAN)), number(Some(0.1))]);
        assert_eq!(out, "a,\"b,\"\"c\"\"\n\",,0.1\n");
    }
}
