//! How do logs break? Bytes lost, added or doubled, lines cut or joined, files split anywhere, archives cut short.

use std::io::Write;

use flate2::Compression;
use flate2::write::GzEncoder;

use crate::random::Random;

/// Bytes that mean something to a parser, or nothing to anybody.
const BYTES: &[u8] = b"\0\t\r \"\\[]%/?#&=:@-\x1b\x7f\x80\xc3\xff";

/// Whole lines that are not log lines.
const LINES: [&[u8]; 6] = [
    b"",
    b"\r",
    b"#Fields: date time cs-uri-stem",
    b"{\"not\":\"a log\"}",
    b"10.0.0.1 - - [99/Foo/0000:99:99:99 +9999] \"GET / HTTP/1.1\" 200 1 \"-\" \"-\"",
    b"10.0.0.1 - - [26/Jan/2019:00:00:00 +0000] \"\" 99999999999999999999 -1 \"-\" \"-\"",
];

/// A line as long as this is an attack; readers cap it.
const LONG_LINE_BYTES: usize = 3 << 20;

/// Damages about one line in `one_in`; the others stay as they are.
pub(super) fn lines(random: &mut Random, log: &[u8], one_in: usize) -> Vec<u8> {
    let mut damaged = Vec::with_capacity(log.len());
    for line in log.split_inclusive(|byte| *byte == b'\n') {
        if !random.one_in(one_in) {
            damaged.extend_from_slice(line);
            continue;
        }
        let mut line = line.to_vec();
        match random.below(9) {
            0 => line.truncate(random.below(line.len())),
            1 => {
                line.remove(random.below(line.len()));
            }
            2 | 3 => {
                for _ in 0..=random.below(4) {
                    line.insert(random.below(line.len() + 1), *random.pick(BYTES));
                }
            }
            4 => {
                let place = random.below(line.len());
                line[place] = random.next() as u8;
            }
            5 => line.extend_from_slice(&line.clone()),
            6 => {
                line = random.pick(&LINES).to_vec();
                line.push(b'\n');
            }
            7 => line.insert(line.len().saturating_sub(1), b'\r'),
            _ => line.rotate_left(random.below(20)),
        }
        damaged.extend_from_slice(&line);
    }
    if random.one_in(10) {
        damaged.resize(damaged.len() + LONG_LINE_BYTES, b'a');
        damaged.push(b'\n');
    }
    if random.one_in(3) {
        damaged.pop();
    }
    damaged
}

/// Cuts the log into up to four parts, at line ends or anywhere.
pub(super) fn split(random: &mut Random, log: &[u8]) -> Vec<Vec<u8>> {
    let mut cuts: Vec<usize> = (0..random.below(4)).map(|_| random.below(log.len() + 1)).collect();
    if random.one_in(2) {
        let line_end = |cut: &mut usize| {
            *cut = log[*cut..].iter().position(|byte| *byte == b'\n').map_or(log.len(), |at| *cut + at + 1);
        };
        cuts.iter_mut().for_each(line_end);
    }
    cuts.extend([0, log.len()]);
    cuts.sort_unstable();
    cuts.windows(2).map(|pair| log[pair[0]..pair[1]].to_vec()).collect()
}

/// The part as a file: plain, gzip of one or more members, or gzip cut short. Returns the name's ending and the bytes.
pub(super) fn pack(random: &mut Random, part: &[u8]) -> (&'static str, Vec<u8>) {
    if random.one_in(2) {
        return ("log", part.to_vec());
    }
    let middle = if random.one_in(3) { random.below(part.len() + 1) } else { part.len() };
    let mut packed = gzip(&part[..middle]);
    if middle < part.len() {
        packed.extend(gzip(&part[middle..]));
    }
    if random.one_in(3) {
        packed.truncate(random.below(packed.len() + 1));
    }
    ("log.gz", packed)
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(bytes).and_then(|()| encoder.finish()).expect("a vector takes every byte")
}

#[cfg(test)]
mod tests {
    use std::io::Read;

    use super::*;

    #[test]
    fn parts_make_the_whole() {
        let log = b"one\ntwo\nthree\n".repeat(20);
        for seed in 0..50 {
            assert_eq!(split(&mut Random::new(seed), &log).concat(), log);
        }
        assert_eq!(split(&mut Random::new(1), b"").concat(), b"");
    }

    #[test]
    fn damage_is_fixed_by_the_seed() {
        let log = b"10.0.0.1 - - [x] \"GET / HTTP/1.1\" 200\n".repeat(50);
        for seed in 0..50 {
            assert_eq!(lines(&mut Random::new(seed), &log, 3), lines(&mut Random::new(seed), &log, 3));
        }
        assert_ne!(lines(&mut Random::new(1), &log, 3), log);
    }

    #[test]
    fn gzip_unfolds() {
        let mut text = Vec::new();
        flate2::read::MultiGzDecoder::new(&gzip(b"abc")[..]).read_to_end(&mut text).unwrap();
        assert_eq!(text, b"abc");
    }
}
