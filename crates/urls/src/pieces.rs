//! How is a text split at an ASCII byte, when its pieces are short?
//!
//! The searchers of the standard library are made for long stretches; segments and parameters have some six bytes, and
//! a plain loop over them takes a third of the time.

/// The pieces of `text` between the bytes `separator` (which must be ASCII): at least one, possibly empty.
pub(crate) fn pieces(text: &str, separator: u8) -> impl Iterator<Item = &str> {
    let mut rest = Some(text);
    std::iter::from_fn(move || {
        let text = rest?;
        let (piece, after) = cut(text, separator);
        rest = after;
        Some(piece)
    })
}

/// `text` before the first byte `separator` (which must be ASCII), and what follows it if there is one.
pub(crate) fn cut(text: &str, separator: u8) -> (&str, Option<&str>) {
    match text.as_bytes().iter().position(|&b| b == separator) {
        Some(at) => (&text[..at], Some(&text[at + 1..])),
        None => (text, None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn ours_pieces_are_those_of_the_standard_library(text in "[a-c/é]{0,12}") {
            let ours: Vec<&str> = pieces(&text, b'/').collect();
            prop_assert_eq!(ours, text.split('/').collect::<Vec<_>>());
            let (before, after) = cut(&text, b'/');
            prop_assert_eq!((before, after), text.split_once('/').map_or((text.as_str(), None), |(a, b)| (a, Some(b))));
        }
    }
}
