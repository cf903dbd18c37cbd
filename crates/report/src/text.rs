//! How does a text from outside keep its place: in its columns, its cell, its attribute?
//!
//! Patterns and names hold what URLs hold: any script, and characters that would rule a terminal or end an attribute. Widths
//! are those of single characters, as terminals count them: most draw no ligatures, so the width of a whole text would be
//! too small.

use std::fmt::{self, Display};

use unicode_width::UnicodeWidthChar;

/// The columns of a character; those that cannot be seen have none.
fn columns(c: char) -> usize {
    c.width().unwrap_or(0)
}

/// The columns of a text.
#[must_use]
pub fn width(text: &str) -> usize {
    text.chars().map(columns).sum()
}

/// The text with its middle taken out where it is too long: a URL tells most at both ends.
#[must_use]
pub fn elided(text: &str, most: usize) -> String {
    if width(text) <= most {
        return text.to_owned();
    }
    let Some(rest) = most.checked_sub(1) else {
        return String::new();
    };
    let tail_columns = rest / 2;
    let head = &text[..fitting(text.char_indices().map(|(at, c)| (at + c.len_utf8(), c)), rest - tail_columns, 0)];
    let tail = &text[fitting(text.char_indices().rev(), tail_columns, text.len())..];
    // A mark that stands alone would sit on the sign of the cut.
    let tail = tail.trim_start_matches(|c| columns(c) == 0);
    format!("{head}…{tail}")
}

/// The last place up to which characters fit.
fn fitting(places: impl Iterator<Item = (usize, char)>, most: usize, start: usize) -> usize {
    let (mut used, mut end) = (0, start);
    for (place, c) in places {
        used += columns(c);
        if used > most {
            break;
        }
        end = place;
    }
    end
}

/// The text and blanks behind it, up to so many columns.
#[must_use]
pub fn padded(text: &str, columns: usize) -> String {
    format!("{text}{}", " ".repeat(columns.saturating_sub(width(text))))
}

/// The text without characters that rule a terminal, turn a line around, or may not stand in XML.
#[must_use]
pub fn safe(text: &str) -> String {
    let rules = |c: char| {
        c.is_control()
            || matches!(c, '\u{061C}' | '\u{200E}' | '\u{200F}' | '\u{2028}'..='\u{202E}' | '\u{2066}'..='\u{2069}')
            || matches!(c, '\u{FFFE}' | '\u{FFFF}')
    };
    text.chars().map(|c| if rules(c) { '\u{FFFD}' } else { c }).collect()
}

/// A text as it may stand in HTML, SVG and their quoted attributes.
#[derive(Clone, Copy, Debug)]
pub struct Escaped<'a>(pub &'a str);

impl Display for Escaped<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = safe(self.0);
        let mut rest = text.as_str();
        while let Some(at) = rest.find(['&', '<', '>', '"', '\'']) {
            f.write_str(&rest[..at])?;
            f.write_str(match rest.as_bytes()[at] {
                b'&' => "&amp;",
                b'<' => "&lt;",
                b'>' => "&gt;",
                b'"' => "&quot;",
                _ => "&#39;",
            })?;
            rest = &rest[at + 1..];
        }
        f.write_str(rest)
    }
}

/// A text that may be a URL or a path, as it may stand in HTML. A line may end after a slash and before `?` and `&`, so that words stay
/// whole: browsers know no such place by themselves.
#[derive(Clone, Copy, Debug)]
pub struct Breakable<'a>(pub &'a str);

impl Display for Breakable<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bytes = self.0.as_bytes();
        let mut start = 0;
        for at in 1..bytes.len() {
            let ends = match bytes[at] {
                b'?' | b'&' => true,
                b'/' => false,
                // Not after the two of a scheme, nor after the first of a path.
                _ => at > 1 && bytes[at - 1] == b'/' && bytes[at - 2] != b'/',
            };
            if ends {
                write!(f, "{}<wbr/>", Escaped(&self.0[start..at]))?;
                start = at;
            }
        }
        Escaped(&self.0[start..]).fmt(f)
    }
}

/// The text set apart, if it has right-to-left letters, lest they turn the row around. It is set from left to right,
/// not by its first letter: a path is read from its first slash, whatever its words are written in.
#[must_use]
pub fn isolated(text: &str) -> String {
    if text.chars().any(is_right_to_left) { format!("\u{2066}{text}\u{2069}") } else { text.to_owned() }
}

fn is_right_to_left(c: char) -> bool {
    matches!(u32::from(c), 0x0590..=0x08FF | 0xFB1D..=0xFDFF | 0xFE70..=0xFEFF | 0x10800..=0x10FFF | 0x1E800..=0x1EFFF)
}

/// Words on lines of so many columns, those after the first indented. A word that fits no line has its own.
#[must_use]
pub fn in_lines<W: AsRef<str>>(words: &[W], most: usize, indent: usize) -> String {
    let mut out = String::new();
    let mut used = 0;
    for word in words {
        let columns = width(word.as_ref());
        if used > 0 && used + 1 + columns > most {
            out.push('\n');
            out.push_str(&" ".repeat(indent));
            used = indent;
        } else if used > 0 {
            out.push(' ');
            used += 1;
        }
        out.push_str(word.as_ref());
        used += columns;
    }
    out
}

/// A text on lines of so many columns, those after the first indented. A number stays with its percent sign.
#[must_use]
pub fn wrapped(text: &str, most: usize, indent: usize) -> String {
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
    in_lines(&words, most, indent)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ours_long_texts_keep_both_ends() {
        assert_eq!(elided("/m/product/#/{words}", 20), "/m/product/#/{words}");
        assert_eq!(elided("/m/product/#/{words}", 11), "/m/pr…ords}");
        assert_eq!(elided("abcdef", 4), "ab…f");
        assert_eq!(elided("abcdef", 1), "…");
        assert_eq!(elided("abcdef", 0), "");
        assert_eq!(elided("", 0), "");
    }

    #[test]
    fn ours_a_path_breaks_after_its_slashes_and_before_its_parameters() {
        let broken = |text: &str| Breakable(text).to_string();
        assert_eq!(
            broken("https://example.org/a/b.html?x=1&y=<2>"),
            "https://example.org/<wbr/>a/<wbr/>b.html<wbr/>?x=1<wbr/>&amp;y=&lt;2&gt;"
        );
        assert_eq!(broken("/گوشی/手机/"), "/گوشی/<wbr/>手机/");
        for whole in ["", "/", "404 not-found", "//", "a"] {
            assert_eq!(broken(whole), whole);
        }
    }

    #[test]
    fn ours_wide_and_combining_characters_are_counted_as_they_are_drawn() {
        assert_eq!(width("产品"), 4);
        assert_eq!(elided("/产品目录/手机", 9), "/产…手机");
        assert_eq!(elided("/产品目录/手机", 10), "/产品…手机");
        assert_eq!(width("e\u{301}"), 1);
        assert_eq!(elided("abc\u{301}e\u{301}", 3), "a…e\u{301}");
        for most in 0..20 {
            for text in
                ["/产品目录/手机/全部", "/خرید/یخچال/فریزر/سامسونگ", "/a\u{301}\u{302}b\u{303}cdefghijklmnopqrst"]
            {
                assert!(width(&elided(text, most)) <= most, "{text} in {most}");
            }
        }
    }

    #[test]
    fn ours_padding_counts_columns_not_characters() {
        assert_eq!(padded("手机", 6), "手机  ");
        assert_eq!(padded("abcdef", 3), "abcdef");
    }

    #[test]
    fn ours_right_to_left_texts_are_set_apart_and_others_left_alone() {
        assert_eq!(isolated("/m/یخچال/#"), "\u{2066}/m/یخچال/#\u{2069}");
        assert_eq!(isolated("/产品/#"), "/产品/#");
        assert_eq!(width(&isolated("/שלום")), 5);
    }

    #[test]
    fn ours_no_text_rules_the_terminal() {
        assert_eq!(safe("a\u{1b}[31mb\u{202e}c\u{2067}d\n"), "a\u{fffd}[31mb\u{fffd}c\u{fffd}d\u{fffd}");
        assert_eq!(safe("می\u{200c}خواهم"), "می\u{200c}خواهم", "Persian words need their joiners");
    }

    #[test]
    fn ours_lines_break_between_words() {
        let words: Vec<String> = ["# a number", "* anything", "[…] may be missing"].map(str::to_owned).into();
        assert_eq!(in_lines(&words, 22, 2), "# a number * anything\n  […] may be missing");
        assert_eq!(in_lines(&words, 99, 2), "# a number * anything […] may be missing");
        assert_eq!(in_lines::<&str>(&[], 9, 0), "");
        assert_eq!(wrapped("about 5 % of it", 9, 1), "about 5 %\n of it");
    }
    #[test]
    fn ours_no_text_can_leave_its_place() {
        assert_eq!(Escaped("<a href='x'>\"&\0\u{202E}é").to_string(), "&lt;a href=&#39;x&#39;&gt;&quot;&amp;��é");
    }
}
