//! Bodies that are small on the wire and enormous unpacked.

use std::io::Write;

use flate2::Compression;
use flate2::write::GzEncoder;

use super::{Cage, plain};

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
