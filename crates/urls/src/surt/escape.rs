//! How is a text percent-encoded as little as possible, and always alike?

/// Undoes percent-encoding until there is none left, in one pass: a byte that completes `%41` takes the place of the
/// three, and may complete another. The result does not depend on the order, since two such triples never overlap.
pub(super) fn unescaped(text: &[u8]) -> Vec<u8> {
    let mut out: Vec<u8> = Vec::with_capacity(text.len());
    for byte in text {
        out.push(*byte);
        while let [.., b'%', high, low] = out.as_slice()
            && let (Some(high), Some(low)) = (digit(*high), digit(*low))
        {
            out.truncate(out.len() - 3);
            out.push(high << 4 | low);
        }
    }
    out
}

/// Encodes white space, control characters, `%`, `#` and everything that is not ASCII; nothing else.
pub(super) fn escaped(bytes: &[u8]) -> String {
    const DIGITS: [u8; 16] = *b"0123456789abcdef";
    let mut out = String::with_capacity(bytes.len());
    for byte in bytes {
        if byte.is_ascii_graphic() && !matches!(byte, b'%' | b'#') {
            out.push(char::from(*byte));
        } else {
            out.push('%');
            out.push(char::from(DIGITS[usize::from(byte >> 4)]));
            out.push(char::from(DIGITS[usize::from(byte & 15)]));
        }
    }
    out
}

fn digit(byte: u8) -> Option<u8> {
    char::from(byte).to_digit(16).and_then(|d| u8::try_from(d).ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ours_encoding_is_undone_to_the_bottom_and_redone_once() {
        for (text, plain, key) in [
            ("%41", "A", "A"),
            ("%2525", "%", "%25"),
            ("%4%31", "A", "A"),
            ("%%341", "A", "A"),
            ("%zz%1", "%zz%1", "%25zz%251"),
            ("a%20b#", "a b#", "a%20b%23"),
        ] {
            assert_eq!(unescaped(text.as_bytes()), plain.as_bytes(), "{text}");
            assert_eq!(escaped(plain.as_bytes()), key);
        }
    }
}
