//! Do the tables of cases beside this file hold?
#![allow(clippy::unwrap_used)]

mod table;

use trodden_urls::{Canonicalizer, is_token_like, segment_shape, surt, url_shape};

fn check<const N: usize>(csv: &str, at_least: usize, wrong: impl Fn(&[String; N]) -> Option<String>) {
    let rows = table::rows::<N>(csv);
    assert!(rows.len() >= at_least, "only {} cases", rows.len());
    let wrong: Vec<String> = rows.iter().filter_map(wrong).collect();
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), rows.len(), wrong.join("\n"));
}

fn differs(input: &str, expected: &str, found: &str) -> Option<String> {
    (found != expected).then(|| format!("{input:?} gives {found:?}, not {expected:?}"))
}

#[test]
fn ours_canonical_forms_are_as_in_the_table() {
    let canonicalizer = Canonicalizer::default();
    check(include_str!("canonical.csv"), 40, |[input, expected, _note]| {
        let found = match canonicalizer.absolute(input.as_bytes()) {
            Ok(url) => url.as_str().to_owned(),
            Err(fault) => format!("{fault:?}"),
        };
        differs(input, expected, &found)
    });
}

#[test]
fn ours_segment_shapes_are_as_in_the_table() {
    check(include_str!("segment_shape.csv"), 60, |[input, expected, _note]| {
        let mut found = String::new();
        segment_shape(input, &mut found);
        differs(input, expected, &found)
    });
}

#[test]
fn ours_url_shapes_are_as_in_the_table() {
    check(include_str!("url_shape.csv"), 20, |[input, expected, _note]| {
        let mut found = String::new();
        url_shape(input, &mut found);
        differs(input, expected, &found)
    });
}

#[test]
fn ours_token_likeness_is_as_in_the_table() {
    check(include_str!("token.csv"), 60, |[input, expected, _note]| {
        let found = if is_token_like(input) { "yes" } else { "no" };
        differs(input, expected, found)
    });
}

#[test]
fn ours_surt_keys_are_those_of_pywb() {
    check(include_str!("surt.csv"), 120, |[input, expected]| differs(input, expected, &surt(input)));
}
