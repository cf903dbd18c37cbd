//! Bodies that are small on the wire and enormous unpacked.

use std::io::Write;

use flate2::Compression;
use flate2::write::GzEncoder;

use super::{Cage, plain};

/// 64 MiB of zeros, packed by brotli.
pub const BROTLI: [u8; 54] = [
    0xcf, 0xff, 0xff, 0x7f, 0xf8, 0x27, 0x00, 0xe2, 0xb1, 0x40, 0x20, 0xf7, 0xfe, 0x9f, 0xff, 0xff, 0xff, 0xf0, 0x4f,
    0x00, 0xc4, 0x61, 0x01, 0x80, 0xee, 0xfd, 0x3f, 0xff, 0xff, 0xff, 0xe1, 0x9f, 0x00, 0x88, 0xc3, 0x22, 0x00, 0xdd,
    0xfb, 0x7f, 0xfe, 0xff, 0xff, 0xc3, 0x3f, 0x01, 0x10, 0x87, 0x05, 0x00, 0xba, 0xf7, 0xff, 0x03,
];

/// So many zeros, packed by gzip.
pub fn gzip(bytes: usize) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    let zeros = vec![0; 1 << 20];
    for _ in 0..bytes >> 20 {
        encoder.write_all(&zeros).unwrap();
    }
    encoder.finish().unwrap()
}

/// Sends a packed body.
pub async fn throws(coding: &str, body: &[u8]) -> Cage {
    let length = body.len();
    let head = format!("HTTP/1.1 200 OK\r\nContent-Encoding: {coding}\r\nContent-Length: {length}\r\n\r\n");
    plain::says([head.as_bytes(), body].concat()).await
}
