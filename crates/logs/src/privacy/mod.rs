//! The only place that sees a raw user.
//!
//! Addresses, agents, ids and cookies become keyed hashes here, one way; values that look like secrets leave
//! URLs here. Nothing behind this module can name a person: see PRIVACY.md.

mod secret;
mod user;

pub(crate) use secret::without_secrets;
pub(crate) use user::UserHasher;
pub use user::UserKey;

/// Whether a URL lost a value to privacy: it counts, but it cannot be fetched.
pub fn has_removed_values(url: &str) -> bool {
    url.contains(trodden_urls::REMOVED_VALUE)
}
