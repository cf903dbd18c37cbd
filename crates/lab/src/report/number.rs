//! How are numbers and names written, so that people can read them and no name can rule the page?

use std::fmt::{self, Display};

/// What stands where there is no number.
pub(super) const NONE: &str = "–";

/// A number with its thousands apart.
#[must_use]
pub fn thousands(n: u64) -> String {
    let digits = n.to_string();
    let mut out = String::with_capacity(digits.len() * 4 / 3);
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// A number of things: `1 page`, `2,000 pages`.
#[must_use]
pub fn counted(n: u64, one: &str) -> String {
    format!("{} {one}{}", thousands(n), if n == 1 { "" } else { "s" })
}

/// An amount of traffic: whole visits where it is large or whole, else one decimal.
pub(super) fn amount(x: f64) -> String {
    if !x.is_finite() {
        return NONE.to_owned();
    }
    if x.abs() >= 100.0 || x.fract() == 0.0 {
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "traffic, which is not negative")]
        let whole = x.round() as u64;
        return thousands(whole);
    }
    format!("{x:.1}")
}

/// A share in percent, with so many decimals and without the sign.
pub(super) fn percent(share: f64, decimals: usize) -> String {
    let percent = share * 100.0;
    if !percent.is_finite() {
        return NONE.to_owned();
    }
    let least = 0.1_f64.powi(i32::try_from(decimals).unwrap_or(0));
    if percent > 0.0 && percent < least / 2.0 {
        return format!("<{least:.decimals$}");
    }
    format!("{percent:.decimals$}")
}

/// A share in percent within a sentence: with one decimal, two below one percent.
pub(super) fn spoken(share: f64) -> String {
    format!("{} %", percent(share, if share < 0.0095 { 2 } else { 1 }))
}

/// An area: three decimals.
pub(super) fn area(x: f64) -> String {
    if x.is_finite() { format!("{x:.3}") } else { NONE.to_owned() }
}

/// A difference of areas: with its sign, and a minus that is one.
pub(super) fn signed(x: f64) -> String {
    if !x.is_finite() {
        return NONE.to_owned();
    }
    let text = format!("{:.3}", x.abs());
    let sign = match x {
        _ if text == "0.000" => "",
        x if x < 0.0 => "−",
        _ => "+",
    };
    format!("{sign}{text}")
}

/// The text without characters that rule a terminal, turn a line around, or may not stand in XML.
pub(super) fn safe(text: &str) -> String {
    let rules = |c: char| {
        c.is_control()
            || matches!(c, '\u{061C}' | '\u{200E}' | '\u{200F}' | '\u{2028}'..='\u{202E}' | '\u{2066}'..='\u{2069}')
            || matches!(c, '\u{FFFE}' | '\u{FFFF}')
    };
    text.chars().map(|c| if rules(c) { '\u{FFFD}' } else { c }).collect()
}

/// A text as it may stand in HTML, SVG and their quoted attributes.
pub(super) struct Escaped<'a>(pub(super) &'a str);

impl Display for Escaped<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = safe(self.0);
        let mut rest = text.as_str();
        while let Some(at) = rest.find(['&', '<', '>', '"', '\'']) {
            f.write_str(&rest[..at])?;
            f.write_str(match rest.as_bytes()[at] {
                b'&' => "&amp;",
                b'<' => "&lt;",
                b'>' => "&gt;",
                b'"' => "&quot;",
                _ => "&#39;",
            })?;
            rest = &rest[at + 1..];
        }
        f.write_str(rest)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ours_numbers_are_written_as_people_read_them() {
        assert_eq!([0, 999, 1_000, 1_234_567].map(thousands), ["0", "999", "1,000", "1,234,567"]);
        assert_eq!([0, 1, 2_000].map(|n| counted(n, "page")), ["0 pages", "1 page", "2,000 pages"]);
        assert_eq!([0.0, 12.0, 12.34, 12_345.6].map(amount), ["0", "12", "12.3", "12,346"]);
        assert_eq!([0.05061, 1.0, 0.0, 0.0001].map(|x| percent(x, 1)), ["5.1", "100.0", "0.0", "<0.1"]);
        assert_eq!([0.05061, 0.0042].map(spoken), ["5.1 %", "0.42 %"]);
        assert_eq!([0.0312, -0.0104, -0.0001].map(signed), ["+0.031", "−0.010", "0.000"]);
    }

    #[test]
    fn ours_what_is_no_number_is_not_written_as_one() {
        for x in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            assert_eq!([amount(x), percent(x, 1), area(x), signed(x)], [NONE; 4]);
        }
    }

    #[test]
    fn ours_no_text_can_leave_its_place() {
        assert_eq!(Escaped("<a href='x'>\"&\0\u{202E}é").to_string(), "&lt;a href=&#39;x&#39;&gt;&quot;&amp;��é");
    }
}
