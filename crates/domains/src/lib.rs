//! Which part of a host name can be registered?
//!
//! By the Public Suffix List: below `co.uk` or `github.io` anybody can register a name, so two names there have nothing to do with each other.
//!
//! The list is code of [`psl`] that is compiled anew in every crate that calls it, which takes half a minute. So nobody else calls it, and
//! what is here is never inlined.

/// The part of a host name that was registered (`example.co.uk` of `shop.example.co.uk`); none if nothing was: single labels, and names
/// below which others register. Addresses are no names: ask somebody else first.
#[inline(never)]
#[must_use]
pub fn registrable(host: &str) -> Option<&str> {
    psl::domain_str(host)
}

/// Whether others register names below this one.
#[inline(never)]
#[must_use]
pub fn is_public_suffix(name: &str) -> bool {
    psl::suffix_str(name) == Some(name)
}
