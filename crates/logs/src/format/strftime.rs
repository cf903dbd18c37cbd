//! Times that Apache writes by pattern: `%{%Y-%m-%dT%H:%M:%S%z}t`, `%{sec}t`, `%{msec_frac}t`.
//!
//! A format may spread one time over several directives (date, fraction, zone), so each [`Pattern`] adds what it
//! knows to a [`Moment`], and the line's time is what all of them come to.

use super::error::FormatError;
use super::time::{day_number, epoch_ms, month, number, offset_minutes, two};

/// One step of a pattern.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Step {
    Literal(u8),
    Year,
    ShortYear,
    Month,
    MonthName,
    Day,
    Hour,
    Minute,
    Second,
    Zone,
    /// A word that carries nothing: a weekday, a zone name.
    Word,
    /// Whole seconds since 1970, or milliseconds or microseconds: by magnitude.
    Epoch,
    /// Digits after the decimal point.
    Fraction,
}

/// A compiled time pattern.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Pattern(Vec<Step>);

/// What is known of a time so far.
#[derive(Clone, Copy, Default)]
pub(super) struct Moment {
    year: u32,
    month: u8,
    day: u8,
    hour: u8,
    minute: u8,
    second: u8,
    fraction_ms: i64,
    offset: i32,
    epoch: Option<i64>,
}

impl Moment {
    /// Milliseconds since 1970; `None` if no date is known or it does not exist.
    pub(super) fn finish(&self) -> Option<i64> {
        let ms = match self.epoch {
            Some(whole) => epoch_ms(whole, self.fraction_ms)?,
            None => {
                if self.hour > 23 || self.minute > 59 || self.second > 59 {
                    return None;
                }
                let day = day_number(self.year, self.month, self.day)?;
                let minutes = day * 1_440 + i64::from(self.hour) * 60 + i64::from(self.minute);
                (minutes - i64::from(self.offset)) * 60_000 + i64::from(self.second) * 1_000 + self.fraction_ms
            }
        };
        (0..=super::time::LATEST_MS).contains(&ms).then_some(ms)
    }
}

impl Pattern {
    /// Compiles what stands between the braces of `%{…}t`.
    pub(super) fn compile(format: &str) -> Result<Self, FormatError> {
        let format = format.strip_prefix("begin:").or_else(|| format.strip_prefix("end:")).unwrap_or(format);
        let mut steps = Vec::new();
        match format {
            "sec" | "msec" | "usec" => steps.push(Step::Epoch),
            "msec_frac" | "usec_frac" => steps.push(Step::Fraction),
            _ => {
                let mut rest = format.chars();
                while let Some(char) = rest.next() {
                    if char == '%' {
                        // `%-d` and `%_d` are the same numbers without their zero.
                        let conversion = rest.find(|char| !matches!(char, '-' | '_' | 'E' | 'O'));
                        let conversion = conversion.ok_or_else(|| FormatError::Unfinished(format.to_owned()))?;
                        convert(conversion, &mut steps)?;
                    } else {
                        let mut utf8 = [0; 4];
                        steps.extend(char.encode_utf8(&mut utf8).bytes().map(Step::Literal));
                    }
                }
            }
        }
        Ok(Self(steps))
    }

    /// Whether the pattern says which day it is.
    pub(super) fn has_date(&self) -> bool {
        self.0.contains(&Step::Epoch) || self.0.contains(&Step::Day)
    }

    /// A text of this pattern, to see which separators it holds itself.
    pub(super) fn sample(&self) -> Vec<u8> {
        let mut text = Vec::new();
        for step in &self.0 {
            match step {
                Step::Literal(byte) => text.push(*byte),
                Step::Zone => text.extend(b"+0000"),
                Step::Word | Step::MonthName => text.extend(b"Jan"),
                _ => text.extend(b"00"),
            }
        }
        text
    }

    /// Reads a whole field.
    pub(super) fn read(&self, field: &[u8], moment: &mut Moment) -> Option<()> {
        let mut rest = field;
        for step in &self.0 {
            rest = step.read(rest, moment)?;
        }
        rest.is_empty().then_some(())
    }
}

fn convert(conversion: char, steps: &mut Vec<Step>) -> Result<(), FormatError> {
    use Step::{Day, Epoch, Fraction, Hour, Literal, Minute, Month, MonthName, Second, ShortYear, Word, Year, Zone};
    match conversion {
        'Y' => steps.push(Year),
        'y' => steps.push(ShortYear),
        'm' => steps.push(Month),
        'b' | 'B' | 'h' => steps.push(MonthName),
        'd' | 'e' => steps.push(Day),
        'H' | 'k' => steps.push(Hour),
        'M' => steps.push(Minute),
        'S' => steps.push(Second),
        'z' => steps.push(Zone),
        'Z' | 'a' | 'A' => steps.push(Word),
        's' => steps.push(Epoch),
        'L' | 'f' => steps.push(Fraction),
        'F' => steps.extend([Year, Literal(b'-'), Month, Literal(b'-'), Day]),
        'T' => steps.extend([Hour, Literal(b':'), Minute, Literal(b':'), Second]),
        'R' => steps.extend([Hour, Literal(b':'), Minute]),
        'D' => steps.extend([Month, Literal(b'/'), Day, Literal(b'/'), ShortYear]),
        't' => steps.push(Literal(b'\t')),
        'n' => steps.push(Literal(b'\n')),
        '%' => steps.push(Literal(b'%')),
        other => return Err(FormatError::TimeConversion(other)),
    }
    Ok(())
}

impl Step {
    fn read<'t>(&self, text: &'t [u8], moment: &mut Moment) -> Option<&'t [u8]> {
        let mut rest = text;
        match self {
            Self::Literal(byte) => rest = text.strip_prefix(std::slice::from_ref(byte))?,
            Self::Year => {
                let (digits, after) = text.split_at_checked(4)?;
                (moment.year, rest) = (number(digits)?, after);
            }
            Self::ShortYear => {
                let year = u32::from(small(&mut rest)?);
                // POSIX: 69 to 99 are the twentieth century.
                moment.year = if year < 69 { 2000 + year } else { 1900 + year };
            }
            Self::Month => moment.month = small(&mut rest)?,
            Self::MonthName => {
                moment.month = month(text.get(..3)?)?;
                rest = word(text);
            }
            Self::Day => moment.day = small(&mut rest)?,
            Self::Hour => moment.hour = small(&mut rest)?,
            Self::Minute => moment.minute = small(&mut rest)?,
            Self::Second => moment.second = small(&mut rest)?,
            Self::Word => rest = word(text),
            Self::Zone => {
                let end = text
                    .iter()
                    .position(|byte| !matches!(byte, b'+' | b'-' | b':' | b'Z' | b'0'..=b'9'))
                    .unwrap_or(text.len());
                (moment.offset, rest) = (offset_minutes(&text[..end])?, &text[end..]);
            }
            Self::Epoch => {
                let (digits, after) = text.split_at(digits(text));
                if digits.is_empty() || digits.len() > 18 {
                    return None;
                }
                moment.epoch = Some(digits.iter().fold(0, |sum, digit| sum * 10 + i64::from(digit - b'0')));
                rest = after;
            }
            Self::Fraction => {
                let (digits, after) = text.split_at(digits(text));
                let digit = |at: usize| i64::from(digits.get(at).map_or(0, |byte| byte - b'0'));
                moment.fraction_ms = digit(0) * 100 + digit(1) * 10 + digit(2);
                rest = after;
            }
        }
        Some(rest)
    }
}

/// How many leading bytes are digits.
fn digits(text: &[u8]) -> usize {
    text.iter().position(|byte| !byte.is_ascii_digit()).unwrap_or(text.len())
}

/// What follows a word of letters.
fn word(text: &[u8]) -> &[u8] {
    let end = text.iter().position(|byte| !byte.is_ascii_alphabetic()).unwrap_or(text.len());
    &text[end..]
}

/// A number of one or two digits, padded by a zero, a space or not at all.
fn small(rest: &mut &[u8]) -> Option<u8> {
    let (value, after) = match **rest {
        [tens @ b'0'..=b'9', ones @ b'0'..=b'9', ref after @ ..] => (two([tens, ones])?, after),
        [b' ', ones, ref after @ ..] | [ones, ref after @ ..] => (two([b'0', ones])?, after),
        [] => return None,
    };
    *rest = after;
    Some(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(patterns: &[(&str, &str)]) -> Option<i64> {
        let mut moment = Moment::default();
        for (pattern, field) in patterns {
            let pattern = Pattern::compile(pattern).expect("a pattern");
            pattern.read(field.as_bytes(), &mut moment)?;
        }
        moment.finish()
    }

    #[test]
    fn ours_patterns_read_what_apache_writes() {
        let cases: [(&[(&str, &str)], i64); 8] = [
            (&[("%Y-%m-%dT%H:%M:%S%z", "2019-01-26T19:45:25+0330")], 1_548_519_325_000),
            (&[("begin:%d/%b/%Y:%T %z", "26/Jan/2019:19:45:25 +0330")], 1_548_519_325_000),
            (&[("%F %T", "2019-01-26 16:15:25"), ("usec_frac", "504999")], 1_548_519_325_504),
            (&[("%a %b %e %H:%M:%S %Y", "Sat Jan 26 16:15:25 2019")], 1_548_519_325_000),
            (&[("%D %R", "01/26/19 16:15")], 1_548_519_300_000),
            (&[("sec", "1548519325")], 1_548_519_325_000),
            (&[("msec", "1548519325504")], 1_548_519_325_504),
            (&[("usec", "1548519325504999")], 1_548_519_325_504),
        ];
        for (patterns, ms) in cases {
            assert_eq!(read(patterns), Some(ms), "{patterns:?}");
        }
    }

    #[test]
    fn ours_patterns_refuse_what_does_not_fit() {
        for (pattern, field) in
            [("%F", "2019-02-30"), ("%F", "2019-02-01x"), ("%F", ""), ("%T", "10:00:00"), ("sec", "")]
        {
            assert_eq!(read(&[(pattern, field)]), None, "{pattern}");
        }
        assert_eq!(Pattern::compile("%Q"), Err(FormatError::TimeConversion('Q')));
        assert!(Pattern::compile("%").is_err());
    }
}
