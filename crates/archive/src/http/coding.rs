//! Which body is packed in these bytes? (RFC 9110, section 8.4)
//!
//! The bytes are asked before the header is believed: tools keep unpacked bodies under `Content-Encoding: gzip`. Only
//! brotli has no mark by which to know it, so a body that cannot be unpacked at all is given as it came.

use std::borrow::Cow;
use std::io::{self, Read};

use super::{BodyFault, Decoded};
use crate::Caps;

/// More layers than this are a game, not a page.
const MAX_LAYERS: usize = 4;
/// Bytes that a body may become before its ratio is looked at.
const RATIO_FREE_BYTES: usize = 1 << 20;
/// The largest window of zstd, as a power of two: 8 MiB, what RFC 9659 allows on the web.
const ZSTD_WINDOW_LOG: u32 = 23;
const BROTLI_BUFFER_BYTES: usize = 1 << 12;

/// Undoes the codings, which were applied in the order of `codings`.
pub(super) fn undo(decoded: &mut Decoded<'_>, codings: &[String], caps: &Caps) {
    let layers = codings.iter().rev().filter(|c| !matches!(c.as_str(), "identity" | "chunked" | "none" | "utf-8"));
    for (depth, coding) in layers.enumerate() {
        if depth == MAX_LAYERS {
            decoded.fault = decoded.fault.or(Some(BodyFault::UnknownCoding));
            return;
        }
        let Unpacked { body, fault } = match unpack(coding, &decoded.body, caps) {
            Ok(Some(unpacked)) => unpacked,
            Ok(None) => continue,
            Err(fault) => {
                decoded.fault = decoded.fault.or(Some(fault));
                return;
            }
        };
        decoded.body = Cow::Owned(body);
        decoded.fault = decoded.fault.or(fault);
    }
}

struct Unpacked {
    body: Vec<u8>,
    fault: Option<BodyFault>,
}

/// None: the bytes are not packed so.
fn unpack(coding: &str, body: &[u8], caps: &Caps) -> Result<Option<Unpacked>, BodyFault> {
    if body.is_empty() {
        return Ok(None);
    }
    Ok(match (coding, body) {
        ("gzip" | "x-gzip", [0x1f, 0x8b, ..]) => {
            Some(read_capped(flate2::bufread::MultiGzDecoder::new(body), body, caps))
        }
        // A zlib stream by the standard; some servers send bare deflate.
        ("deflate", [method, flags, ..]) if is_zlib_head(*method, *flags) => {
            Some(read_capped(flate2::bufread::ZlibDecoder::new(body), body, caps))
        }
        ("deflate", _) => some_text(read_capped(flate2::bufread::DeflateDecoder::new(body), body, caps)),
        ("zstd", [0x28, 0xb5, 0x2f, 0xfd, ..]) => {
            let mut decoder = zstd::Decoder::with_buffer(body).map_err(|_| BodyFault::Damaged)?;
            decoder.window_log_max(ZSTD_WINDOW_LOG).map_err(|_| BodyFault::Damaged)?;
            Some(read_capped(decoder, body, caps))
        }
        ("br", _) => {
            some_text(read_capped(brotli_decompressor::Decompressor::new(body, BROTLI_BUFFER_BYTES), body, caps))
        }
        ("gzip" | "x-gzip" | "zstd", _) => None,
        _ => return Err(BodyFault::UnknownCoding),
    })
}

/// Where nothing at all comes out, the bytes were not packed.
fn some_text(unpacked: Unpacked) -> Option<Unpacked> {
    (!unpacked.body.is_empty() || unpacked.fault.is_none()).then_some(unpacked)
}

fn is_zlib_head(method: u8, flags: u8) -> bool {
    method & 0x0f == 8 && method >> 4 <= 7 && u16::from_be_bytes([method, flags]).is_multiple_of(31)
}

/// One byte more than the cap tells that there is more.
fn read_capped(mut decoder: impl Read, packed: &[u8], caps: &Caps) -> Unpacked {
    let ratio = usize::try_from(caps.ratio).unwrap_or(usize::MAX);
    let cap = caps.body_bytes.min(packed.len().saturating_mul(ratio).max(RATIO_FREE_BYTES));
    let mut body = Vec::new();
    let mut step = [0; 1 << 13];
    loop {
        match decoder.read(&mut step) {
            Ok(0) => return Unpacked { body, fault: None },
            Ok(n) => body.extend_from_slice(&step[..n]),
            Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
            Err(_) => return Unpacked { body, fault: Some(BodyFault::Damaged) },
        }
        if body.len() > cap {
            body.truncate(cap);
            return Unpacked { body, fault: Some(BodyFault::TooLong) };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    use flate2::Compression;

    const TEXT: &[u8] = b"<p>the same words, the same words, the same words</p>";

    fn of(body: &[u8], codings: &[&str], caps: &Caps) -> (Vec<u8>, Option<BodyFault>) {
        let codings: Vec<String> = codings.iter().map(|c| (*c).to_owned()).collect();
        let mut decoded = Decoded { body: Cow::Borrowed(body), fault: None };
        undo(&mut decoded, &codings, caps);
        (decoded.body.into_owned(), decoded.fault)
    }

    fn gzip(text: &[u8]) -> Vec<u8> {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), Compression::default());
        encoder.write_all(text).unwrap();
        encoder.finish().unwrap()
    }

    fn zlib(text: &[u8]) -> Vec<u8> {
        let mut encoder = flate2::write::ZlibEncoder::new(Vec::new(), Compression::default());
        encoder.write_all(text).unwrap();
        encoder.finish().unwrap()
    }

    /// A stream of one block that is not compressed: our decoder must not need an encoder to be tested.
    fn brotli(text: &[u8]) -> Vec<u8> {
        // Window bits 16 (one bit, 0); then a block: not the last, length in four nibbles, not compressed.
        let length = text.len() as u32 - 1;
        let bits: u32 = length << 4 | 1 << 20;
        let mut stream = bits.to_le_bytes()[..3].to_vec();
        stream.extend_from_slice(text);
        stream.push(3);
        stream
    }

    #[test]
    fn rfc9110_codings_are_undone_from_the_last_to_the_first() {
        let caps = Caps::default();
        let zstd = zstd::encode_all(TEXT, 3).unwrap();
        let zlib_body = zlib(TEXT);
        let bare = &zlib_body[2..zlib_body.len() - 4];
        for (body, codings) in [
            (gzip(TEXT), &["gzip"][..]),
            (gzip(TEXT), &["x-gzip"]),
            ([gzip(&TEXT[..9]), gzip(&TEXT[9..])].concat(), &["gzip"]),
            (zlib_body.clone(), &["deflate"]),
            (bare.to_vec(), &["deflate"]),
            (zstd.clone(), &["zstd"]),
            (brotli(TEXT), &["br"]),
            (gzip(&zstd), &["zstd", "gzip"]),
            (TEXT.to_vec(), &["identity"]),
        ] {
            assert_eq!(of(&body, codings, &caps), (TEXT.to_vec(), None), "{codings:?}");
        }
    }

    #[test]
    fn ours_bodies_that_are_not_packed_are_left_alone() {
        for coding in ["gzip", "deflate", "zstd", "br"] {
            assert_eq!(of(TEXT, &[coding], &Caps::default()), (TEXT.to_vec(), None), "{coding}");
            assert_eq!(of(b"", &[coding], &Caps::default()), (vec![], None), "{coding}");
        }
    }

    #[test]
    fn ours_damage_gives_the_beginning_and_unknown_codings_the_whole() {
        let text: Vec<u8> = (0..50_000_u32).flat_map(|i| (i * i).to_le_bytes()).collect();
        let packed = gzip(&text);
        let (body, fault) = of(&packed[..packed.len() / 2], &["gzip"], &Caps::default());
        assert_eq!(fault, Some(BodyFault::Damaged));
        assert!(!body.is_empty() && text.starts_with(&body));
        assert_eq!(of(TEXT, &["rot13"], &Caps::default()), (TEXT.to_vec(), Some(BodyFault::UnknownCoding)));
    }

    #[test]
    fn ours_bombs_stop_at_the_caps() {
        let zeros = vec![0; 8 << 20];
        let caps = Caps { body_bytes: 4 << 20, ..Caps::default() };
        let (body, fault) = of(&gzip(&zeros), &["gzip"], &caps);
        assert_eq!((body.len(), fault), (4 << 20, Some(BodyFault::TooLong)));
        let packed = zstd::encode_all(&zeros[..], 19).unwrap();
        assert!(packed.len() < 2_000, "zstd packs zeros better than any ratio that is allowed");
        let (body, fault) = of(&packed, &["zstd"], &Caps { ratio: 100, ..Caps::default() });
        assert_eq!((body.len(), fault), (RATIO_FREE_BYTES, Some(BodyFault::TooLong)));
        let layers = ["gzip"; 9];
        let mut body = TEXT.to_vec();
        for _ in layers {
            body = gzip(&body);
        }
        assert_eq!(of(&body, &layers, &Caps::default()).1, Some(BodyFault::UnknownCoding));
    }
}
