//! How to make a log of any size out of a small one?
//!
//! In rounds. Each round writes every line of the corpus once, log after log, with two changes:
//!
//! - the day is `r` days later in round `r`; time of day and zone stay;
//! - the client is somebody new. Client `i` of `n` gets the address `10.x`, with `x = mix(b·n + i mod 2²⁴)`. `mix` is a
//!   fixed bijection of 24 bits, and `b` counts the rounds with new people. So within a round an address stays an
//!   address, and two rounds share none until 2²⁴ are used up.
//! - Every fourth round keeps the people of the round before it (`b` does not grow), so that returning users occur.
//!
//! The output is a function of the corpus and the size alone. It goes out in large pieces, at some hundred MB a
//! second, so that a reader on the other end of a pipe is not kept waiting.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use super::corpus::{Corpus, Template};
use super::date;

/// Raise it when the same corpus and size give other bytes: stored logs are found by it.
const VERSION: u32 = 1;

/// Lines are gathered to pieces of this size.
const PIECE_BYTES: usize = 1 << 20;

const ADDRESS_BITS: u32 = 24;

/// What was written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Written {
    pub(super) lines: u64,
    pub(super) bytes: u64,
}

/// Writes whole lines up to `size` bytes.
pub(super) fn write(corpus: &Corpus, size: u64, out: &mut impl Write) -> std::io::Result<Written> {
    let mut written = Written::default();
    let mut piece = Vec::with_capacity(PIECE_BYTES + (64 << 10));
    let mut line = Vec::new();
    for round in 0.. {
        for template in &corpus.templates {
            line.clear();
            render(corpus, template, round, &mut line);
            if written.bytes + line.len() as u64 > size {
                out.write_all(&piece)?;
                out.flush()?;
                return Ok(written);
            }
            written.lines += 1;
            written.bytes += line.len() as u64;
            piece.extend_from_slice(&line);
            if piece.len() >= PIECE_BYTES {
                out.write_all(&piece)?;
                piece.clear();
            }
        }
        if corpus.templates.is_empty() {
            break;
        }
    }
    Ok(written)
}

/// The path of a log of `size` bytes below `folder`, made now unless it is there from an earlier run.
pub(super) fn stored(corpus: &Corpus, size: u64, folder: &Path) -> Result<(PathBuf, Written)> {
    std::fs::create_dir_all(folder)?;
    let path = folder.join(format!("combined-v{VERSION}-{}-{size}.log", corpus.origin.name()));
    let count = path.with_extension("lines");
    let known = std::fs::read_to_string(&count).ok().and_then(|text| text.trim().parse().ok());
    if let (Some(lines), Ok(metadata)) = (known, path.metadata()) {
        return Ok((path, Written { lines, bytes: metadata.len() }));
    }
    eprintln!("making {}", path.display());
    // Under another name until it is whole: a run that was stopped leaves no half log to be trusted.
    let partial = path.with_extension("partial");
    let file = File::create(&partial).with_context(|| format!("could not write {}", partial.display()))?;
    let written = write(corpus, size, &mut BufWriter::with_capacity(4 * PIECE_BYTES, file))?;
    std::fs::rename(&partial, &path)?;
    std::fs::write(&count, written.lines.to_string())?;
    Ok((path, written))
}

fn render(corpus: &Corpus, template: &Template, round: u32, line: &mut Vec<u8>) {
    let address = address(template.client, corpus.clients, round);
    let (before, after) = corpus.pieces(template);
    put_address(address, line);
    line.extend_from_slice(before);
    line.extend_from_slice(&date::format(template.day + i64::from(round)));
    line.extend_from_slice(after);
    line.push(b'\n');
}

/// The low 24 bits of the client's address in this round.
fn address(client: u32, clients: u32, round: u32) -> u32 {
    let people = u64::from(round - (round + 1) / 4);
    let mask = (1 << ADDRESS_BITS) - 1;
    let number = (people * u64::from(clients) + u64::from(client)) as u32 & mask;
    // Odd factors and a shift by half the bits: each step can be undone, so the whole is a bijection.
    let mixed = number.wrapping_mul(0x9e_3779) & mask;
    let mixed = mixed ^ (mixed >> (ADDRESS_BITS / 2));
    mixed.wrapping_mul(0x85_ebcb) & mask
}

fn put_address(address: u32, line: &mut Vec<u8>) {
    line.extend_from_slice(b"10");
    for byte in &address.to_be_bytes()[1..] {
        line.push(b'.');
        if *byte >= 100 {
            line.push(b'0' + byte / 100);
        }
        if *byte >= 10 {
            line.push(b'0' + byte / 10 % 10);
        }
        line.push(b'0' + byte % 10);
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::super::corpus::{Origin, Tail};
    use super::*;

    fn corpus() -> Corpus {
        let mut corpus = Corpus::empty(Origin::Synthetic);
        let log = "10.9.9.1 - - [30/Jan/2019:10:00:00 +0330] \"GET /a HTTP/1.1\" 200 1 \"-\" \"x\"\n\
                   10.9.9.2 - - [31/Jan/2019:10:00:01 +0330] \"GET /b HTTP/1.1\" 200 1 \"-\" \"y\"\n";
        corpus.add(log.as_bytes(), Tail::Combined).unwrap();
        corpus
    }

    fn lines(size: u64) -> Vec<String> {
        let mut out = Vec::new();
        let written = write(&corpus(), size, &mut out).unwrap();
        assert_eq!(written.bytes, out.len() as u64);
        let lines: Vec<String> = String::from_utf8(out).unwrap().lines().map(str::to_owned).collect();
        assert_eq!(written.lines, lines.len() as u64);
        lines
    }

    #[test]
    fn the_size_is_kept_and_lines_are_whole() {
        let lines = lines(1000);
        assert!(lines.iter().map(|line| line.len() + 1).sum::<usize>() <= 1000);
        assert!(lines.len() > 10 && lines.iter().all(|line| line.ends_with('"')));
    }

    #[test]
    fn days_move_on_by_one_a_round() {
        let lines = lines(2000);
        assert!(lines[0].contains("[30/Jan/2019:10:00:00 +0330] \"GET /a HTTP/1.1\" 200 1 \"-\" \"x\""));
        assert!(lines[2].contains("[31/Jan/2019:10:00:00 +0330]"));
        assert!(lines[4].contains("[01/Feb/2019:10:00:00 +0330]"));
    }

    #[test]
    fn people_are_new_each_round_but_return_in_every_fourth() {
        let of = |round| (0..100).map(|client| address(client, 100, round)).collect::<HashSet<_>>();
        assert_eq!(of(2), of(3));
        assert_eq!(of(6), of(7));
        for (a, b) in [(0, 1), (1, 2), (3, 4), (0, 9)] {
            assert!(of(a).is_disjoint(&of(b)), "{a} {b}");
        }
    }

    #[test]
    fn the_mix_is_a_bijection() {
        let clients = 1 << ADDRESS_BITS;
        let mut seen = vec![false; clients as usize];
        for client in 0..clients {
            let place = &mut seen[address(client, clients, 0) as usize];
            assert!(!*place);
            *place = true;
        }
    }

    #[test]
    fn a_stored_log_is_found_again() {
        let folder = tempfile::tempdir().unwrap();
        let (path, first) = stored(&corpus(), 1000, folder.path()).unwrap();
        let (again, second) = stored(&corpus(), 1000, folder.path()).unwrap();
        assert_eq!((path, first), (again, second));
    }

    #[test]
    fn an_empty_corpus_ends() {
        let written = write(&Corpus::empty(Origin::Synthetic), 10, &mut Vec::new()).unwrap();
        assert_eq!(written, Written::default());
    }
}
