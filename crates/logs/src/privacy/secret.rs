//! Values that a URL should not have carried: tokens, keys, passwords.
//!
//! A path segment or parameter value that is token-like (sixteen characters or more of high entropy, see
//! `trodden_urls::is_token_like`), and any value of a parameter whose name says that it is secret, becomes
//! [`REMOVED`]. The URL stays a URL and keeps its shape; it can be counted, but not fetched.

use std::borrow::Cow;

use trodden_urls::is_token_like;

/// Stands where a value was. Unreserved characters only, so that no rule of URLs rewrites it.
pub(crate) const REMOVED: &str = "~token~";

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
    "ssn",
    "ticket",
    "token",
    "username",
    "xsrf",
];

/// Shorter values of secret parameters are settings, not secrets: `?key=3`.
const SECRET_MIN_CHARS: usize = 4;

/// The shortest text that could be token-like: most segments are shorter, and need no look.
const TOKEN_MIN_BYTES: usize = 16;

/// Canonical path and query with secrets removed.
pub(crate) fn without_secrets(path_and_query: &str) -> Cow<'_, str> {
    let (path, query) = path_and_query.split_once('?').unwrap_or((path_and_query, ""));
    let has_token = path.len() > TOKEN_MIN_BYTES && path.split('/').any(is_secret_segment);
    let has_secret = !query.is_empty() && query.split('&').any(is_secret_parameter);
    if !has_token && !has_secret {
        return Cow::Borrowed(path_and_query);
    }
    let mut out = String::with_capacity(path_and_query.len());
    for (i, segment) in path.split('/').enumerate() {
        if i > 0 {
            out.push('/');
        }
        out.push_str(if is_secret_segment(segment) { REMOVED } else { segment });
    }
    for (i, parameter) in query.split('&').enumerate().filter(|_| !query.is_empty()) {
        out.push(if i == 0 { '?' } else { '&' });
        let (name, value) = parameter.split_once('=').unwrap_or((parameter, ""));
        if is_token(name) {
            out.push_str(REMOVED);
        } else if is_secret_parameter(parameter) {
            out.push_str(name);
            out.push('=');
            out.push_str(REMOVED);
        } else {
            out.push_str(name);
            if parameter.len() > name.len() {
                out.push('=');
                out.push_str(value);
            }
        }
    }
    Cow::Owned(out)
}

fn is_secret_segment(segment: &str) -> bool {
    is_token(segment)
        || (segment.contains('@') && segment.contains('.'))
        || (segment.contains('=') && segment.split(';').skip(1).any(is_secret_parameter))
}

fn is_token(text: &str) -> bool {
    text.len() >= TOKEN_MIN_BYTES && text != REMOVED && is_token_like(text)
}

fn is_secret_parameter(parameter: &str) -> bool {
    let (name, value) = parameter.split_once('=').unwrap_or((parameter, ""));
    if is_token(name) || is_token(value) {
        return true;
    }
    // An address of e-mail is a person, whatever the parameter is called.
    let mail = value.split_once("%40").or_else(|| value.split_once('@'));
    if mail.is_some_and(|(who, host)| !who.is_empty() && host.contains('.')) {
        return true;
    }
    value.len() >= SECRET_MIN_CHARS && is_secret_name(name)
}

fn is_secret_name(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    SECRET_NAMES.iter().any(|secret| {
        name.strip_suffix(secret).is_some_and(|before| before.is_empty() || before.ends_with(['_', '-', '.', '[']))
    }) || name.strip_suffix(']').is_some_and(is_secret_name)
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
            ("/x?key=3", "/x?key=3"),
            ("/x?monkey=bananas", "/x?monkey=bananas"),
            ("/x?token=~token~", "/x?token=~token~"),
        ] {
            assert_eq!(without_secrets(url), expected, "{url}");
        }
    }
}
