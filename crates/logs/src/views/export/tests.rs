//! Do exports become visits that count what they say?

use std::fs;

use super::*;
use crate::visits::StoredVisits;

struct Written {
    report: ExportReport,
    /// Site, URL, time in seconds, views.
    rows: Vec<(String, String, i64, u64)>,
}

fn written(texts: &[&str], site: Option<&str>) -> Result<Written, Error> {
    let folder = tempfile::tempdir().unwrap();
    let files: Vec<PathBuf> = (0..texts.len()).map(|n| folder.path().join(format!("{n}.csv"))).collect();
    files.iter().zip(texts).for_each(|(file, text)| fs::write(file, text).unwrap());
    let job = Export {
        files: &files,
        site: site.map(|site| NamedSite::parse(site).unwrap()),
        aliases: Aliases::none(),
        grouping: SiteGrouping::Host,
        rules: Rules::default(),
        caps: InputCaps::default(),
        memory: 1 << 30,
    };
    let path = folder.path().join("visits");
    let dir = VisitsDir::create_for_views(&path, SiteGrouping::Host).unwrap();
    let report = export(&job, &dir)?;
    let stored = StoredVisits::find(&[path.to_string_lossy().into_owned()]).unwrap();
    let mut rows = Vec::new();
    stored
        .each(|visit| {
            assert!(visit.reader.is_none());
            rows.push((visit.site.to_owned(), visit.url.to_owned(), visit.time_ms / 1_000, visit.views));
        })
        .unwrap();
    Ok(Written { report, rows })
}

fn row(site: &str, url: &str, time: i64, views: u64) -> (String, String, i64, u64) {
    (site.to_owned(), url.to_owned(), time, views)
}

#[test]
fn ours_rows_of_one_page_are_added_up_whatever_their_order() {
    let one = "url,views,users\nhttps://x.org/b,5,4\nhttp://www.x.org/a?b=2&a=1,1,1\nhttps://x.org/b,7,6\n";
    let two = "url,views,users\nhttps://x.org/b,12,6\nhttp://www.x.org/a?a=1&b=2,1,1\n";
    let [one, two] = [one, two].map(|text| written(&[text], None).unwrap());
    assert_eq!(one.rows.len(), 2);
    assert_eq!(one.rows.iter().map(|row| row.3).sum::<u64>(), 13);
    assert_eq!(
        one.rows.iter().map(|row| row.3).collect::<Vec<_>>(),
        two.rows.iter().map(|row| row.3).collect::<Vec<_>>()
    );
    assert_eq!((one.report.rows, one.report.counted, one.report.views), (3, 3, 13));
    assert!(one.report.has_users && !one.report.has_dates);
}

#[test]
fn ours_paths_need_a_site_and_hosts_that_are_named_have_one() {
    let paths = "page,views\n/,3\n/a,2\n";
    let why = written(&[paths], None).err().unwrap().to_string();
    assert!(why.contains("of which site"), "{why}");
    let named = written(&[paths], Some("https://www.x.org")).unwrap();
    assert_eq!(named.rows, [row("x.org", "x.org/", 0, 3), row("x.org", "x.org/a", 0, 2)]);
    let hosts = "host,path,views\nwww.x.org,/,3\ny.org,/,2\n";
    let both = written(&[hosts], None).unwrap();
    assert_eq!(both.report.sites, [("x.org".to_owned(), 3), ("y.org".to_owned(), 2)]);
    let only = written(&[hosts], Some("x.org")).unwrap();
    assert_eq!(only.report.sites, [("x.org".to_owned(), 3)]);
    assert_eq!(only.report.faults.get(&RowFault::OtherSite), Some(&1));
    assert_eq!(written(&["page,views\nx.org/a,3\n"], None).unwrap().rows, [row("x.org", "x.org/a", 0, 3)]);
}

#[test]
fn ours_weights_are_scaled_so_that_the_smallest_is_one_view() {
    let text = "url,time,weight\nhttps://x.org/a,86400,1\nhttps://x.org/b,86400,0.25\nhttps://x.org/a,172800,0.5\n";
    let written = written(&[text], None).unwrap();
    let wanted =
        [row("x.org", "x.org/a", 86_400, 4), row("x.org", "x.org/a", 172_800, 1), row("x.org", "x.org/b", 86_400, 1)];
    assert_eq!(written.rows, wanted);
    assert_eq!(written.report.scaled, Some(Scaled { times: 2, views: 6 }));
}

#[test]
fn ours_secrets_and_assets_do_not_come_in_with_an_export() {
    let text = "url,views\nhttps://x.org/reset?token=9f8e7d6c5b4a39281706f5e4d3c2b1a0,3\nhttps://x.org/logo.png,900\n";
    let written = written(&[text], None).unwrap();
    assert_eq!(written.rows.len(), 1);
    assert!(!written.rows[0].1.contains("9f8e7d6c"), "{}", written.rows[0].1);
    assert_eq!(written.report.faults.get(&RowFault::Asset), Some(&1));
}

#[test]
fn ours_an_export_is_kept_by_itself() {
    let folder = tempfile::tempdir().unwrap();
    let (logs, views) = (folder.path().join("logs"), folder.path().join("views"));
    drop(VisitsDir::open_or_create(&logs, SiteGrouping::Host).unwrap());
    drop(VisitsDir::create_for_views(&views, SiteGrouping::Host).unwrap());
    assert!(VisitsDir::create_for_views(&logs, SiteGrouping::Host).is_err());
    let refused = VisitsDir::open_or_create(&views, SiteGrouping::Host).unwrap_err().to_string();
    assert!(refused.contains("export"), "{refused}");
}
