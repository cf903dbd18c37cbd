//! Which bytes does the file hold once it is unpacked, and where is it damaged?
//!
//! Plain, gzip and zstd are told by content. Gzip is unpacked a member at a time, for two reasons: a damaged member must
//! not cost those after it, and where a member ends a record ends too.
//!
//! After a fault the tape is wound back, never before the member's own start nor before the place of the fault before it
//! (so no byte is unpacked more than twice), and the next bytes that look like the head of a member are tried. Zstd
//! frames are not searched for: after a fault nothing more is read. Zstd with a dictionary kept in the file is not unpacked:
//! it counts as damage.

use std::io::{self, BufRead, Read};

use flate2::bufread::GzDecoder;

use super::tape::Tape;
use crate::caps::RATIO_FREE_BYTES;

/// The largest window of zstd that is served, as a power of two: 128 MiB, what the tool itself allows by default.
const ZSTD_WINDOW_LOG: u32 = 27;
/// How a member starts.
const MAGIC: [u8; 2] = [0x1f, 0x8b];
/// Enough of a member's head to know it: magic, method, flags, time, extra flags.
const MEMBER_HEAD: usize = 9;

/// What came out of one read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Piece {
    /// So many bytes, all of one member.
    Bytes(usize),
    /// A member ends here, checked and whole.
    MemberEnd,
    /// Nothing more.
    End,
}

/// Why the bytes do not go on as they should.
#[derive(Debug)]
pub(super) enum Break {
    /// Compressed data that is none. Reading goes on after it if anything can be found.
    Damage,
    /// One byte became too many. Nothing more is read.
    Bomb,
    /// The input itself failed. Nothing more is read.
    Input(io::Error),
}

enum State<R: Read> {
    Unknown(Tape<R>),
    Plain(Tape<R>),
    /// Before a member.
    Between(Tape<R>),
    Inside(Box<GzDecoder<Tape<R>>>),
    Zstd(Box<zstd::Decoder<'static, Tape<R>>>),
    Done,
}

pub(super) struct Unpacker<R: Read> {
    state: State<R>,
    ratio: u64,
    given: u64,
    member_start: u64,
    /// Where the last fault was seen: the tape is not wound back beyond it.
    floor: u64,
    /// After a fault: what is passed over now is part of the damage that was told already.
    hunting: bool,
}

impl<R: Read> Unpacker<R> {
    pub(super) fn new(input: R, ratio: u64) -> Self {
        let state = State::Unknown(Tape::new(input));
        Self { state, ratio: ratio.max(1), given: 0, member_start: 0, floor: 0, hunting: false }
    }

    /// Whether the file is compressed, as far as is known.
    pub(super) fn is_packed(&self) -> bool {
        !matches!(self.state, State::Unknown(_) | State::Plain(_))
    }

    pub(super) fn read(&mut self, out: &mut [u8]) -> Result<Piece, Break> {
        loop {
            match std::mem::replace(&mut self.state, State::Done) {
                State::Done => return Ok(Piece::End),
                State::Unknown(tape) => self.state = sniff(tape)?,
                State::Plain(mut tape) => {
                    let n = read_on(&mut tape, out).map_err(|e| input_fault(&mut tape, e))?;
                    if n == 0 {
                        return Ok(Piece::End);
                    }
                    self.state = State::Plain(tape);
                    return Ok(Piece::Bytes(n));
                }
                State::Between(tape) => {
                    if !self.seek_member(tape)? {
                        return Err(Break::Damage);
                    }
                }
                State::Inside(decoder) => return self.read_member(decoder, out),
                State::Zstd(decoder) => return self.read_zstd(decoder, out),
            }
        }
    }

    /// Goes to the next member. False: something else was passed over, and that was not told yet.
    fn seek_member(&mut self, mut tape: Tape<R>) -> Result<bool, Break> {
        let mut is_padding = true;
        let mut passed_over = self.hunting;
        loop {
            if let Err(e) = tape.peek(MEMBER_HEAD) {
                return Err(input_fault(&mut tape, e));
            }
            let ready = tape.ready();
            if ready.is_empty() {
                // The state stays `Done`.
                return Ok(is_padding || self.hunting);
            }
            let at = memchr::memchr(0x1f, ready).unwrap_or(ready.len());
            is_padding &= ready[..at].iter().all(|b| *b == 0);
            if at == 0 && (looks_like_member(ready) || !passed_over && ready.starts_with(&MAGIC)) {
                break;
            }
            is_padding &= at > 0;
            passed_over = true;
            tape.consume(at.max(1));
        }
        let told = is_padding || self.hunting;
        self.hunting = false;
        self.member_start = tape.place();
        #[expect(
            clippy::disallowed_methods,
            reason = "one member is what is wanted: the next may be whole after damage"
        )]
        let decoder = GzDecoder::new(tape);
        self.state = State::Inside(Box::new(decoder));
        Ok(told)
    }

    fn read_member(&mut self, mut decoder: Box<GzDecoder<Tape<R>>>, out: &mut [u8]) -> Result<Piece, Break> {
        match read_on(&mut decoder, out) {
            Ok(0) => {
                self.state = State::Between(decoder.into_inner());
                Ok(Piece::MemberEnd)
            }
            Ok(n) => {
                self.count(n, decoder.get_ref().place())?;
                self.state = State::Inside(decoder);
                Ok(Piece::Bytes(n))
            }
            Err(_) => {
                let mut tape = decoder.into_inner();
                if let Some(fault) = tape.take_fault() {
                    return Err(Break::Input(fault));
                }
                let seen = tape.place();
                tape.rewind(self.floor.max(self.member_start + 1));
                self.floor = self.floor.max(seen);
                self.hunting = true;
                self.state = State::Between(tape);
                Err(Break::Damage)
            }
        }
    }

    fn read_zstd(&mut self, mut decoder: Box<zstd::Decoder<'static, Tape<R>>>, out: &mut [u8]) -> Result<Piece, Break> {
        match read_on(&mut decoder, out) {
            Ok(0) => Ok(Piece::End),
            Ok(n) => {
                self.count(n, decoder.get_ref().place())?;
                self.state = State::Zstd(decoder);
                Ok(Piece::Bytes(n))
            }
            Err(_) => Err(decoder.finish().take_fault().map_or(Break::Damage, Break::Input)),
        }
    }

    fn count(&mut self, given: usize, taken: u64) -> Result<(), Break> {
        self.given += given as u64;
        if self.given > RATIO_FREE_BYTES && self.given / self.ratio > taken {
            return Err(Break::Bomb);
        }
        Ok(())
    }
}

fn sniff<R: Read>(mut tape: Tape<R>) -> Result<State<R>, Break> {
    let head: [u8; 4] = match tape.peek(4) {
        Ok(ready) => std::array::from_fn(|i| ready.get(i).copied().unwrap_or(0)),
        Err(e) => return Err(input_fault(&mut tape, e)),
    };
    Ok(match head {
        [0x1f, 0x8b, ..] => State::Between(tape),
        // A frame, or one that is to be skipped.
        [0x28, 0xb5, 0x2f, 0xfd] | [0x50..=0x5f, 0x2a, 0x4d, 0x18] => {
            let mut decoder = zstd::Decoder::with_buffer(tape).map_err(Break::Input)?;
            decoder.window_log_max(ZSTD_WINDOW_LOG).map_err(Break::Input)?;
            State::Zstd(Box::new(decoder))
        }
        _ => State::Plain(tape),
    })
}

/// Magic, deflate, no reserved flag, and extra flags that packers set.
fn looks_like_member(bytes: &[u8]) -> bool {
    matches!(bytes, [0x1f, 0x8b, 8, flags, _, _, _, _, extra, ..] if flags & 0xe0 == 0 && matches!(extra, 0 | 2 | 4))
}

fn read_on(input: &mut impl Read, out: &mut [u8]) -> io::Result<usize> {
    loop {
        match input.read(out) {
            Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
            other => return other,
        }
    }
}

fn input_fault<R: Read>(tape: &mut Tape<R>, error: io::Error) -> Break {
    Break::Input(tape.take_fault().unwrap_or(error))
}
