//! Chunks of a plain file, each read by the worker that claims it.
//!
//! Chunk k is the lines that *start* in its bytes. So a worker skips to the first line start, and reads on
//! past the end of the chunk to finish the last line; no line is read twice or lost, wherever chunks end.

use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;

use memchr::{memchr, memrchr};

/// Bytes of a chunk: small enough to be still in the core's own cache when it is parsed. With a mebibyte the system took
/// half as much time again to copy it.
pub(super) const CHUNK_BYTES: u64 = 1 << 17;

const STEP: usize = 1 << 13;

/// Reads the lines that start in chunk `number` of a file of `len` bytes, and returns where in the buffer the first of
/// them starts. An over-long last line is cut one byte past `line_cap`, which is how the worker sees that it is too long.
pub(super) fn read_chunk(file: &File, len: u64, number: u32, line_cap: usize, buf: &mut Vec<u8>) -> io::Result<usize> {
    let start = u64::from(number) * CHUNK_BYTES;
    let end = (start + CHUNK_BYTES).min(len);
    // One byte more before the chunk tells whether a line starts exactly at it.
    let from = start.saturating_sub(1);
    read_span(file, from, end, buf)?;
    let mut skip = 0;
    if number > 0 {
        match memchr(b'\n', buf) {
            Some(i) => skip = i + 1,
            None => {
                buf.clear();
                return Ok(0);
            }
        }
    }
    if end == len || buf.len() == skip || buf.last() == Some(&b'\n') {
        return Ok(skip);
    }
    let mut at = end;
    let last_line = memrchr(b'\n', buf).map_or(0, |i| i + 1);
    let mut step = Vec::new();
    while at < len && buf.len() - last_line <= line_cap {
        let to = (at + STEP as u64).min(len);
        read_span(file, at, to, &mut step)?;
        if step.is_empty() {
            break;
        }
        if let Some(i) = memchr(b'\n', &step) {
            buf.extend_from_slice(&step[..=i]);
            return Ok(skip);
        }
        buf.extend_from_slice(&step);
        at += step.len() as u64;
    }
    buf.truncate((last_line + line_cap + 1).min(buf.len()));
    Ok(skip)
}

fn read_span(file: &File, from: u64, to: u64, buf: &mut Vec<u8>) -> io::Result<()> {
    let len = usize::try_from(to - from).map_err(io::Error::other)?;
    buf.resize(len, 0);
    let mut at = 0;
    while at < len {
        match file.read_at(&mut buf[at..], from + at as u64) {
            // The file shrank while we read: what is there counts.
            Ok(0) => break,
            Ok(n) => at += n,
            Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
            Err(e) => return Err(e),
        }
    }
    buf.truncate(at);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    #[test]
    fn ours_chunks_hold_every_line_once_wherever_they_end() {
        for longest in [10, 3_000, 70_000] {
            let mut text = Vec::new();
            let mut x = 7_u64;
            while text.len() < 3 * CHUNK_BYTES as usize {
                x = x.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                text.resize(text.len() + (x >> 33) as usize % longest, b'a');
                text.push(b'\n');
            }
            text.extend_from_slice(b"no newline at the end");
            let mut file = tempfile::tempfile().unwrap();
            file.write_all(&text).unwrap();
            let len = text.len() as u64;
            let cut = |bytes: &[u8]| -> Vec<Vec<u8>> {
                let lines = bytes.strip_suffix(b"\n").unwrap_or(bytes).split(|b| *b == b'\n');
                lines.map(|l| l[..l.len().min((1 << 16) + 1)].to_vec()).collect()
            };
            let mut lines = Vec::new();
            let mut buf = Vec::new();
            for number in 0..=u32::try_from((len - 1) / CHUNK_BYTES).unwrap() {
                let skip = read_chunk(&file, len, number, 1 << 16, &mut buf).unwrap();
                if buf.len() > skip {
                    lines.extend(cut(&buf[skip..]));
                }
            }
            assert!(lines == cut(&text), "lines of at most {longest} bytes");
        }
    }
}
