//! Which of the seven rules are in force?

use serde::{Deserialize, Serialize};

/// The rules beyond the WHATWG standard, each with a switch; all are on by default.
///
/// Off means that the URL keeps what the rule would have removed or rewritten.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Rules {
    /// Drop `#fragment`: it never reaches the server.
    pub fragment: bool,
    /// Drop `user:password@`.
    pub credentials: bool,
    /// Drop `:80` of http and `:443` of https.
    pub default_port: bool,
    /// Write the hexadecimal digits of `%xx` in upper case.
    pub percent_case: bool,
    /// Resolve `.` and `..` in the path.
    pub dot_segments: bool,
    /// Remove session ids from path and query.
    pub session_ids: bool,
    /// Remove parameters that only say where a click came from.
    pub tracking: bool,
}

impl Default for Rules {
    fn default() -> Self {
        Self {
            fragment: true,
            credentials: true,
            default_port: true,
            percent_case: true,
            dot_segments: true,
            session_ids: true,
            tracking: true,
        }
    }
}

impl Rules {
    /// Nothing but what the WHATWG standard itself does (which includes default ports and dot segments).
    #[must_use]
    pub fn whatwg() -> Self {
        Self {
            fragment: false,
            credentials: false,
            default_port: true,
            percent_case: false,
            dot_segments: true,
            session_ids: false,
            tracking: false,
        }
    }

    /// Whether any rule may remove query parameters. An empty query (`?` and nothing after it) is dropped if so.
    #[must_use]
    pub(super) fn strip_parameters(&self) -> bool {
        self.session_ids || self.tracking
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn ours_rules_left_out_are_on_and_unknown_ones_are_refused() {
        let rules: Rules = serde_json::from_str(r#"{"tracking": false}"#).unwrap();
        assert_eq!(rules, Rules { tracking: false, ..Rules::default() });
        assert!(serde_json::from_str::<Rules>(r#"{"traking": false}"#).is_err());
    }
}
