//! Is there a row for every URL, do all forms of the list agree, and is every broken link told with its pages?

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::{Seek, SeekFrom};
use std::process::Command;

use serde_json::Value;
use trodden_archive::Caps;
use trodden_archive::warc::{RecordKind, WarcReader};

use crate::run::{Folder, Told, archives};
use crate::server::{Server, html, linking, status, typed};

/// A site with everything that a list has to tell apart.
fn site() -> Server {
    let same = "<!doctype html><title>same</title><p>The same words on two pages, long enough to be kept once.</p>\
        <a href=/gone>gone</a>";
    let pages = [
        ("/robots.txt", typed("text/plain", b"User-agent: *\nDisallow: /secret\n")),
        (
            "/",
            linking(
                "home",
                &["/a", "/b", "/gone", "/moved", "/secret", "/paper.pdf", "/copy-1", "/copy-2", "/locked", "/fails"],
            ),
        ),
        ("/a", linking("a", &["/", "/gone", "/gone?again#there", "/b", "/b", "/a"])),
        ("/b", html("<title>b</title><base href=/deep/><a href=../gone>x</a><a rel=nofollow href=/gone2>y</a>")),
        ("/gone?again", status(410)),
        ("/moved", status(301).header("Location", "/nowhere")),
        ("/paper.pdf", typed("application/PDF; version=\"=1+1\"", b"%PDF")),
        ("/copy-1", html(same)),
        ("/copy-2", html(same)),
        ("/locked", status(403)),
        ("/fails", status(500)),
        ("/gone2", linking("nobody follows", &[])),
    ];
    Server::of(&pages)
}

fn crawled(args: &[&str]) -> (Server, Folder, Told) {
    let (server, folder) = (site(), Folder::new());
    let told = folder.crawl(&[&[server.url("/").as_str()], args].concat()).told();
    (server, folder, told)
}

fn listed(folder: &Folder) -> BTreeMap<String, Value> {
    let ran = folder.run(&["report", "c", "--urls", "urls.jsonl"]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let text = std::fs::read_to_string(folder.path("urls.jsonl")).unwrap();
    let rows = text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    rows.map(|row| (row["url"].as_str().unwrap().to_owned(), row)).collect()
}

#[test]
fn ours_every_url_has_a_row_and_rows_add_up_with_the_summary() {
    let (server, folder, told) = crawled(&[]);
    let rows = listed(&folder);
    let mut outcomes: BTreeMap<String, u64> = BTreeMap::new();
    for row in rows.values().filter(|row| !row["outcome"].is_null()) {
        *outcomes.entry(row["outcome"].as_str().unwrap().to_owned()).or_default() += 1;
    }
    assert_eq!(outcomes, told.outcomes());
    assert_eq!(rows.len() as u64, told.0["known"].as_u64().unwrap());
    let bytes: u64 = rows.values().filter_map(|row| row["bytes"].as_u64()).sum();
    assert_eq!(bytes, told.0["bytes"].as_u64().unwrap());
    let row = |path: &str| &rows[&server.url(path)];
    let a = row("/a");
    assert_eq!((&a["status"], &a["state"], &a["outcome"]), (&200.into(), &"settled".into(), &"page".into()));
    assert_eq!((&a["depth"], &a["media_type"]), (&1.into(), &"text/html".into()));
    assert_eq!(a["referrer"], server.url("/"));
    // One page links once, and never to itself.
    assert_eq!(["/", "/a", "/b", "/gone"].map(|path| row(path)["in_links"].as_u64().unwrap()), [1, 1, 2, 5]);
    assert_eq!((&row("/")["referrer"], &row("/")["depth"]), (&Value::Null, &0.into()));
    assert_eq!(row("/paper.pdf")["media_type"], "application/pdf");
    let secret = row("/secret");
    assert_eq!((&secret["outcome"], &secret["status"]), (&"robots-denied".into(), &Value::Null));
    assert_eq!(row("/nowhere")["referrer"], server.url("/moved"));
    // What the list says of the archive is so.
    for row in rows.values().filter(|row| !row["warc_file"].is_null()) {
        let path = folder.path("c/archive").join(row["warc_file"].as_str().unwrap());
        let mut file = File::open(path).unwrap();
        file.seek(SeekFrom::Start(row["warc_offset"].as_u64().unwrap())).unwrap();
        let record = WarcReader::new(file, Caps::default()).next().unwrap().unwrap();
        assert!(matches!(record.kind, RecordKind::Response | RecordKind::Revisit));
        assert_eq!(record.target.as_deref(), row["url"].as_str());
    }
}

#[test]
fn ours_what_waits_has_a_row_too() {
    let (_server, folder, told) = crawled(&["--pages", "2"]);
    told.ended("budget");
    let rows = listed(&folder);
    let waiting = rows.values().filter(|row| row["state"] == "waiting" || row["state"] == "deferred").count() as u64;
    assert!(waiting > 0);
    assert_eq!(waiting, told.0["waiting"].as_u64().unwrap());
    assert_eq!(rows.len() as u64, told.0["known"].as_u64().unwrap());
    for row in rows.values().filter(|row| row["state"] == "waiting") {
        assert!(row["outcome"].is_null() && row["time"].is_null() && row["warc_file"].is_null(), "{row}");
    }
}

#[test]
fn ours_a_list_of_a_crawl_without_an_archive_counts_no_links() {
    let (server, folder, _) = crawled(&["--no-archive"]);
    let rows = listed(&folder);
    assert!(rows[&server.url("/a")]["in_links"].is_null());
    assert_eq!(rows[&server.url("/a")]["status"], 200);
}

#[test]
fn ours_csv_jsonl_and_parquet_are_the_same_to_duckdb() {
    let Some(python) = trodden_testing::python("duckdb") else { return };
    let (_server, folder, told) = crawled(&[]);
    for form in ["csv", "jsonl", "parquet"] {
        let ran =
            folder.run(&["report", "c", "--urls", &format!("urls.{form}"), "--broken", &format!("broken.{form}")]);
        assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    }
    let script = r#"
import duckdb, json
def rows(table):
    readers = {
        "csv": f"read_csv('{table}.csv', all_varchar=false)",
        "jsonl": f"read_json('{table}.jsonl', format='newline_delimited')",
        "parquet": f"read_parquet('{table}.parquet')",
    }
    names = [row[0] for row in duckdb.sql(f"describe select * from {readers['parquet']}").fetchall()]
    def cell(name, form):
        if name == "time":
            return "epoch_ms(time::timestamptz)"
        if name in ("expected_visits",):
            return f'round("{name}"::double, 6)'
        return f'"{name}"::varchar'
    every = {}
    for form, reader in readers.items():
        columns = ", ".join(cell(name, form) for name in names)
        every[form] = sorted(duckdb.sql(f"select {columns} from {reader}").fetchall(), key=str)
    assert every["csv"] == every["jsonl"] == every["parquet"], every
    return every["parquet"]
urls, broken = rows("urls"), rows("broken")
kinds = dict(duckdb.sql("select outcome, count(*) from 'urls.parquet' where outcome is not null group by 1").fetchall())
print(json.dumps({"urls": len(urls), "broken": len(broken), "outcomes": kinds}))
"#;
    let output = Command::new(python).current_dir(folder.path("")).arg("-c").arg(script).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let said: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(said["outcomes"], told.0["outcomes"]);
    assert_eq!(said["urls"], told.0["known"]);
    assert!(said["broken"].as_u64().unwrap() > 4);
}

#[test]
fn ours_broken_links_are_what_a_plain_script_finds_in_the_archive() {
    let Some(python) = trodden_testing::python("warcio") else { return };
    let (server, folder, _) = crawled(&[]);
    let ran = folder.run(&["report", "c", "--broken", "broken.jsonl"]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let text = std::fs::read_to_string(folder.path("broken.jsonl")).unwrap();
    let ours: BTreeSet<(String, String)> = text
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap())
        .map(|row| (row["page"].as_str().unwrap().to_owned(), row["url"].as_str().unwrap().to_owned()))
        .collect();
    // Nothing of ours: the standard library finds links, warcio reads.
    let script = r#"
import sys
from html.parser import HTMLParser
from urllib.parse import urljoin, urldefrag
from warcio.archiveiterator import ArchiveIterator

class Links(HTMLParser):
    def __init__(self):
        super().__init__()
        self.base, self.hrefs = None, []
    def handle_starttag(self, tag, attrs):
        href = dict(attrs).get("href")
        if tag == "base" and href and self.base is None:
            self.base = href
        if tag in ("a", "area") and href is not None:
            self.hrefs.append(href)

statuses, leads, bodies, repeats = {}, set(), {}, []
def read(url, html):
    links = Links()
    links.feed(html)
    base = urljoin(url, links.base) if links.base else url
    for href in links.hrefs:
        leads.add((url, urldefrag(urljoin(base, href)).url))
for name in sys.argv[1:]:
    for record in ArchiveIterator(open(name, "rb")):
        url = record.rec_headers.get_header("WARC-Target-URI")
        if record.rec_type not in ("response", "revisit") or url.endswith("/robots.txt"):
            continue
        status = int(record.http_headers.get_statuscode())
        statuses[url] = status
        to = record.http_headers.get_header("Location")
        if 300 <= status < 400 and to:
            leads.add((url, urljoin(url, to)))
        digest = record.rec_headers.get_header("WARC-Payload-Digest")
        if status == 200 and "html" in (record.http_headers.get_header("Content-Type") or ""):
            if record.rec_type == "revisit":
                repeats.append((url, digest))
            else:
                bodies[digest] = record.content_stream().read().decode()
                read(url, bodies[digest])
for url, digest in repeats:
    read(url, bodies[digest])
ours = (401, 403, 407, 429, 451)
for page, to in sorted(leads):
    if statuses.get(to, 200) >= 400 and statuses[to] not in ours and page != to:
        print(page, to)
"#;
    let files = archives(&folder.path("c/archive"));
    let output = Command::new(python).arg("-c").arg(script).args(files).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let said = String::from_utf8(output.stdout).unwrap();
    let theirs: BTreeSet<(String, String)> =
        said.lines().filter_map(|line| line.split_once(' ')).map(|(a, b)| (a.to_owned(), b.to_owned())).collect();
    assert_eq!(ours, theirs);
    assert!(ours.contains(&(server.url("/b"), server.url("/gone"))), "beside the base of the page");
    assert!(ours.contains(&(server.url("/copy-2"), server.url("/gone"))), "of a page that was kept once for two");
    assert!(ours.contains(&(server.url("/moved"), server.url("/nowhere"))));
    let page = std::fs::read_to_string(folder.path("c/report.html")).unwrap();
    assert!(page.contains("Broken links") && page.contains("/copy-2"), "the report names them");
}

#[test]
fn ours_a_list_needs_a_crawl_and_a_name_that_says_its_form() {
    let (_server, folder, _) = crawled(&["--pages", "1"]);
    folder.run(&["report", "c", "--urls", "urls.xlsx"]).fails(&["--urls urls.xlsx", ".parquet"]);
    assert!(!folder.path("urls.xlsx").exists());
    std::fs::create_dir(folder.path("empty")).unwrap();
    folder.run(&["report", "empty", "--broken", "b.csv"]).fails(&["holds no crawl"]);
}
