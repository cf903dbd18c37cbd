//! Tables from files: by hand, against a simple count, and in windows.

mod files;
mod in_memory;
mod known;
mod simple;
mod window;

use std::collections::BTreeMap;

use files::{Files, visit};
use trodden_mining::UrlCounts;
use trodden_urls::UrlGlobs;

use super::{Filled, FilledTable, TableSettings, TableUse, fill_site_tables};
use crate::error::Error;
use crate::visits::VisitSource;

fn settings() -> TableSettings {
    TableSettings {
        window_days: 30,
        last_days: None,
        kept_readers: 3,
        known: Vec::new(),
        are_public: false,
        exclude: UrlGlobs::default(),
        memory: 1 << 30,
        table_use: TableUse::Mined,
        threads: 2,
        scratch: std::env::temp_dir(),
    }
}

/// Everything that a table shows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Shown {
    /// Counts, readers, and whether it is known.
    urls: BTreeMap<String, (UrlCounts, Vec<u32>, bool)>,
    transits: BTreeMap<(String, String), u64>,
    users: u64,
    visits: u64,
    times: (i64, i64),
    origins: Vec<(String, String)>,
}

fn shown(filled: &FilledTable) -> Shown {
    let table = &filled.table;
    let name = |id: u32| table.url(id).to_owned();
    let ids = 0..table.len() as u32;
    Shown {
        urls: ids.map(|id| (name(id), (table.counts(id), table.readers(id).to_vec(), table.is_known(id)))).collect(),
        transits: table.transits().iter().map(|(from, to, n)| ((name(*from), name(*to)), *n)).collect(),
        users: table.users(),
        visits: filled.visits,
        times: (filled.first_ms, filled.last_ms),
        origins: filled.origins().map(|(host, origin)| (host.to_owned(), origin.to_owned())).collect(),
    }
}

fn fill(files: &Files, settings: &TableSettings) -> (BTreeMap<String, Shown>, Filled) {
    fill_from(VisitSource::find(&[files.path()]).unwrap(), settings)
}

fn fill_from(source: impl Into<VisitSource>, settings: &TableSettings) -> (BTreeMap<String, Shown>, Filled) {
    let mut sites = BTreeMap::new();
    let filled = fill_site_tables(source, settings, |table| {
        assert!(table.table.transits().is_sorted());
        assert!((1..table.table.len() as u32).all(|id| table.table.url(id - 1) < table.table.url(id)));
        let before = sites.insert(table.table.site().to_owned(), shown(&table));
        assert!(before.is_none(), "a site is handed on once");
        Ok::<_, Error>(())
    });
    (sites, filled.unwrap())
}

#[test]
fn cikm11_a_site_by_hand() {
    let files = Files::new();
    files.write(
        "day=1970-01-01/a.parquet",
        &[
            visit(5, 7, "https://www.x.org/a", "https://www.google.com/"),
            // The same triple, written otherwise.
            visit(9, 7, "http://x.org/a", "https://duckduckgo.com"),
            visit(7, 7, "https://www.x.org/b", "https://www.x.org/a"),
            visit(8, 8, "https://www.x.org/b", "http://x.org/a"),
            visit(6, 8, "https://www.x.org/b", "https://www.x.org/b"),
            visit(6, 8, "https://www.x.org/b", "https://other.example/x"),
            visit(6, None, "https://www.x.org/b", None),
            visit(6, None, "https://www.x.org/b", None),
        ],
    );
    let (sites, filled) = fill(&files, &settings());
    let site = &sites["x.org"];
    // All within a minute, which is in the middle of itself.
    let a = UrlCounts { visits: 1, referrals: 2, entrances: [0, 1, 0, 0], users: 1, slices: [0, 0, 0, 0, 1, 0, 0, 0] };
    let b = UrlCounts { visits: 6, referrals: 1, entrances: [2, 0, 0, 1], users: 3, slices: [0, 0, 0, 0, 6, 0, 0, 0] };
    let urls = [("x.org/a", (a, vec![0], false)), ("x.org/b", (b, vec![0, 1, 2], false))];
    assert_eq!(
        site.urls,
        urls.map(|(url, shown)| (url.to_owned(), shown)).into(),
        "referrers of other sites are no pages"
    );
    let name = |n: &str| format!("x.org/{n}");
    assert_eq!(site.transits, [((name("a"), name("b")), 2), ((name("b"), name("b")), 1)].into());
    assert_eq!((site.users, site.visits, site.times), (3, 8, (5, 9)), "visits of nobody are one user's");
    assert_eq!(site.origins, [("x.org".to_owned(), "https://www.x.org".to_owned())]);
    assert_eq!(filled, Filled { sites: 1, visits_used: 8, ..Filled::default() });
}

#[test]
fn ours_a_caller_may_stop_between_sites() {
    let files = Files::new();
    files.write("a.parquet", &[visit(1, 1, "http://a.org/", None), visit(1, 1, "http://b.org/", None)]);
    let mut seen = Vec::new();
    let stopped = fill_site_tables(VisitSource::find(&[files.path()]).unwrap(), &settings(), |table| {
        seen.push(table.table.site().to_owned());
        Err(Error::Stopped)
    });
    assert!(matches!(stopped, Err(Error::Stopped)) && seen == ["a.org"]);
}

#[test]
fn ours_of_damaged_files_no_table_is_made() {
    let files = Files::new();
    let rows: Vec<_> = (0..5_000)
        .map(|n| {
            let host = ["a.org", "b.org", "c.org"][n as usize % 3];
            let site = Some(host.to_owned());
            files::Stored { site, ..visit(n, n, &format!("http://{host}/{n}"), None) }
        })
        .collect();
    files.write_own("a.parquet", &rows);
    files.write_own("b.parquet", &rows);
    // The first reading does not look at targets: only the second can tell.
    files.damage("b.parquet", "target");
    for threads in [1, 2, 3] {
        let mut tables = 0;
        let failed = fill_site_tables(
            VisitSource::find(&[files.path()]).unwrap(),
            &TableSettings { threads, ..settings() },
            |_| {
                tables += 1;
                Ok(())
            },
        );
        assert!(matches!(failed, Err(Error::Parquet { .. })), "{failed:?}");
        assert_eq!(tables, 0);
    }
}

#[test]
fn ours_a_url_is_fetched_as_it_is_written_most() {
    let files = Files::new();
    files.write(
        "a.parquet",
        &[
            visit(1, 1, "http://x.org/a", None),
            visit(1, 1, "https://www.x.org/b", "https://www.x.org/b"),
            visit(1, 1, "http://127.0.0.1:8080/c", None),
        ],
    );
    let mut urls = Vec::new();
    fill_site_tables(VisitSource::find(&[files.path()]).unwrap(), &settings(), |table| {
        urls.extend((0..table.table.len() as u32).map(|id| table.url(id)));
        Ok::<_, Error>(())
    })
    .unwrap();
    assert_eq!(urls, ["http://127.0.0.1:8080/c", "https://www.x.org/a", "https://www.x.org/b"]);
}
