//! Are views in the right bins, and gaps no zeros?

use std::path::PathBuf;

use trodden_urls::{Aliases, Rules, SiteGrouping, SiteKeys};

use super::super::{Export, export};
use super::*;
use crate::input::InputCaps;
use crate::visits::{StoredUser, StoredVisits, Visit, VisitWriter, VisitsDir};

fn settings() -> SeriesSettings {
    SeriesSettings {
        bin_ms: DAY_MS,
        is_cumulative: false,
        pool_queries: true,
        memory: 1 << 30,
        scratch: std::env::temp_dir(),
    }
}

fn of_text(text: &str, settings: &SeriesSettings) -> Result<SeriesTable, Error> {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("views.csv");
    std::fs::write(&file, text).unwrap();
    SeriesTable::of_tables(&[file], None, &SiteKeys::new(SiteGrouping::Host, Aliases::none()), settings)
}

fn shown(table: &SeriesTable) -> Vec<String> {
    table.pages.iter().map(|page| format!("{} {} {:?}", page.site, page.page, page.bins)).collect()
}

#[test]
fn ours_long_tables_leave_zeros_out_and_days_that_nobody_counted_are_gaps() {
    let text = "url,date,views\nhttps://www.x.org/a?q=1,2024-01-01,5\nhttps://x.org/a,2024-01-01,2\nhttps://x.org/a,2024-01-04,1\nhttps://x.org/b,2024-01-02,3\n";
    let table = of_text(text, &settings()).unwrap();
    assert_eq!(shown(&table), ["x.org x.org/a [7, 0, gap, 1]", "x.org x.org/b [0, 3, gap, 0]"]);
    assert_eq!(table.first_ms, Some(1_704_067_200_000));
    let apart = of_text(text, &SeriesSettings { pool_queries: false, ..settings() }).unwrap();
    assert_eq!(apart.pages.len(), 3);
}

#[test]
fn ours_wide_and_cumulative_tables_keep_their_gaps() {
    let wide = "page,2024-01-01,2024-01-02,2024-01-03\nname of a page,1,,4\nx.org/b,2,2,2\n";
    let table = of_text(wide, &settings()).unwrap();
    assert_eq!(shown(&table), [" name of a page [1, gap, 4]", "x.org x.org/b [2, 2, 2]"]);
    let sums = "IDLink,TS1,TS2,TS3,TS4\n7,-1,3,3,10\n8,1,2,1,5\n";
    let table = of_text(sums, &SeriesSettings { is_cumulative: true, ..settings() }).unwrap();
    assert_eq!(shown(&table), [" 7 [gap, 3, 0, 7]", " 8 [1, 1, 0, 4]"]);
    assert_eq!(table.first_ms, None);
}

#[test]
fn ours_tables_without_times_or_with_too_many_bins_are_refused() {
    let why = of_text("url,views\nhttps://x.org/,3\n", &settings()).unwrap_err().to_string();
    assert!(why.contains("when"), "{why}");
    let hostile = "url,date,views\nhttps://x.org/,1970-01-01,3\nhttps://x.org/b,9999-12-31,3\n";
    let small = SeriesSettings { memory: 1 << 20, ..settings() };
    let why = of_text(hostile, &small).unwrap_err().to_string();
    assert!(why.contains("bins"), "{why}");
}

#[test]
fn ijcnlp08_one_user_one_page_one_day_is_one_view() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("visits");
    let dir = VisitsDir::open_or_create(&path, SiteGrouping::Host).unwrap();
    let mut writer = VisitWriter::create(&dir);
    let (a, b) = (StoredUser::Raw("a"), StoredUser::Raw("b"));
    for (user, day, hour, target) in [
        (a, 0, 1, "https://x.org/p"),
        (a, 0, 2, "https://x.org/p?again=1"),
        (a, 1, 1, "https://x.org/p"),
        (b, 0, 5, "https://x.org/p"),
        (StoredUser::Nobody, 1, 5, "https://x.org/p"),
        (StoredUser::Nobody, 1, 5, "https://x.org/p"),
        (a, 3, 5, "https://x.org/q"),
    ] {
        let time_ms = day * DAY_MS + hour * 3_600_000;
        writer.write(&Visit { time_ms, site: None, user, target, referrer: None }, "x.org").unwrap();
    }
    writer.finish().unwrap();
    let stored = StoredVisits::find(&[path.to_string_lossy().into_owned()]).unwrap();
    let table = SeriesTable::of_visits(&stored, &settings()).unwrap();
    assert_eq!(shown(&table), ["x.org x.org/p [2, 3, gap, 0]", "x.org x.org/q [0, 0, gap, 1]"]);
    assert_eq!(table.pages.iter().map(|page| page.users).collect::<Vec<_>>(), [3, 1]);
    let hours = SeriesTable::of_visits(&stored, &SeriesSettings { bin_ms: 3_600_000, ..settings() }).unwrap();
    assert_eq!(hours.bins_a_day(), 24.0);
    assert_eq!(hours.pages[0].bins.iter().filter_map(|bin| bin.views()).sum::<f64>(), 5.0);
}

#[test]
fn ours_visits_of_an_export_count_as_often_as_they_say() {
    let folder = tempfile::tempdir().unwrap();
    let file: PathBuf = folder.path().join("views.csv");
    std::fs::write(&file, "url,date,views\nhttps://x.org/,2024-01-01,500\nhttps://x.org/,2024-01-02,20\n").unwrap();
    let path = folder.path().join("visits");
    let dir = VisitsDir::create_for_views(&path, SiteGrouping::Host).unwrap();
    let job = Export {
        files: &[file],
        site: None,
        aliases: Aliases::none(),
        grouping: SiteGrouping::Host,
        rules: Rules::default(),
        caps: InputCaps::default(),
        memory: 1 << 30,
    };
    export(&job, &dir).unwrap();
    let stored = StoredVisits::find(&[path.to_string_lossy().into_owned()]).unwrap();
    let table = SeriesTable::of_visits(&stored, &settings()).unwrap();
    assert_eq!(shown(&table), ["x.org x.org/ [500, 20]"]);
}
