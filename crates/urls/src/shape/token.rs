//! Is this value so random that it names one person or opens one door?
//!
//! Models are shared, so a literal in one must not be a session, a password-reset link or a customer. A value is
//! *token-like* if it is one of these, after percent-decoding:
//!
//! 1. it holds a UUID, or starts like a well-known kind of secret ([`PREFIXES`]), or is an e-mail address, or is Base64
//!    with its padding;
//! 2. some part of it (a stretch of ASCII letters and digits) of 16 characters or more is all digits, is hexadecimal
//!    with letters and digits mixed, or is *random*;
//! 3. its parts are long on average and those that mix lower case, upper case and digits at random, or are mixed
//!    hexadecimal of eight or more, come to 16 characters: Base64 for URLs has `-` and `_` inside.
//!
//! A part is random if five eighths of it are no word. Words are found by splitting at digits and where lower case
//! turns to upper case; a word has three letters or more (four among digits, if no capital marks it off), a vowel, and
//! pairs of letters that languages use. So
//! slugs, titles, `CamelCase` and product models are no tokens, and text in other scripts is none. No regular
//! expressions, no allocation without `%`, one or two passes.

use super::latin::{decoded, is_uuid};
use super::pairs::is_word;

/// Stands where a value was that must not be kept. Unreserved characters only, so that no rule of URLs rewrites it.
pub const REMOVED_VALUE: &str = "~token~";

/// The fewest characters of a token.
const TOKEN_LENGTH: usize = 16;
/// The fewest different characters of a token, all digits apart: rulers and fillers are none.
const DISTINCT: u32 = 6;
/// The shortest mean length of the parts of a token with separators inside.
const MEAN_PART: usize = 6;
/// The shortest part of such a token that counts.
const SHORT_PART: usize = 6;
/// The shortest stretch of mixed hexadecimal digits that counts.
const SHORT_HEX: usize = 8;

/// How well-known secrets begin: JSON Web Tokens, and the keys of cloud, code and payment services.
const PREFIXES: &[&str] = &[
    "eyJ",
    "AKIA",
    "ASIA",
    "AIza",
    "ya29.",
    "ghp_",
    "gho_",
    "ghs_",
    "github_pat_",
    "glpat-",
    "sk_live_",
    "sk_test_",
    "pk_live_",
    "xoxb-",
    "xoxp-",
    "npm_",
];

/// Whether `value` (a path segment, parameter value or name, possibly percent-encoded) is a secret or the identifier of
/// a person, rather than a word, a title or a number.
#[must_use]
pub fn is_token_like(value: &str) -> bool {
    let text = decoded(value);
    if is_email(&text) {
        return true;
    }
    if text.len() < TOKEN_LENGTH {
        return false;
    }
    if PREFIXES.iter().any(|prefix| text.starts_with(prefix)) || holds_uuid(&text) || is_padded_base64(&text) {
        return true;
    }
    let (mut parts, mut characters, mut suspicious) = (0, 0, 0);
    for part in text.as_bytes().split(|b| !b.is_ascii_alphanumeric()).filter(|part| !part.is_empty()) {
        let found = Census::of(part);
        if part.len() >= TOKEN_LENGTH && found.is_token(part) {
            return true;
        }
        parts += 1;
        characters += part.len();
        if found.is_suspicious(part) {
            suspicious += part.len();
        }
    }
    suspicious >= TOKEN_LENGTH && characters >= parts * MEAN_PART
}

/// What a part consists of.
struct Census {
    lower: usize,
    upper: usize,
    digits: usize,
    all_hex: bool,
}

impl Census {
    fn of(part: &[u8]) -> Self {
        let count = |is: fn(&u8) -> bool| part.iter().filter(|b| is(b)).count();
        Self {
            lower: count(u8::is_ascii_lowercase),
            upper: count(u8::is_ascii_uppercase),
            digits: count(u8::is_ascii_digit),
            all_hex: part.iter().all(u8::is_ascii_hexdigit),
        }
    }

    fn is_mixed_hex(&self) -> bool {
        self.all_hex && self.digits > 0 && self.lower + self.upper > 0
    }

    /// Rule 2, for a part that is long enough.
    fn is_token(&self, part: &[u8]) -> bool {
        self.lower + self.upper == 0 || (distinct(part) >= DISTINCT && (self.is_mixed_hex() || is_random(part)))
    }

    /// Rule 3, for a part of any length.
    fn is_suspicious(&self, part: &[u8]) -> bool {
        let all_three = self.lower > 0 && self.upper > 0 && self.digits > 0;
        (part.len() >= SHORT_HEX && self.is_mixed_hex()) || (part.len() >= SHORT_PART && all_three && is_random(part))
    }
}

fn distinct(part: &[u8]) -> u32 {
    part.iter().fold(0_u128, |seen, &b| seen | 1 << (b & 127)).count_ones()
}

/// Whether five eighths of the part are no word.
fn is_random(part: &[u8]) -> bool {
    // Among digits, three letters make a word by chance too often, unless a capital marks it off.
    let digits = part.iter().any(u8::is_ascii_digit);
    let mut in_words = 0;
    let mut at = 0;
    while at < part.len() {
        let letters = &part[at..at + piece(&part[at..])];
        let capital = letters[0].is_ascii_uppercase() && letters.last().is_some_and(u8::is_ascii_lowercase);
        let shortest = if digits && !capital { 4 } else { 3 };
        if letters.len() >= shortest && letters[0].is_ascii_alphabetic() && is_word(letters) {
            in_words += letters.len();
        }
        at += letters.len();
    }
    (part.len() - in_words) * 8 >= part.len() * 5
}

/// The length of the first piece of `rest`: digits, a word in one case, or a word with a capital. The last of several
/// capitals begins the word that follows.
fn piece(rest: &[u8]) -> usize {
    let run = |from: usize, is: fn(&u8) -> bool| rest[from..].iter().take_while(|b| is(b)).count();
    if !rest[0].is_ascii_alphabetic() {
        return run(0, u8::is_ascii_digit).max(1);
    }
    match run(0, u8::is_ascii_uppercase) {
        0 => run(0, u8::is_ascii_lowercase),
        1 => 1 + run(1, u8::is_ascii_lowercase),
        capitals if rest.get(capitals).is_some_and(u8::is_ascii_lowercase) => capitals - 1,
        capitals => capitals,
    }
}

fn holds_uuid(text: &str) -> bool {
    memchr::memchr_iter(b'-', text.as_bytes()).filter_map(|dash| text.get(dash.checked_sub(8)?..dash + 28)).any(is_uuid)
}

/// Whether the text is Base64 that ends in `=`: nothing that people write does.
fn is_padded_base64(text: &str) -> bool {
    let body = text.trim_end_matches('=');
    (1..=2).contains(&(text.len() - body.len()))
        && text.len().is_multiple_of(4)
        && body.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'+' | b'/' | b'-' | b'_'))
}

/// Whether the text is `name@host.tld`.
fn is_email(text: &str) -> bool {
    let Some((name, host)) = text.rsplit_once('@') else {
        return false;
    };
    let Some((domain, top)) = host.rsplit_once('.') else {
        return false;
    };
    name.bytes().any(|b| b.is_ascii_alphanumeric())
        && domain.rsplit('.').next().is_some_and(|label| label.bytes().any(|b| b.is_ascii_alphabetic()))
        && top.len() >= 2
        && top.bytes().all(|b| b.is_ascii_alphabetic())
        && host.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'-'))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Draws of a fixed generator (SplitMix64), so that the rates below never change.
    fn draws(alphabet: &[u8], length: usize, count: usize) -> Vec<String> {
        let mut state = 1_u64;
        let mut draw = || {
            state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
            let mut z = state;
            z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
            z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
            (z ^ (z >> 31)) as usize
        };
        (0..count).map(|_| (0..length).map(|_| alphabet[draw() % alphabet.len()] as char).collect()).collect()
    }

    #[test]
    fn ours_random_strings_are_found() {
        let base62 = b"0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
        let base64 = b"0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-_";
        let mut bad = Vec::new();
        for (name, alphabet, length, at_least) in [
            ("hex", &base62[..16], 16, 0.995),
            ("hex", &base62[..16], 32, 0.999),
            ("base36", &base62[..36], 16, 0.95),
            ("base36", &base62[..36], 32, 0.98),
            ("base62", &base62[..], 16, 0.95),
            ("base62", &base62[..], 22, 0.98),
            ("base62", &base62[..], 43, 0.995),
            ("base32", b"ABCDEFGHIJKLMNOPQRSTUVWXYZ234567", 26, 0.95),
            ("base64 for URLs", &base64[..], 43, 0.97),
            ("letters", &base62[10..36], 20, 0.95),
            ("digits", &base62[..10], 16, 1.0),
        ] {
            let drawn = draws(alphabet, length, 4000);
            let found = drawn.iter().filter(|value| is_token_like(value)).count() as f64 / 4000.0;
            if found < at_least {
                bad.push(format!("{name} of {length}: only {found} found"));
            }
        }
        assert!(bad.is_empty(), "{bad:#?}");
    }
}
