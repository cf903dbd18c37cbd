//! The seven rules beyond the WHATWG standard, one file each: what it removes, why two spellings are one URL, and what
//! stays when it is switched off.

pub(super) mod credentials;
pub(super) mod default_port;
pub(super) mod dot_segments;
pub(super) mod fragment;
mod name_set;
pub(super) mod percent_case;
pub(super) mod session_ids;
pub(super) mod tracking;
mod written;
