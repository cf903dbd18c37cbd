//! Who are we, to this server? What must not be printed is in a type that cannot.

use std::fmt;

use data_encoding::BASE64;
use http::HeaderValue;

/// A password, a token, a URL with one inside. It does not print itself, and has no `Display`.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(Box<str>);

impl Secret {
    /// Keeps a text.
    #[must_use]
    pub fn new(text: &str) -> Self {
        Self(text.into())
    }

    /// The text, for those who send it.
    pub(super) fn reveal(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(***)")
    }
}

/// What is shown to one origin, so that it lets us in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Credentials {
    /// RFC 7617: a user name and a password.
    Basic {
        /// The user name.
        user: String,
        /// The password.
        password: Secret,
    },
    /// RFC 6750: a token.
    Bearer(Secret),
}

impl Credentials {
    /// The value of `Authorization`, marked so that it does not print itself; `None` if it cannot be sent.
    pub(super) fn header(&self) -> Option<HeaderValue> {
        let text = match self {
            Self::Basic { user, .. } if user.contains(':') => return None,
            Self::Basic { user, password } => {
                format!("Basic {}", BASE64.encode(format!("{user}:{}", password.reveal()).as_bytes()))
            }
            Self::Bearer(token) => format!("Bearer {}", token.reveal()),
        };
        let mut value = HeaderValue::try_from(text).ok()?;
        value.set_sensitive(true);
        Some(value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ours_a_secret_does_not_print_itself() {
        let credentials = Credentials::Basic { user: "eve".into(), password: Secret::new("hunter2") };
        assert!(!format!("{credentials:?}").contains("hunter2"));
        assert!(!format!("{:?}", credentials.header()).contains("ZXZl"));
    }

    #[test]
    fn rfc7617_basic_is_user_and_password_in_base64() {
        let credentials = Credentials::Basic { user: "Aladdin".into(), password: Secret::new("open sesame") };
        assert_eq!(credentials.header().unwrap(), "Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==");
        assert_eq!(Credentials::Bearer(Secret::new("t0k")).header().unwrap(), "Bearer t0k");
        assert_eq!(Credentials::Bearer(Secret::new("a\nb")).header(), None);
        assert_eq!(Credentials::Basic { user: "a:b".into(), password: Secret::new("") }.header(), None);
    }
}
