//! Cookies: what a server may set, and what it is sent then.

use super::client::Line;

/// As the client documents it.
const COOKIE_HEADER_BYTES: usize = 8 << 10;

/// Each line of the input is one `Set-Cookie`. What is sent back is short, plain, and only for who set it.
pub(super) fn set(input: &[u8]) {
    let mut head = b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n".to_vec();
    for line in input.split(|byte| *byte == b'\n').take(60) {
        let plain: Vec<u8> = line.iter().copied().filter(|byte| *byte != b'\r' && *byte != 0).collect();
        head.extend([b"Set-Cookie: ", plain.as_slice(), b"\r\n"].concat());
    }
    head.extend(b"\r\n");
    Line::with(|line| {
        let (host, other) = (line.new_host(), line.new_host());
        if line.ask(&host, "/a/b", &[&head]).answer.is_err() {
            return;
        }
        let done: &[u8] = b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n";
        for path in ["/a/b/c", "/"] {
            cookies_hold(&line.ask(&host, path, &[done]).request);
        }
        let request = line.ask(&other, "/a/b", &[done]).request;
        assert!(memchr::memmem::find(&request, b"\r\nCookie: ").is_none(), "a cookie of another site");
    });
}

fn cookies_hold(request: &[u8]) {
    let Some(start) = memchr::memmem::find(request, b"\r\nCookie: ") else { return };
    let value = &request[start + 10..];
    let end = memchr::memmem::find(value, b"\r\n").expect("a line of a head ends");
    let value = &value[..end];
    assert!((1..=COOKIE_HEADER_BYTES).contains(&value.len()), "{} bytes", value.len());
    assert!(!value.iter().any(u8::is_ascii_control));
}
