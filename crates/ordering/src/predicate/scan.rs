//! From characters to signs, words and terms of an expression, each with its place.

/// A part of an expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Token<'t> {
    Open,
    Close,
    And,
    Or,
    Not,
    /// A word or quoted words, of no field.
    Plain(&'t str),
    /// `FIELD:VALUE`, perhaps `>=N`.
    Field {
        field: &'t str,
        value: &'t str,
        at_least: Option<&'t str>,
        value_at: usize,
    },
    /// `FIELD~VALUE`.
    Regex {
        field: &'t str,
        value: &'t str,
        value_at: usize,
    },
}

/// A token and the byte at which it begins.
pub(super) type Placed<'t> = (usize, Token<'t>);

/// Cuts an expression up. Quotes that are not closed give the place of the quote.
pub(super) fn scan(text: &str) -> Result<Vec<Placed<'_>>, usize> {
    let mut tokens = Vec::new();
    let mut at = 0;
    while let Some(c) = text[at..].chars().next() {
        let begin = at;
        let token = match c {
            _ if c.is_whitespace() => {
                at += c.len_utf8();
                continue;
            }
            '(' => Token::Open,
            ')' => Token::Close,
            '"' => {
                let value = quoted(text, at)?;
                at += value.len() + 2;
                tokens.push((begin, Token::Plain(value)));
                continue;
            }
            _ => {
                let (token, end) = word(text, at)?;
                at = end;
                tokens.push((begin, token));
                continue;
            }
        };
        at += 1;
        tokens.push((begin, token));
    }
    Ok(tokens)
}

/// What stands between the quote at a byte and the next.
fn quoted(text: &str, at: usize) -> Result<&str, usize> {
    let rest = &text[at + 1..];
    rest.find('"').map(|end| &rest[..end]).ok_or(at)
}

/// A word with all that hangs on it, and where it ends.
fn word(text: &str, begin: usize) -> Result<(Token<'_>, usize), usize> {
    let ends = |c: char| c.is_whitespace() || matches!(c, '(' | ')' | '"');
    let rest = &text[begin..];
    let end = rest.find(|c: char| ends(c) || c == ':' || c == '~').unwrap_or(rest.len());
    let name = &rest[..end];
    match rest[end..].chars().next() {
        Some(':') => {
            let value_at = begin + end + 1;
            let (value, mut after) = value(text, value_at, |c: char| ends(c) || c == '>')?;
            let mut at_least = None;
            if let Some(number) = text[after..].strip_prefix(">=") {
                let length = number.find(ends).unwrap_or(number.len());
                at_least = Some(&number[..length]);
                after += 2 + length;
            } else if text[after..].starts_with('>') {
                // Part of the value: only `>=` means anything.
                let length = text[after..].find(ends).unwrap_or(text.len() - after);
                after += length;
                return Ok((Token::Field { field: name, value: &text[value_at..after], at_least, value_at }, after));
            }
            Ok((Token::Field { field: name, value, at_least, value_at }, after))
        }
        Some('~') => {
            let value_at = begin + end + 1;
            if text[value_at..].starts_with('"') {
                let value = quoted(text, value_at)?;
                return Ok((Token::Regex { field: name, value, value_at }, value_at + value.len() + 2));
            }
            let length = balanced(&text[value_at..]);
            Ok((Token::Regex { field: name, value: &text[value_at..value_at + length], value_at }, value_at + length))
        }
        _ => {
            let token = match name {
                _ if name.eq_ignore_ascii_case("and") => Token::And,
                _ if name.eq_ignore_ascii_case("or") => Token::Or,
                _ if name.eq_ignore_ascii_case("not") => Token::Not,
                _ => Token::Plain(name),
            };
            Ok((token, begin + end))
        }
    }
}

/// A value from a byte on, quoted or up to a sign that ends it; and where it ends.
fn value(text: &str, at: usize, ends: impl Fn(char) -> bool) -> Result<(&str, usize), usize> {
    if text[at..].starts_with('"') {
        let value = quoted(text, at)?;
        return Ok((value, at + value.len() + 2));
    }
    let length = text[at..].find(ends).unwrap_or(text.len() - at);
    Ok((&text[at..at + length], at + length))
}

/// Bytes up to a blank, or to a parenthesis that was not opened here.
fn balanced(text: &str) -> usize {
    let mut open = 0_usize;
    for (at, c) in text.char_indices() {
        match c {
            '(' => open += 1,
            ')' if open == 0 => return at,
            ')' => open -= 1,
            _ if c.is_whitespace() => return at,
            _ => {}
        }
    }
    text.len()
}
