//! nginx `log_format` strings.
//!
//! Accepted are the string alone and the whole directive, over several lines and quoted pieces:
//! `log_format name escape=default '$remote_addr …' '"$http_referer"';`. Variables that say nothing about a visit are
//! read and dropped, known or not, so a format with modules of its own needs no care.

use super::compile::{Piece, What, push_literal, template};
use super::error::FormatError;
use super::part::Slot;
use super::template::{Tail, Template};

/// Compiles a format string or directive.
pub(super) fn compile(spec: &str) -> Result<Template, FormatError> {
    let format = unwrap(spec)?;
    let mut pieces = Vec::new();
    let mut rest = format.as_str();
    while let Some(dollar) = rest.find('$') {
        push_literal(&mut pieces, &rest.as_bytes()[..dollar]);
        rest = &rest[dollar + 1..];
        let (name, after) = variable(rest)?;
        if name.is_empty() {
            push_literal(&mut pieces, b"$");
        } else {
            pieces.push(Piece::field(meaning(name), format!("${name}")));
        }
        rest = after;
    }
    push_literal(&mut pieces, rest.as_bytes());
    template("nginx log_format", real_peer(pieces), Tail::End)
}

/// The name at the start of `text`, in braces or not, and what follows it.
fn variable(text: &str) -> Result<(&str, &str), FormatError> {
    if let Some(inner) = text.strip_prefix('{') {
        return inner.split_once('}').ok_or_else(|| FormatError::Unfinished("${".to_owned()));
    }
    let end = text.find(|char: char| !(char.is_ascii_alphanumeric() || char == '_')).unwrap_or(text.len());
    Ok(text.split_at(end))
}

fn meaning(name: &str) -> What {
    What::Slot(match name {
        "remote_addr" | "realip_remote_addr" => Slot::Address,
        "http_x_forwarded_for" => Slot::Forwarded,
        "http_x_real_ip" => return What::Weak(Slot::Forwarded),
        "remote_user" => Slot::UserName,
        "uid_got" => Slot::User,
        "uid_set" => Slot::UserName,
        "time_local" => return What::CommonTime,
        "time_iso8601" => return What::IsoTime,
        "msec" => Slot::Time,
        "request" => Slot::Request,
        "request_method" => Slot::Method,
        "request_uri" => Slot::Target,
        "uri" | "document_uri" => return What::Path,
        "args" | "query_string" => Slot::Query,
        "is_args" => return What::QuestionMark,
        "status" => Slot::Status,
        "http_referer" => Slot::Referrer,
        "http_user_agent" => Slot::Agent,
        "host" | "http_host" => Slot::Host,
        "server_name" => Slot::ServerName,
        "server_port" => Slot::Port,
        "scheme" => Slot::Scheme,
        "http_x_forwarded_proto" => return What::Weak(Slot::Scheme),
        "https" => Slot::HttpsFlag,
        "sent_http_content_type" => Slot::ContentType,
        "upstream_http_content_type" => return What::Weak(Slot::ContentType),
        _ if name.starts_with("cookie_") => Slot::User,
        _ => Slot::Skip,
    })
}

/// With the realip module `$realip_remote_addr` is the peer, and `$remote_addr` the client it spoke for.
fn real_peer(mut pieces: Vec<Piece>) -> Vec<Piece> {
    let is = |piece: &Piece, name: &str| matches!(piece, Piece::Field { label, .. } if label == name);
    if pieces.iter().any(|piece| is(piece, "$realip_remote_addr")) {
        for piece in pieces.iter_mut().filter(|piece| is(piece, "$remote_addr")) {
            *piece = Piece::field(What::Weak(Slot::Forwarded), "$remote_addr");
        }
    }
    pieces
}

/// The format inside a directive, or inside quotes, or as it stands.
fn unwrap(spec: &str) -> Result<String, FormatError> {
    let spec = spec.trim();
    let quoted = match spec.strip_prefix("log_format") {
        Some(directive) => {
            let quote = directive.find(['\'', '"']);
            &directive[quote.ok_or_else(|| FormatError::Unfinished("log_format".to_owned()))?..]
        }
        None if spec.starts_with('\'') => spec,
        None => return Ok(spec.to_owned()),
    };
    let mut format = String::new();
    let mut chars = quoted.chars();
    // Between the pieces there are only spaces and newlines; a semicolon ends the directive.
    while let Some(quote) = chars.find(|char| matches!(char, '\'' | '"' | ';')) {
        if quote == ';' {
            break;
        }
        loop {
            match chars.next().ok_or_else(|| FormatError::Unfinished(quote.to_string()))? {
                char if char == quote => break,
                '\\' => match chars.next().ok_or_else(|| FormatError::Unfinished("\\".to_owned()))? {
                    't' => format.push('\t'),
                    'n' => format.push('\n'),
                    escaped @ ('\'' | '"' | '\\') => format.push(escaped),
                    other => format.extend(['\\', other]),
                },
                char => format.push(char),
            }
        }
    }
    Ok(format)
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
        let string = compile("$remote_addr [$time_local] \"$request\" $status").expect("a format");
        let directive = "log_format main escape=default '$remote_addr [${time_local}] '\n  '\"$request\" $status';";
        let directive = compile(directive).expect("a format");
        assert_eq!(format!("{string:?}"), format!("{directive:?}"));
    }

    #[test]
    fn ours_what_is_wrong_with_a_format_is_said() {
        assert_eq!(
            fault("$remote_addr$status [$time_local] $request"),
            FormatError::Adjacent("$remote_addr".to_owned(), "$status".to_owned())
        );
        assert!(matches!(fault("$msec $http_referer$request_uri"), FormatError::Adjacent(_, _)));
        assert!(matches!(fault("$remote_addr [$time_local]"), FormatError::Missing(Field::Target, _)));
        assert!(matches!(fault("$remote_addr \"$request\""), FormatError::Missing(Field::Time, _)));
        assert!(matches!(fault("${remote_addr"), FormatError::Unfinished(_)));
        assert!(matches!(fault("log_format main '$request"), FormatError::Unfinished(_)));
    }

    #[test]
    fn ours_fields_that_can_be_told_apart_may_touch() {
        for spec in
            ["$msec $scheme://$host$request_uri $status", "$msec $uri$is_args$args $status", "$msec|$uri?$args|$status"]
        {
            compile(spec).expect("a format");
        }
    }
}
