//! Values that a URL should not have carried: tokens, keys, passwords.
//!
//! A path segment or parameter value that is token-like (sixteen characters or more of high entropy, see
//! `trodden_urls::is_token_like`), and any value of a parameter whose name says that it is secret, becomes
//! [`REMOVED_VALUE`](REMOVED). The URL stays a URL and keeps its shape; it can be counted, but not fetched.

use std::borrow::Cow;

use trodden_urls::{REMOVED_VALUE as REMOVED, is_token_like};

/// Parameters whose values are never kept, in lower case. A name also counts if it ends in one of them after
/// a separator (`user_token`, `x-api-key`).
const SECRET_NAMES: &[&str] = &[
    "access_token",
    "accesskey",
    "api_key",
    "apikey",
    "auth",
    "authkey",
    "authorization",
    "credential",
    "credentials",
    "csrf",
    "email",
    "hash",
    "hmac",
    "id_token",
    "jwt",
    "key",
    "mail",
    "nonce",
    "oauth_token",
    "otp",
    "pass",
    "passwd",
    "password",
    "phone",
    "pwd",
    "refresh_token",
    "secret",
    "sig",
    "signature",
    "mobile",
    "passwort",
    "pin",
    "ssn",
    "tel",
    "ticket",
    "token",
    "username",
    "xsrf",
];

/// Parameters that hold a secret on one site and a subject on another: `?code=` of a sign-in, or of a product. Their values
/// are removed if they look drawn: see [`looks_drawn`].
const SESSION_NAMES: &[&str] = &["code", "sess", "session", "sid"];

/// Drawn values have so many characters, or so many digits if they have nothing else: shorter ones number things.
const DRAWN_MIN_CHARS: usize = 6;
const DRAWN_MIN_DIGITS: usize = 8;

/// Shorter values of secret parameters are settings, not secrets: `?key=3`.
const SECRET_MIN_CHARS: usize = 4;

/// The shortest text that could be token-like: most segments are shorter, and need no look.
const TOKEN_MIN_BYTES: usize = 16;

/// How often a value is percent-decoded before it is looked at: links inside links are encoded twice.
const DECODINGS: usize = 3;

/// What separates the parts of a link inside a value.
const PART_SEPARATORS: [char; 7] = ['/', '?', '&', ';', '=', ',', '#'];

/// Canonical path and query with secrets removed.
pub(crate) fn without_secrets(path_and_query: &str) -> Cow<'_, str> {
    let (path, query) = path_and_query.split_once('?').unwrap_or((path_and_query, ""));
    let has_token = segments(path).any(|(_, secret)| secret);
    let has_secret = !query.is_empty() && query.split('&').any(is_secret_parameter);
    if !has_token && !has_secret {
        return Cow::Borrowed(path_and_query);
    }
    let mut out = String::with_capacity(path_and_query.len());
    for (i, (segment, secret)) in segments(path).enumerate() {
        if i > 0 {
            out.push('/');
        }
        out.push_str(if secret { REMOVED } else { segment });
    }
    for (i, parameter) in query.split('&').enumerate().filter(|_| !query.is_empty()) {
        out.push(if i == 0 { '?' } else { '&' });
        match parameter.split_once('=') {
            _ if !is_secret_parameter(parameter) => out.push_str(parameter),
            Some((name, _)) if !is_telling(name) => {
                out.push_str(name);
                out.push('=');
                out.push_str(REMOVED);
            }
            _ => out.push_str(REMOVED),
        }
    }
    Cow::Owned(out)
}

/// Words on a path whose next segment is a secret: `/token/hunter22`.
const SECRET_SEGMENTS: [&str; 6] = ["apikey", "api-key", "otp", "password", "secret", "token"];

/// The segments of a path, each with whether it is secret.
fn segments(path: &str) -> impl Iterator<Item = (&str, bool)> {
    let mut after_word = false;
    path.split('/').map(move |segment| {
        let named = after_word
            && segment.len() >= SECRET_MIN_CHARS
            && segment != REMOVED
            && segment.bytes().any(|b| b.is_ascii_digit());
        after_word = SECRET_SEGMENTS.iter().any(|word| segment.eq_ignore_ascii_case(word));
        (segment, named || is_secret_segment(segment))
    })
}

fn is_secret_segment(segment: &str) -> bool {
    is_telling(segment) || (segment.contains(['=', '%']) && has_secret_part(&decoded(segment)))
}

fn is_secret_parameter(parameter: &str) -> bool {
    let (name, value) = parameter.split_once('=').unwrap_or((parameter, ""));
    if is_telling(name) || is_telling(value) {
        return true;
    }
    (value.len() >= SECRET_MIN_CHARS && is_named(&decoded(name), SECRET_NAMES))
        || (looks_drawn(value) && is_named(&decoded(name), SESSION_NAMES))
        || (value.contains(PART_SEPARATORS) || value.contains('%')) && has_secret_part(&decoded(value))
}

/// Whether a value looks as if a program drew it, not as if somebody wrote it: letters and digits mixed, or many digits.
fn looks_drawn(value: &str) -> bool {
    let digits = value.bytes().filter(u8::is_ascii_digit).count();
    let letters = value.bytes().filter(u8::is_ascii_alphabetic).count();
    digits > 0 && value.len() >= if letters > 0 { DRAWN_MIN_CHARS } else { DRAWN_MIN_DIGITS }
}

/// Whether a text gives somebody away by itself: a token, or an address of e-mail.
fn is_telling(text: &str) -> bool {
    is_token(text) || (text.contains(['@', '%']) && is_mail(&decoded(text)))
}

fn is_token(text: &str) -> bool {
    text.len() >= TOKEN_MIN_BYTES && text != REMOVED && is_token_like(text)
}

fn is_mail(text: &str) -> bool {
    text.match_indices('@').any(|(at, _)| {
        let named = text[..at].chars().next_back().is_some_and(char::is_alphanumeric);
        let host = text[at + 1..].split(|c: char| !c.is_alphanumeric() && c != '.' && c != '-').next().unwrap_or("");
        named && host.split_once('.').is_some_and(|(label, rest)| !label.is_empty() && !rest.is_empty())
    })
}

/// Whether a link inside a value carries a secret: `next=/reset?token=…`, `a=1;token=…`.
fn has_secret_part(text: &str) -> bool {
    let mut parts = text.split(PART_SEPARATORS).peekable();
    while let Some(part) = parts.next() {
        let value = parts.peek().copied().unwrap_or("");
        if is_token(part) || (value.len() >= SECRET_MIN_CHARS && value != REMOVED && is_named(part, SECRET_NAMES)) {
            return true;
        }
    }
    false
}

fn is_named(name: &str, names: &[&str]) -> bool {
    // accessToken → access_token
    let mut snake = String::with_capacity(name.len() + 4);
    let mut last = ' ';
    for c in name.trim_end_matches(['[', ']']).chars() {
        if c.is_ascii_uppercase() && last.is_ascii_lowercase() {
            snake.push('_');
        }
        snake.push(c.to_ascii_lowercase());
        last = c;
    }
    let name = &snake;
    names.iter().any(|secret| {
        let before = name.strip_suffix(secret);
        before.is_some_and(|before| before.is_empty() || before.ends_with(['_', '-', '.', '[']))
    })
}

/// Percent-decoded until nothing changes, or often enough.
fn decoded(text: &str) -> Cow<'_, str> {
    let mut text = Cow::Borrowed(text);
    for _ in 0..DECODINGS {
        if !text.contains('%') {
            break;
        }
        text = Cow::Owned(decoded_once(&text));
    }
    text
}

fn decoded_once(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut out = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        let hex = |i: usize| bytes.get(i).and_then(|b| char::from(*b).to_digit(16));
        match (bytes[at], hex(at + 1), hex(at + 2)) {
            (b'%', Some(high), Some(low)) => {
                out.push(u8::try_from(high * 16 + low).unwrap_or(b'?'));
                at += 3;
            }
            (byte, ..) => {
                out.push(byte);
                at += 1;
            }
        }
    }
    String::from_utf8_lossy(&out).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ours_secrets_leave_urls_and_the_rest_stays_to_the_byte() {
        for (url, expected) in [
            ("/a/b?c=d&e", "/a/b?c=d&e"),
            ("/m/product/33719/x?page=2", "/m/product/33719/x?page=2"),
            ("/reset/d41d8cd98f00b204e9800998ecf8427e/go", "/reset/~token~/go"),
            ("/x?a=1&token=hunter2&b=2", "/x?a=1&token=~token~&b=2"),
            ("/x?user_token=hunter2", "/x?user_token=~token~"),
            ("/x?form[password]=hunter2", "/x?form[password]=~token~"),
            ("/x?q=AKIAIOSFODNN7EXAMPLE", "/x?q=~token~"),
            ("/x?AKIAIOSFODNN7EXAMPLE", "/x?~token~"),
            ("/x?to=ann%40example.org", "/x?to=~token~"),
            ("/unsubscribe/ann@example.org", "/unsubscribe/~token~"),
            ("/x?sid=a1b2c3", "/x?sid=~token~"),
            ("/x?session=q7xk2m9p&a=1", "/x?session=~token~&a=1"),
            ("/x?code=4f9a1c", "/x?code=~token~"),
            ("/x?auth_code=19283746", "/x?auth_code=~token~"),
            ("/x?sid=1234&code=ABC-D&session=spring", "/x?sid=1234&code=ABC-D&session=spring"),
            ("/x?barcode=4f9a1c", "/x?barcode=4f9a1c"),
            ("/x?key=3", "/x?key=3"),
            ("/x?monkey=bananas", "/x?monkey=bananas"),
            ("/x?token=~token~", "/x?token=~token~"),
            ("/u/jo@ex.org", "/u/~token~"),
            ("/profile/jo%40ex.org", "/profile/~token~"),
            ("/x?jo%40ex.org", "/x?~token~"),
            ("/x?m=jo%2540ex.org", "/x?m=~token~"),
            ("/x?token%5B%5D=abcd1234", "/x?token%5B%5D=~token~"),
            ("/x?%74oken=abcd1234", "/x?%74oken=~token~"),
            ("/x?a=1;token=abcd1234", "/x?a=~token~"),
            ("/x?next=%2Freset%3Ftoken%3Dabcd1234", "/x?next=~token~"),
            ("/a;password=hunter2/b", "/~token~/b"),
            ("/@jane/posts", "/@jane/posts"),
            ("/x?accessToken=abcd12", "/x?accessToken=~token~"),
            ("/x?userEmail=ann.smith", "/x?userEmail=~token~"),
            ("/x?tel=%2B491234567", "/x?tel=~token~"),
            ("/token/hunter22", "/token/~token~"),
            ("/token/economics", "/token/economics"),
            ("/x?hotel=astoria", "/x?hotel=astoria"),
            ("/x?q=a%40b", "/x?q=a%40b"),
            ("/x?redirect=%2Fm%2Fproduct%2F12", "/x?redirect=%2Fm%2Fproduct%2F12"),
            ("/%D8%A7%D8%AA%D9%88/%DA%AF%D9%88%D8%B4%DB%8C", "/%D8%A7%D8%AA%D9%88/%DA%AF%D9%88%D8%B4%DB%8C"),
        ] {
            assert_eq!(without_secrets(url), expected, "{url}");
        }
    }
}
