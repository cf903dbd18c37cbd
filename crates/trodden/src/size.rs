//! Sizes as people write them: 1GiB, 500MB, 2g, 65536.

use std::fmt;
use std::str::FromStr;

/// A number of bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Bytes(pub(crate) u64);

impl FromStr for Bytes {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let digits = text.trim().trim_end_matches(|c: char| c.is_ascii_alphabetic());
        let unit = text.trim()[digits.len()..].to_ascii_lowercase();
        let factor: u64 = match unit.as_str() {
            "" | "b" => 1,
            "k" | "kib" => 1 << 10,
            "m" | "mib" => 1 << 20,
            "g" | "gib" => 1 << 30,
            "t" | "tib" => 1 << 40,
            "kb" => 1_000,
            "mb" => 1_000_000,
            "gb" => 1_000_000_000,
            "tb" => 1_000_000_000_000,
            _ => return Err(format!("{unit:?} is no unit; write it as 1GiB, 500MB or 65536")),
        };
        let number: u64 = digits.trim().parse().map_err(|_| "write it as 1GiB, 500MB or 65536".to_owned())?;
        let bytes = number.checked_mul(factor).ok_or("more bytes than there are")?;
        if bytes == 0 { Err("at least 1 byte".to_owned()) } else { Ok(Self(bytes)) }
    }
}

/// Units in which a size is written, the largest first.
const UNITS: [(u64, &str); 8] = [
    (1 << 40, "TiB"),
    (1_000_000_000_000, "TB"),
    (1 << 30, "GiB"),
    (1_000_000_000, "GB"),
    (1 << 20, "MiB"),
    (1_000_000, "MB"),
    (1 << 10, "KiB"),
    (1_000, "kB"),
];

/// As it can be typed: nothing is rounded.
impl fmt::Display for Bytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let whole = UNITS.iter().find(|(unit, _)| self.0 > 0 && self.0.is_multiple_of(*unit));
        match whole {
            Some((unit, name)) => write!(f, "{}{name}", self.0 / unit),
            None => write!(f, "{}", self.0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ours_sizes_are_read_as_people_write_them() {
        for (text, bytes) in
            [("1GiB", 1 << 30), ("500MB", 500_000_000), ("2g", 2 << 30), ("65536", 65_536), ("64 KiB", 65_536)]
        {
            assert_eq!(text.parse(), Ok(Bytes(bytes)), "{text}");
        }
        for text in ["1GiB", "500MB", "2kB", "64KiB", "1500", "3TB"] {
            assert_eq!(text.parse::<Bytes>().unwrap().to_string(), text);
        }
        for text in ["", "GiB", "1.5GiB", "-1", "1XB", "0", "99999999999TB"] {
            assert!(text.parse::<Bytes>().is_err(), "{text}");
        }
    }
}
