//! Another program counts the same: DuckDB reads our visits, and writes some for us.
//!
//! Needs a Python with the `duckdb` package: `TRODDEN_PYTHON=/path/to/python cargo test`. Without it the tests are
//! skipped.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::process::Command;

use serde_json::Value;
use trodden_testing::python;

use crate::generate::{Kind, log};
use crate::rows::rows;
use crate::run::Folder;

/// Counts from the Parquet files alone: rows, sites, users, and de-duplicated visits and readers of each URL.
const COUNT: &str = r#"
import duckdb, json, sys
folder, days = sys.argv[1], int(sys.argv[2])
db = duckdb.connect()
db.execute(f"""create table v as select *, epoch_ms("time") // 86400000 as day,
    regexp_replace(target, '^https?://(www\\.)?', '') as url,
    regexp_replace(referrer, '^https?://(www\\.)?', '') as ref,
    row_number() over () as n
    from read_parquet('{folder}/**/*.parquet')""")
db.execute("""create table w as select *, coalesce(cast("user" as varchar), 'nobody ' || n) as who,
    (day - (select min(day) from v)) // """ + str(days) + """ as win,
    case when ref is null then 'none'
         when split_part(ref, '/', 1) = site then ref
         when ref like 'google.com/%' then 'search'
         when ref like 't.co/%' then 'social'
         else 'other site' end as src from v""")
one = lambda sql: db.execute(sql).fetchone()[0]
print(json.dumps({
    "rows": one("select count(*) from v"),
    "sites": one("select count(distinct site) from v"),
    "users": one('select count(distinct coalesce("user", 0)) from w'),
    "urls": one("select count(distinct url) from v"),
    "counts": db.execute("""select url, count(distinct (site, who, src, win)), count(distinct coalesce("user", 0))
        from w group by url""").fetchall(),
}))
"#;

/// Visits as another program may write them: text for users, microseconds, columns in another order, one more.
const WRITE: &str = r#"
import duckdb, sys
duckdb.execute(f"""copy (select * from (values
    ('https://www.example.org/page', 'https://www.example.org/', 'ann@example.com', timestamp '2024-03-01 12:00:00.123456', 'example.org', 1),
    ('https://www.example.org/page', 'https://www.example.org/', 'ann@example.com', timestamp '2024-03-02 12:00:00.654321', 'example.org', 2),
    ('https://www.example.org/page', null, 'bob-the-second', timestamp '2024-03-02 13:00:00', 'example.org', 3),
    ('https://www.example.org/page', null, null, timestamp '2024-03-02 14:00:00', 'example.org', 4),
    ('https://example.net/', 'https://www.google.com/', null, timestamp '2024-03-02 15:00:00', 'example.net', 5)
    ) as t(target, referrer, "user", "time", site, extra)) to '{sys.argv[1]}' (format parquet)""")
"#;

/// What a script says.
fn said(python: &OsStr, script: &str, args: &[&str]) -> String {
    let output = Command::new(python).arg("-c").arg(script).args(args).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// Ledger and counts by DuckDB are those of our own commands.
fn counts_agree(python: &OsStr, kind: Kind, days: &str) {
    let folder = Folder::with_log(log(2_024, 20_000, 100, kind).text());
    let ledger = folder.ledger(&["-o", "visits"]);
    let text = said(python, COUNT, &[folder.path("visits").to_str().unwrap(), days]);
    let theirs: Value = serde_json::from_str(&text).unwrap();
    let n = |name: &str| theirs[name].as_u64().unwrap();
    assert_eq!(
        (n("rows"), n("sites"), n("users"), n("urls")),
        (ledger.visits, ledger.sites, ledger.users, ledger.urls)
    );
    let theirs: BTreeMap<String, (u64, u64)> = theirs["counts"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| (row[0].as_str().unwrap().to_owned(), (row[1].as_u64().unwrap(), row[2].as_u64().unwrap())))
        .collect();
    let ours: BTreeMap<String, (u64, u64)> = folder
        .urls(&["visits", "--dedup-days", days])
        .into_iter()
        .map(|(url, (visits, users, _))| {
            let bare = url.split_once("://").unwrap().1;
            (bare.strip_prefix("www.").unwrap_or(bare).to_owned(), (visits, users))
        })
        .collect();
    // Steps are counted, not readers: the two must differ, or nothing is tested.
    assert!(ours.len() > 90);
    assert!(ours.values().any(|(visits, users)| visits > users));
    // All without a name are one.
    assert!(kind != Kind::Anonymous || ours.values().all(|(_, users)| *users == 1));
    assert_eq!(ours, theirs);
}

#[test]
fn cikm11_duckdb_counts_the_same_triples() {
    let Some(python) = python("duckdb") else { return };
    counts_agree(&python, Kind::Vhost, "30");
    counts_agree(&python, Kind::Combined, "7");
}

#[test]
fn ours_duckdb_counts_the_same_records_without_users() {
    let Some(python) = python("duckdb") else { return };
    counts_agree(&python, Kind::Anonymous, "30");
}

#[test]
fn ours_visits_that_duckdb_wrote_are_read() {
    let Some(python) = python("duckdb") else { return };
    let folder = Folder::new();
    said(&python, WRITE, &[folder.path("theirs.parquet").to_str().unwrap()]);
    let urls = folder.urls(&["theirs.parquet"]);
    assert_eq!(urls["https://www.example.org/page"], (3, 3, 0));
    assert_eq!(urls["https://example.net/"], (1, 1, 0));
    let ran = folder.ingest(&["theirs.parquet", "-o", "visits"]);
    let ledger = ran.ledger();
    assert_eq!((ledger.lines, ledger.visits, ledger.users, ledger.sites, ledger.urls), (5, 5, 3, 2, 2));
    ran.says_none_of(&["ann@example.com", "bob-the-second"]);
    // Names became hashes, and times milliseconds.
    let rows = rows(&folder.path("visits"));
    assert_eq!(rows.iter().filter(|row| row.user.is_some()).count(), 3);
    assert_eq!(rows.iter().filter(|row| row.time_ms == 1_709_294_400_123).count(), 1);
    assert_eq!(folder.urls(&["visits"]), urls);
}
