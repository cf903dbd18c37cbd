//! Does an interner keep its promises at a million texts?
#![allow(clippy::unwrap_used)]

use proptest::prelude::*;

use super::*;

#[test]
fn ours_ids_are_dense_and_in_the_order_of_arrival() {
    let mut interner = Interner::new();
    assert_eq!(["a", "", "b", "a", ""].map(|text| interner.intern(text)), [0, 1, 2, 0, 1]);
    assert_eq!((interner.get("b"), interner.get("c"), interner.len()), (Some(2), None, 3));
    assert_eq!(interner.iter().collect::<Vec<_>>(), [(0, "a"), (1, ""), (2, "b")]);
    assert_eq!(interner.iter().len(), 3);
}

#[test]
fn ours_ids_do_not_depend_on_the_seed() {
    let (mut one, mut other) = (Interner::with_seed(1), Interner::with_seed(2));
    for i in 0..10_000 {
        let text = (i * 7919 % 5_000).to_string();
        assert_eq!(one.intern(&text), other.intern(&text));
    }
}

#[test]
fn ours_a_million_urls_cost_under_24_bytes_each_beyond_their_text() {
    let mut interner = Interner::new();
    let mut text_bytes = 0;
    for i in 0..1_300_000_u32 {
        let url = format!("/product/{i}/some-name-{}?page={}", i % 977, i % 7);
        text_bytes += url.len();
        assert_eq!(interner.intern(&url), i);
        // At every size above a million, not at a lucky one only.
        if i % 50_000 == 0 && i >= 1_000_000 {
            let overhead = (interner.heap_bytes() - text_bytes) as f64 / f64::from(i + 1);
            assert!(overhead < 24.0, "{overhead} bytes a URL at {i}");
        }
    }
    assert_eq!(interner.text(999_999), "/product/999999/some-name-528?page=0");
    assert_eq!(interner.get("/product/999999/some-name-528?page=0"), Some(999_999));
}

#[test]
fn ours_clear_keeps_the_memory_and_forgets_the_texts() {
    let mut interner = Interner::new();
    let fill = |interner: &mut Interner| {
        (0..50_000).for_each(|i| assert_eq!(interner.intern(&format!("/{i}")), i));
    };
    fill(&mut interner);
    let before = interner.heap_bytes();
    interner.clear();
    assert!(interner.is_empty() && interner.get("/1").is_none());
    fill(&mut interner);
    assert_eq!(interner.heap_bytes(), before);
}

#[test]
fn ours_a_text_longer_than_a_chunk_is_kept_whole() {
    let mut interner = Interner::new();
    let long = "x".repeat(LARGEST_CHUNK + 1);
    let ids = ["a", long.as_str(), "b"].map(|text| interner.intern(text));
    assert_eq!(ids.map(|id| interner.text(id).len()), [1, LARGEST_CHUNK + 1, 1]);
}

proptest! {
    #[test]
    fn ours_an_interner_is_a_map_and_back(texts in prop::collection::vec(".{0,40}", 0..300)) {
        let mut interner = Interner::new();
        let ids: Vec<u32> = texts.iter().map(|text| interner.intern(text)).collect();
        for (text, &id) in texts.iter().zip(&ids) {
            prop_assert_eq!(interner.text(id), text.as_str());
            prop_assert_eq!(interner.get(text), Some(id));
        }
        let distinct: std::collections::BTreeSet<_> = texts.iter().collect();
        prop_assert_eq!(interner.len(), distinct.len());
    }
}
