//! What is said of host names.

use trodden_domains::{is_public_suffix, registrable};

#[test]
fn ours_what_was_registered_is_one_label_below_a_public_suffix() {
    assert_eq!(registrable("shop.example.co.uk"), Some("example.co.uk"));
    assert_eq!(registrable("example.com"), Some("example.com"));
    assert_eq!(registrable("a.ann.github.io"), Some("ann.github.io"));
    assert_eq!((registrable("co.uk"), registrable("localhost"), registrable("")), (None, None, None));
}

#[test]
fn ours_below_a_public_suffix_others_register() {
    assert!(is_public_suffix("com") && is_public_suffix("co.uk") && is_public_suffix("github.io"));
    assert!(!is_public_suffix("example.com") && !is_public_suffix("a.github.io") && !is_public_suffix(""));
}
