//! Apache `LogFormat` strings.
//!
//! Accepted are the string alone and the whole directive: `LogFormat "%h %l %u %t \"%r\" %>s %b" common`. Directives
//! that say nothing about a visit are read and dropped.

use super::compile::{Piece, What, push_literal, template};
use super::error::FormatError;
use super::part::Slot;
use super::strftime::Pattern;
use super::template::{Tail, Template};

/// Compiles a format string or directive.
pub(super) fn compile(spec: &str) -> Result<Template, FormatError> {
    let format = unwrap(spec)?;
    let mut pieces = Vec::new();
    let mut rest = format;
    while let Some(at) = rest.find(['%', '\\']) {
        push_literal(&mut pieces, &rest.as_bytes()[..at]);
        let special = &rest[at..];
        rest = match special.strip_prefix('\\') {
            Some(escaped) => backslash(escaped, &mut pieces),
            None => directive(special, &mut pieces)?,
        };
    }
    push_literal(&mut pieces, rest.as_bytes());
    template("apache LogFormat", real_peer(pieces), Tail::End)
}

/// Appends what a backslash escape stands for and returns what follows it.
fn backslash<'s>(escaped: &'s str, pieces: &mut Vec<Piece>) -> &'s str {
    let mut chars = escaped.chars();
    match chars.next() {
        Some('t') => push_literal(pieces, b"\t"),
        Some('n') => push_literal(pieces, b"\n"),
        Some(char @ ('"' | '\'' | '\\')) => {
            push_literal(pieces, char.encode_utf8(&mut [0; 4]).as_bytes());
        }
        _ => {
            push_literal(pieces, b"\\");
            return escaped;
        }
    }
    chars.as_str()
}

/// Appends the directive at the start of `text` and returns what follows it.
fn directive<'s>(text: &'s str, pieces: &mut Vec<Piece>) -> Result<&'s str, FormatError> {
    let unfinished = || FormatError::Unfinished(text.to_owned());
    // Statuses and `!` say when to write the field, `<` and `>` which of several requests it is about.
    let is_modifier = |char: char| char.is_ascii_digit() || matches!(char, '<' | '>' | '!' | ',');
    let modified = &text[1..];
    let rest = modified.trim_start_matches(is_modifier);
    let modifiers = &modified[..modified.len() - rest.len()];
    let (argument, rest) = match rest.strip_prefix('{') {
        Some(inner) => inner.split_once('}').map(|(name, rest)| (Some(name), rest)).ok_or_else(unfinished)?,
        None => (None, rest),
    };
    // `%{…}^ti` and its kin have three letters.
    let length = if rest.starts_with('^') { 3 } else { rest.chars().next().map_or(1, char::len_utf8) };
    let letters = rest.get(..length).ok_or_else(unfinished)?;
    let label = &text[..text.len() - rest.len() + length];
    match (letters, argument) {
        ("%", None) => push_literal(pieces, b"%"),
        ("t", None) => {
            push_literal(pieces, b"[");
            pieces.push(Piece::field(What::CommonTime, label));
            push_literal(pieces, b"]");
        }
        ("t", Some(format)) => pieces.push(Piece::field(What::Pattern(Pattern::compile(format)?), label)),
        _ => pieces.push(Piece::field(meaning(letters, argument, modifiers), label)),
    }
    Ok(&rest[length..])
}

fn meaning(letters: &str, argument: Option<&str>, modifiers: &str) -> What {
    What::Slot(match (letters, argument) {
        ("a", _) => Slot::Address,
        ("h", _) => return What::Weak(Slot::Address),
        ("u", _) => Slot::UserName,
        ("r", _) => Slot::Request,
        ("m", _) => Slot::Method,
        ("U", _) => return What::Path,
        ("q", _) => return What::MarkedQuery,
        ("s", _) if modifiers.contains('>') => Slot::Status,
        ("s", _) => return What::Weak(Slot::Status),
        ("v" | "V", _) => Slot::ServerName,
        ("p", _) => Slot::Port,
        ("C", Some(_)) => Slot::User,
        ("n", Some("cookie")) => Slot::User,
        ("i", Some(header)) => return request_header(header),
        ("o", Some(header)) if header.eq_ignore_ascii_case("content-type") => Slot::ContentType,
        _ => Slot::Skip,
    })
}

fn request_header(name: &str) -> What {
    match name.to_ascii_lowercase().as_str() {
        "referer" => What::Slot(Slot::Referrer),
        "user-agent" => What::Slot(Slot::Agent),
        "x-forwarded-for" => What::Slot(Slot::Forwarded),
        "x-real-ip" => What::Weak(Slot::Forwarded),
        "x-forwarded-proto" => What::Slot(Slot::Scheme),
        "host" => What::Slot(Slot::Host),
        _ => What::Slot(Slot::Skip),
    }
}

/// With mod_remoteip `%{c}a` is the peer, and `%a` the client it spoke for.
fn real_peer(mut pieces: Vec<Piece>) -> Vec<Piece> {
    let label = |piece: &Piece| match piece {
        Piece::Field { label, .. } => label.clone(),
        Piece::Literal(_) => String::new(),
    };
    if pieces.iter().any(|piece| label(piece) == "%{c}a") {
        for piece in pieces.iter_mut().filter(|piece| matches!(label(piece).as_str(), "%a" | "%h")) {
            *piece = Piece::field(What::Weak(Slot::Forwarded), label(piece));
        }
    }
    pieces
}

/// The format inside a directive, or inside quotes, or as it stands; its escapes stay.
fn unwrap(spec: &str) -> Result<&str, FormatError> {
    let spec = spec.trim();
    let argument = spec.strip_prefix("LogFormat").map_or(spec, str::trim_start);
    let Some(inner) = argument.strip_prefix('"') else {
        return Ok(argument);
    };
    let mut escaped = false;
    for (at, char) in inner.char_indices() {
        match char {
            '"' if !escaped => return Ok(&inner[..at]),
            _ => escaped = char == '\\' && !escaped,
        }
    }
    // A bare format may start with a quote of its own.
    if spec.starts_with("LogFormat") { Err(FormatError::Unfinished("\"".to_owned())) } else { Ok(spec) }
}

#[cfg(test)]
mod tests {
    use super::super::field::Field;
    use super::*;

    fn fault(spec: &str) -> FormatError {
        compile(spec).expect_err("not a format")
    }

    #[test]
    fn ours_directives_and_strings_are_the_same() {
        let string = compile("%h %l %u %t \"%r\" %>s %b").expect("a format");
        let directive = compile("LogFormat \"%h %l %u %t \\\"%r\\\" %>s %b\" common").expect("a format");
        assert_eq!(format!("{string:?}"), format!("{directive:?}"));
    }

    #[test]
    fn ours_what_is_wrong_with_a_format_is_said() {
        assert_eq!(fault("%h%s %t %r"), FormatError::Adjacent("%h".to_owned(), "%s".to_owned()));
        assert!(matches!(fault("%h %t"), FormatError::Missing(Field::Target, _)));
        assert!(matches!(fault("%h \"%r\""), FormatError::Missing(Field::Time, _)));
        assert!(matches!(fault("%h %{%S}t \"%r\""), FormatError::Missing(Field::Time, _)));
        assert!(matches!(fault("%{Referer"), FormatError::Unfinished(_)));
        assert!(matches!(fault("%t %r %"), FormatError::Unfinished(_)));
        assert!(matches!(fault("%{%Q}t %r"), FormatError::TimeConversion('Q')));
        assert!(matches!(fault("LogFormat \"%t %r"), FormatError::Unfinished(_)));
    }
}
