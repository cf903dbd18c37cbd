//! Which input comes next?
//!
//! A seed with a few changes: bits and bytes, numbers, words of the dictionary, pieces of other seeds, lines swapped,
//! pieces taken out, and pieces repeated until the input is as long as may be, which is what finds work that grows
//! faster than its input. The seed of the run and the number of the round fix all of it.

use trodden_lab::chance::Chance;

use crate::seeds::Seeds;

/// The most changes of one input.
const CHANGES: usize = 12;

/// Bytes that mean something to somebody.
const BYTES: &[u8] = b"\0\t\n\r \"#%&'(),-./0:;<=>?@[\\]^_`{|}~\x1b\x7f\x80\xbf\xc3\xed\xef\xf0\xff";

/// Numbers at which something ends.
const NUMBERS: &[&str] = &[
    "0",
    "-0",
    "-1",
    "1",
    "00",
    "99",
    "100",
    "255",
    "256",
    "32767",
    "65535",
    "65536",
    "2147483647",
    "2147483648",
    "4294967295",
    "4294967296",
    "9223372036854775807",
    "9223372036854775808",
    "18446744073709551615",
    "18446744073709551616",
    "1e308",
    "1e400",
    "-1e400",
    "0.1",
    "NaN",
];

/// The input of a round. Every so often it is a seed as it is.
#[must_use]
pub fn input(seeds: &Seeds, seed: u64, round: u64, max_bytes: usize) -> Vec<u8> {
    let mut chance = Chance::stream(seed, round);
    let Some(start) = pick(&mut chance, &seeds.inputs) else { return Vec::new() };
    let mut input = start.clone();
    input.truncate(max_bytes);
    let changes = chance.below(CHANGES).min(chance.below(CHANGES));
    for _ in 0..changes {
        change(&mut input, seeds, &mut chance, max_bytes);
    }
    input.truncate(max_bytes);
    input
}

fn pick<'a, T>(chance: &mut Chance, choices: &'a [T]) -> Option<&'a T> {
    choices.get(chance.below(choices.len()))
}

/// A piece of an input: where it starts and ends. Short ones are likelier.
fn piece(input: &[u8], chance: &mut Chance) -> (usize, usize) {
    let start = chance.below(input.len() + 1);
    let most = (input.len() - start).min([4, 32, 512, usize::MAX][chance.below(4)]);
    (start, start + chance.below(most + 1))
}

fn change(input: &mut Vec<u8>, seeds: &Seeds, chance: &mut Chance, max_bytes: usize) {
    let at = chance.below(input.len() + 1);
    match chance.below(13) {
        0 => {
            if let Some(byte) = input.get_mut(at) {
                *byte ^= 1 << chance.below(8);
            }
        }
        1 => {
            if let (Some(byte), Some(new)) = (input.get_mut(at), pick(chance, BYTES)) {
                *byte = *new;
            }
        }
        2 => {
            let new: Vec<u8> = (0..=chance.below(4)).map(|_| chance.bits().to_le_bytes()[0]).collect();
            drop(input.splice(at..at, new));
        }
        3 => drop(input.splice(at..at, pick(chance, BYTES).copied())),
        4 => {
            let (start, end) = piece(input, chance);
            input.drain(start..end);
        }
        5 => input.truncate(at),
        // Words are what gets past the first test of a parser.
        6 | 7 => {
            if let Some(word) = pick(chance, &seeds.words) {
                let end = if chance.below(2) == 0 { at } else { (at + word.len()).min(input.len()) };
                drop(input.splice(at..end, word.iter().copied()));
            }
        }
        8 => {
            let other = pick(chance, &seeds.inputs).map(Vec::as_slice).unwrap_or_default();
            let (start, end) = piece(other, chance);
            drop(input.splice(at..at, other[start..end].iter().copied()));
        }
        9 => {
            let (start, end) = piece(input, chance);
            let copy = input[start..end].to_vec();
            drop(input.splice(at..at, copy));
        }
        10 => number(input, at, chance),
        11 => swap_lines(input, chance),
        _ => repeat(input, seeds, chance, max_bytes),
    }
}

/// Replaces the next run of digits by another number.
fn number(input: &mut Vec<u8>, at: usize, chance: &mut Chance) {
    let Some(start) = input[at..].iter().position(u8::is_ascii_digit).map(|offset| at + offset) else { return };
    let end = input[start..].iter().position(|byte| !byte.is_ascii_digit()).map_or(input.len(), |n| start + n);
    if let Some(new) = pick(chance, NUMBERS) {
        drop(input.splice(start..end, new.bytes()));
    }
}

fn swap_lines(input: &mut Vec<u8>, chance: &mut Chance) {
    let mut lines: Vec<Vec<u8>> = input.split_inclusive(|byte| *byte == b'\n').map(<[u8]>::to_vec).collect();
    let (a, b) = (chance.below(lines.len()), chance.below(lines.len()));
    if a != b {
        lines.swap(a, b);
        *input = lines.concat();
    }
}

/// Repeats a piece or a word, sometimes until there is no more room.
fn repeat(input: &mut Vec<u8>, seeds: &Seeds, chance: &mut Chance, max_bytes: usize) {
    let (start, end) = piece(input, chance);
    let mut copy = input[start..end].to_vec();
    if chance.below(2) == 0
        && let Some(word) = pick(chance, &seeds.words)
    {
        copy.clone_from(word);
    }
    if copy.is_empty() {
        return;
    }
    let room = max_bytes.saturating_sub(input.len()) / copy.len();
    let times = if chance.below(4) == 0 { room } else { room.min(1 + chance.below(300)) };
    drop(input.splice(start..start, copy.repeat(times)));
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seeds() -> Seeds {
        Seeds { inputs: vec![b"GET /a?b=17 HTTP/1.1\r\n".to_vec(), vec![]], words: vec![b"chunked".to_vec()] }
    }

    #[test]
    fn ours_seed_and_round_fix_an_input() {
        let all = |seed| (0..500).map(|round| input(&seeds(), seed, round, 4_096)).collect::<Vec<_>>();
        assert_eq!(all(1), all(1));
        assert_ne!(all(1), all(2));
    }

    #[test]
    fn ours_inputs_differ_stay_within_the_cap_and_fill_it_at_times() {
        let mut inputs: Vec<Vec<u8>> = (0..2_000).map(|round| input(&seeds(), 1, round, 4_096)).collect();
        assert!(inputs.iter().all(|input| input.len() <= 4_096));
        assert!(inputs.iter().any(|input| input.len() > 4_000));
        assert!(inputs.iter().any(|input| memchr::memmem::find(input, b"chunked").is_some()));
        assert!(inputs.contains(&seeds().inputs[0]), "a seed as it is");
        inputs.sort();
        inputs.dedup();
        assert!(inputs.len() > 1_000, "{} different inputs", inputs.len());
    }
}
