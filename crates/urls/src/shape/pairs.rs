//! Could these letters be a word?
//!
//! Words of Latin-script languages use few of the 676 pairs of letters: the 342 pairs below make up 97 % of the pairs in
//! the vocabulary of an English encyclopedia, widened by pairs common in German, Polish, Dutch, Portuguese, Pinyin and
//! in transliterated Persian. Letters drawn at random hit them half of the time only.

/// For each letter from `a` to `z`, those that often follow it.
const FOLLOWERS: [&[u8]; 26] = [
    b"abcdefghiklmnoprstuvwxyz",
    b"abeilorsu",
    b"acehiklorstuyz",
    b"adegilorsuyz",
    b"abcdefghilmnoprstuvwxyz",
    b"aefilortu",
    b"aeghilnorsuy",
    b"aeilmnortuy",
    b"abcdefgijklmnoprstuvz",
    b"aeiou",
    b"aehilorsu",
    b"abdehijlmostuvy",
    b"abeimopsuy",
    b"acdefghijknostuvy",
    b"abcdefgiklmnoprstuvwxy",
    b"aehiloprstu",
    b"iu",
    b"abcdefghiklmnoprstuvyz",
    b"acehijklmnopqstuvwyz",
    b"acehijlorstuy",
    b"abcdegilmnoprstuz",
    b"aeior",
    b"aehilnorsy",
    b"aceioptu",
    b"aceilmnoprstu",
    b"aehilouy",
];

static LIKELY: [u32; 26] = masks();

const fn masks() -> [u32; 26] {
    let mut masks = [0; 26];
    let mut letter = 0;
    while letter < 26 {
        let followers = FOLLOWERS[letter];
        let mut i = 0;
        while i < followers.len() {
            masks[letter] |= 1 << (followers[i] - b'a');
            i += 1;
        }
        letter += 1;
    }
    masks
}

/// Whether these ASCII letters read like a word: a vowel in it, and likely pairs, all of them up to five letters, four
/// in five beyond.
pub(super) fn is_word(letters: &[u8]) -> bool {
    let index = |b: u8| (b.to_ascii_lowercase() - b'a') as usize;
    let has_vowel = letters.iter().any(|b| matches!(b.to_ascii_lowercase(), b'a' | b'e' | b'i' | b'o' | b'u' | b'y'));
    let pairs = letters.len().saturating_sub(1);
    let likely = letters.windows(2).filter(|pair| LIKELY[index(pair[0])] >> index(pair[1]) & 1 == 1).count();
    has_vowel && if letters.len() <= 5 { likely == pairs } else { likely * 5 >= pairs * 4 }
}
