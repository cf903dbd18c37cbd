//! How are numbers written, so that people can read them?

/// What stands where there is no number.
pub const NONE: &str = "–";

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
#[must_use]
pub fn amount(x: f64) -> String {
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
#[must_use]
pub fn percent(share: f64, decimals: usize) -> String {
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
#[must_use]
pub fn spoken(share: f64) -> String {
    format!("{} %", percent(share, if share < 0.0095 { 2 } else { 1 }))
}

/// An area: three decimals.
#[must_use]
pub fn area(x: f64) -> String {
    if x.is_finite() { format!("{x:.3}") } else { NONE.to_owned() }
}

/// A difference of areas: with its sign, and a minus that is one.
#[must_use]
pub fn signed(x: f64) -> String {
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

/// A share in percent, as `12.3 %`.
#[must_use]
pub fn share_of(part: u64, whole: u64) -> String {
    #[expect(clippy::cast_precision_loss, reason = "shown with one decimal")]
    let share = 100.0 * part as f64 / whole.max(1) as f64;
    if part > 0 && share < 0.05 { "<0.1 %".to_owned() } else { format!("{share:.1} %") }
}

/// A number with so many digits that count; what is not above 0 is `0`.
#[must_use]
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "between 0 and nine")]
pub fn significant(x: f64, digits: i32) -> String {
    /// More decimals tell nothing: that is a visit in three million years.
    const MOST: i32 = 9;
    if x <= 0.0 {
        return "0".to_owned();
    }
    let decimals = (digits - 1 - x.log10().floor() as i32).clamp(0, MOST);
    format!("{x:.*}", decimals as usize)
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
    fn ours_shares_are_printed_as_people_read_them() {
        assert_eq!(share_of(1, 8), "12.5 %");
        assert_eq!(share_of(1, 100_000), "<0.1 %");
        assert_eq!(share_of(0, 0), "0.0 %");
    }

    #[test]
    fn ours_numbers_are_printed_with_the_digits_that_count() {
        let printed = [0.0, 1.0, 12.345_678, 98_765.4, 0.000_123_456, 1e-12].map(|n| significant(n, 4));
        assert_eq!(printed.join(" "), "0 1.000 12.35 98765 0.0001235 0.000000000");
    }
}
