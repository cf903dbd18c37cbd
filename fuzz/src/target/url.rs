//! URLs as logs, pages and people write them, and all that is made of a canonical one.

use trodden_urls::{
    CanonicalUrl, Canonicalizer, Components, HostKey, MAX_URL_BYTES, Origin, Rules, general_shape, is_token_like,
    segment_shape, surt, url_shape,
};

/// Whatever the rules: a canonical URL is ASCII, within its cap, and canonical.
pub(super) fn canonical(input: &[u8]) {
    for rules in [Rules::default(), Rules::whatwg()] {
        let canonicalizer = Canonicalizer::new(rules);
        if let Ok(url) = canonicalizer.absolute(input) {
            holds(&url);
            let again = canonicalizer.absolute(url.as_str().as_bytes()).expect("a canonical URL is a URL");
            assert_eq!(again.as_str(), url.as_str(), "canonical twice");
            made_of(&url);
        }
        if let Ok(path) = canonicalizer.origin_form(input) {
            assert!(path.is_ascii() && path.starts_with('/'));
            let again = canonicalizer.origin_form(path.as_bytes()).expect("a canonical path is a path");
            assert_eq!(again, path, "canonical twice");
            let whole = [b"http://h.invalid", input].concat();
            if let Ok(url) = canonicalizer.absolute(&whole) {
                assert_eq!(url.path_and_query(), path, "with a host and without");
            }
        }
    }
    let text = String::from_utf8_lossy(input);
    shapes(&text);
    let _ = HostKey::parse(&text);
    let key = surt(&text);
    assert!(!key.contains(char::is_whitespace), "a key of an index is one word: {key:?}");
}

fn holds(url: &CanonicalUrl<'_>) {
    let text = url.as_str();
    assert!(text.is_ascii() && text.len() <= MAX_URL_BYTES, "{} bytes", text.len());
    assert!(!text.bytes().any(|byte| byte.is_ascii_control() || byte == b' '));
    assert!(url.path().starts_with('/'));
    assert!(!url.host().is_empty());
    assert_eq!(url::Url::parse(text).map(String::from).as_deref(), Ok(text), "as the standard writes it");
}

fn made_of(url: &CanonicalUrl<'_>) {
    let components = Components::of(url);
    let mut last = None;
    for component in components.iter() {
        assert!(last < Some(component.key), "keys are sorted");
        assert_eq!(components.get(component.key), Some(component.value));
        last = Some(component.key);
    }
    let origin = Origin::of(url);
    assert!(origin.port() > 0 || url.port() == Some(0));
    let host = HostKey::of(url);
    // Of several `www.` the first goes, whoever asks.
    if !host.as_str().starts_with("www.") {
        assert_eq!(HostKey::parse(host.as_str()).as_ref(), Ok(&host), "a key is its own key");
    }
}

fn shapes(text: &str) {
    let (mut shape, mut general) = (String::new(), String::new());
    segment_shape(text, &mut shape);
    general_shape(&shape, &mut general);
    url_shape(text, &mut shape);
    let _ = is_token_like(text);
    let mut components = Components::new();
    components.read_text(text);
}
