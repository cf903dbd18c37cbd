//! What is a URL, a site, a component?
//!
//! A URL enters as bytes that a log or a page wrote, and meets four questions in turn:
//!
//! 1. **Which URL is it?** [`Canonicalizer`] gives every spelling of one address the same text ([`canonical`]).
//! 2. **Whose is it?** [`HostKey`], [`SiteKey`], [`Origin`] and [`PolitenessKey`] are four types because mining,
//!    robots.txt and politeness draw the border differently ([`key`]).
//! 3. **What does it look like?** [`segment_shape`] and [`url_shape`] forget the identifiers and keep the structure;
//!    [`is_token_like`] says which values must not be kept at all ([`shape`]).
//! 4. **What is it made of?** [`Components`] reads the key–value pairs that the pattern tree splits on ([`component`]).
//!
//! [`UrlGlobs`] are the URLs that an operator means by `/basket/*` ([`glob`]).
//! [`surt()`] is the key of a URL in the index of an archive ([`surt`](mod@surt)).
//! [`Interner`] gives texts dense numbers, so that everything downstream counts integers ([`intern`]).
//!
//! The crate is pure: no input or output, no clock, no randomness; the same bytes give the same answers for ever.

pub mod canonical;
pub mod component;
mod fault;
pub mod glob;
pub mod intern;
pub mod key;
mod pieces;
mod repetition;
pub mod shape;
pub mod surt;

pub use canonical::{CanonicalUrl, Canonicalizer, MAX_URL_BYTES, Rules, Scheme};
pub use component::{Component, ComponentKey, Components, UrlParts};
pub use fault::UrlFault;
pub use glob::{GlobFault, UrlGlobs};
pub use intern::Interner;
pub use key::{AliasFault, Aliases, HostKey, Origin, PolitenessKey, PolitenessUnit, SiteGrouping, SiteKey, SiteKeys};
pub use repetition::repeats_itself;
pub use shape::{REMOVED_VALUE, general_shape, is_token_like, segment_shape, url_shape};
pub use surt::surt;
