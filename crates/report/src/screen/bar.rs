//! Bars of eighth blocks.

/// A bar of so many columns at most: `part` of `whole`. Anything above nothing shows at least the thinnest block.
#[must_use]
pub fn bar(part: u64, whole: u64, columns: usize) -> String {
    const EIGHTHS: [&str; 8] = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];
    let part = u128::from(part.min(whole));
    let all = columns as u128 * 8;
    let rounded = (2 * part * all + u128::from(whole)) / (2 * u128::from(whole.max(1)));
    let eighths = usize::try_from(rounded).unwrap_or(0).max(usize::from(part > 0 && columns > 0));
    "█".repeat(eighths / 8) + EIGHTHS[eighths % 8]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ours_bars_are_as_long_as_their_share() {
        assert_eq!(bar(8, 8, 2), "██");
        assert_eq!(bar(1, 2, 2), "█");
        assert_eq!(bar(3, 8, 1), "▍");
        assert_eq!(bar(9, 16, 2), "█▏");
        assert_eq!(bar(7, 8, 1), "▉");
    }

    #[test]
    fn ours_bars_tell_little_from_nothing() {
        assert_eq!(bar(1, 1_000_000, 10), "▏");
        assert_eq!(bar(0, 1_000_000, 10), "");
        assert_eq!(bar(0, 0, 10), "");
        assert_eq!(bar(5, 5, 0), "");
        assert_eq!(bar(9, 5, 1), "█", "never longer than whole");
        assert_eq!(bar(u64::MAX, u64::MAX, 10), "█".repeat(10));
    }
}
