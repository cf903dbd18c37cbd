//! What came of a crawl, in a sentence; and how bytes and times are written.

use trodden_report::number::{counted, spoken};

use crate::crawl::report::CrawlReport;

/// The sentence.
pub(super) fn headline(of: &CrawlReport) -> String {
    let mut text = format!("{}, {} in {}", counted(of.pages, "page"), size(of.bytes), time(of.elapsed_ms));
    if let Some(traffic) = of.traffic.as_ref().filter(|traffic| traffic.visits > 0.0) {
        let share = spoken(traffic.fetched / traffic.visits);
        text += &format!(": {share} of what people read, as far as the logs know");
    }
    text += &match of.waiting_in_all {
        0 => "; nothing waits.".to_owned(),
        1 => "; 1 URL waits.".to_owned(),
        n => format!("; {} wait.", counted(n, "URL")),
    };
    text
}

/// Bytes.
pub(super) fn size(bytes: u64) -> String {
    const UNITS: [&str; 5] = ["kB", "MB", "GB", "TB", "PB"];
    if bytes < 1_000 {
        return counted(bytes, "byte");
    }
    #[expect(clippy::cast_precision_loss, reason = "three digits are shown")]
    let mut number = bytes as f64;
    let mut unit = "";
    for name in UNITS {
        if number < 999.5 {
            break;
        }
        (number, unit) = (number / 1e3, name);
    }
    if number < 99.95 { format!("{number:.1} {unit}") } else { format!("{number:.0} {unit}") }
}

/// A time.
pub(super) fn time(ms: u64) -> String {
    let seconds = ms / 1_000;
    match seconds {
        0 => format!("{ms} ms"),
        1..60 => format!("{}.{} s", seconds, ms % 1_000 / 100),
        60..3_600 => format!("{} min {} s", seconds / 60, seconds % 60),
        3_600..86_400 => format!("{} h {} min", seconds / 3_600, seconds % 3_600 / 60),
        _ => format!("{} d {} h", seconds / 86_400, seconds % 86_400 / 3_600),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ours_bytes_and_times_are_written_as_people_read_them() {
        assert_eq!(
            [0, 1, 999, 1_000, 99_949, 999_499, 999_500, 12_345_678].map(size),
            ["0 bytes", "1 byte", "999 bytes", "1.0 kB", "99.9 kB", "999 kB", "1.0 MB", "12.3 MB"]
        );
        assert_eq!(size(u64::MAX), "18447 PB");
        assert_eq!(
            [0, 999, 1_250, 61_000, 3_700_000, 90_000_000].map(time),
            ["0 ms", "999 ms", "1.2 s", "1 min 1 s", "1 h 1 min", "1 d 1 h"]
        );
    }
}
