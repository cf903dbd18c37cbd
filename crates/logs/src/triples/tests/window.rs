//! The last days of some visits are the visits of those days.

use super::files::{Files, Stored, visit};
use super::{TableSettings, fill, settings};

const DAY: i64 = 86_400_000;

/// Visits of day 10 to 16; nothing on day 14, and the last moment of each day.
fn days() -> Vec<(i64, Vec<Stored>)> {
    (10..17)
        .filter(|day| *day != 14)
        .map(|day| {
            let at = |ms: i64, user: i64, target: &str| visit(day * DAY + ms, user, target, "https://x.org/list");
            (day, vec![at(0, 1, "https://x.org/a"), at(DAY - 1, day, "http://y.org/b"), at(5, 2, "https://x.org/a")])
        })
        .collect()
}

fn folder(day: i64) -> String {
    format!("day=1970-01-{:02}", day + 1)
}

/// Of the last days, by every layout of the files.
fn windows(last_days: u32) -> Vec<Files> {
    let (by_day, loose, mixed) = (Files::new(), Files::new(), Files::new());
    let all: Vec<Stored> = days().into_iter().flat_map(|(_, rows)| rows).collect();
    loose.write("all.parquet", &all);
    for (n, (day, rows)) in days().into_iter().enumerate() {
        by_day.write(&format!("{}/a.parquet", folder(day)), &rows);
        let name = if n % 2 == 0 { format!("{}/a.parquet", folder(day)) } else { format!("{n}.parquet") };
        mixed.write(&name, &rows);
    }
    // The last folder has no visits: not the last day. Files of other days are not even opened.
    by_day.write(&format!("{}/a.parquet", folder(19)), &[Stored { time: 19 * DAY, ..Stored::default() }]);
    if last_days < 7 {
        by_day.garbage("day=1970-01-05/a.parquet");
    }
    vec![by_day, loose, mixed]
}

#[test]
fn ours_the_last_days_are_those_of_a_folder_that_has_no_others() {
    for last_days in [1, 2, 3, 4, 6] {
        let fresh = Files::new();
        let first = 17 - i64::from(last_days);
        let rows: Vec<Stored> =
            days().into_iter().filter(|(day, _)| *day >= first).flat_map(|(_, rows)| rows).collect();
        fresh.write("a.parquet", &rows);
        // Windows of de-duplication start with the first day that is used.
        let whole = TableSettings { window_days: 2, ..settings() };
        let last = TableSettings { last_days: Some(last_days), ..whole.clone() };
        let expected = fill(&fresh, &whole);
        assert_eq!(expected.1.visits_used, rows.len() as u64);
        for (n, files) in windows(last_days).iter().enumerate() {
            assert_eq!(fill(files, &last), expected, "{last_days} days, layout {n}");
        }
    }
}

#[test]
fn ours_a_window_longer_than_the_visits_is_all_of_them() {
    let expected = fill(&windows(9)[1], &settings());
    for files in windows(9) {
        let last = TableSettings { last_days: Some(u32::MAX), ..settings() };
        assert_eq!(fill(&files, &last), expected);
    }
    let last = TableSettings { last_days: Some(0), ..settings() };
    assert_eq!(fill(&windows(1)[1], &last).1.visits_used, 3, "no less than a day");
}
