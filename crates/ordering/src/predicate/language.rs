//! Which language is a text written in?
//!
//! Told by its letters and trigrams (the crate `whatlang`), from the first [`MOST_BYTES`] of it. A guess that is not reliable is none: short
//! texts are of no language.

use whatlang::Lang;

/// Bytes of a text that are looked at: more does not change the answer.
const MOST_BYTES: usize = 1 << 14;

/// Languages by their two letters (ISO 639-1), beside the three (ISO 639-3) that are always understood.
const SHORT: [(&str, &str); 67] = [
    ("af", "afr"),
    ("am", "amh"),
    ("ar", "ara"),
    ("az", "aze"),
    ("be", "bel"),
    ("bg", "bul"),
    ("bn", "ben"),
    ("ca", "cat"),
    ("cs", "ces"),
    ("da", "dan"),
    ("de", "deu"),
    ("el", "ell"),
    ("en", "eng"),
    ("eo", "epo"),
    ("es", "spa"),
    ("et", "est"),
    ("fa", "pes"),
    ("fi", "fin"),
    ("fr", "fra"),
    ("gu", "guj"),
    ("he", "heb"),
    ("hi", "hin"),
    ("hr", "hrv"),
    ("hu", "hun"),
    ("hy", "hye"),
    ("id", "ind"),
    ("it", "ita"),
    ("ja", "jpn"),
    ("jv", "jav"),
    ("ka", "kat"),
    ("km", "khm"),
    ("kn", "kan"),
    ("ko", "kor"),
    ("la", "lat"),
    ("lt", "lit"),
    ("lv", "lav"),
    ("mk", "mkd"),
    ("ml", "mal"),
    ("mr", "mar"),
    ("my", "mya"),
    ("nb", "nob"),
    ("ne", "nep"),
    ("nl", "nld"),
    ("no", "nob"),
    ("or", "ori"),
    ("pa", "pan"),
    ("pl", "pol"),
    ("pt", "por"),
    ("ro", "ron"),
    ("ru", "rus"),
    ("si", "sin"),
    ("sk", "slk"),
    ("sl", "slv"),
    ("sn", "sna"),
    ("sr", "srp"),
    ("sv", "swe"),
    ("ta", "tam"),
    ("te", "tel"),
    ("th", "tha"),
    ("tk", "tuk"),
    ("tl", "tgl"),
    ("tr", "tur"),
    ("uk", "ukr"),
    ("ur", "urd"),
    ("uz", "uzb"),
    ("vi", "vie"),
    ("zh", "cmn"),
];

/// The three letters of a language that texts can be found to be in.
pub(super) fn code(name: &str) -> Option<&'static str> {
    let name = name.to_lowercase();
    let long = SHORT.iter().find(|(short, _)| *short == name).map_or(name.as_str(), |(_, long)| long);
    Lang::from_code(long).map(|lang| lang.code())
}

/// The language of a text; none if that cannot be told.
pub(super) fn of(text: &str) -> Option<&'static str> {
    let end = (0..=MOST_BYTES.min(text.len())).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0);
    let info = whatlang::detect(&text[..end])?;
    info.is_reliable().then(|| info.lang().code())
}
