//! The fields of an entry by name, for operators who map columns or JSON paths by hand.

use std::fmt;
use std::str::FromStr;

/// A field of an [`Entry`](super::Entry).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Field {
    /// When the request was made.
    Time,
    /// The peer that connected.
    Address,
    /// Whom that peer says it speaks for.
    Forwarded,
    /// Who asked.
    User,
    /// The HTTP method.
    Method,
    /// What was asked for.
    Target,
    /// The virtual host.
    Host,
    /// http or https.
    Scheme,
    /// The answer's status.
    Status,
    /// Where the reader came from.
    Referrer,
    /// The user agent.
    Agent,
    /// The answer's content type.
    ContentType,
}

impl Field {
    /// All fields, in the order in which they are listed to an operator.
    pub const ALL: [Self; 12] = [
        Self::Time,
        Self::Address,
        Self::Forwarded,
        Self::User,
        Self::Method,
        Self::Target,
        Self::Host,
        Self::Scheme,
        Self::Status,
        Self::Referrer,
        Self::Agent,
        Self::ContentType,
    ];

    /// The name in kebab-case.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Time => "time",
            Self::Address => "address",
            Self::Forwarded => "forwarded",
            Self::User => "user",
            Self::Method => "method",
            Self::Target => "target",
            Self::Host => "host",
            Self::Scheme => "scheme",
            Self::Status => "status",
            Self::Referrer => "referrer",
            Self::Agent => "agent",
            Self::ContentType => "content-type",
        }
    }
}

impl fmt::Display for Field {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// A name that is no field.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "no field is called {0:?}: use time, address, forwarded, user, method, target, host, scheme, status, referrer, \
     agent or content-type"
)]
pub struct UnknownField(String);

impl FromStr for Field {
    type Err = UnknownField;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        Self::ALL.into_iter().find(|field| field.as_str() == name).ok_or_else(|| UnknownField(name.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ours_field_names_round_trip() {
        for field in Field::ALL {
            assert_eq!(field.to_string().parse(), Ok(field));
        }
        assert!("Target".parse::<Field>().is_err());
    }
}
