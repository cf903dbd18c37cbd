//! The same tables by a count so simple that it can be read: every text parsed, everything in maps.

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;
use proptest::sample::select;
use trodden_mining::{DedupWindow, Entrance, SLICES, UrlCounts};
use trodden_urls::{Canonicalizer, HostKey, Rules, Scheme};

use super::files::{Files, Stored};
use super::{Shown, fill, settings};
use crate::referrer::ReferrerClass;

const DAY: i64 = 86_400_000;

/// Host, origin, and host and path.
fn parsed(text: &str) -> Option<(String, String, String)> {
    let url = Canonicalizer::new(Rules::whatwg()).absolute(text.as_bytes()).ok()?;
    let host = HostKey::of(&url).to_string();
    let scheme = if url.scheme() == Scheme::Https { "https" } else { "http" };
    let port = url.port().map(|p| format!(":{p}")).unwrap_or_default();
    let origin = format!("{scheme}://{}{port}", url.host());
    let text = format!("{host}{}", url.path_and_query());
    Some((host, origin, text))
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Came {
    Page(String),
    Outside(usize),
}

fn simple(rows: &[Stored], kept: usize) -> BTreeMap<String, Shown> {
    let mut by_site: BTreeMap<String, Vec<(&Stored, String)>> = BTreeMap::new();
    for row in rows {
        let Some(target) = &row.target else { continue };
        let url = parsed(target);
        let site = row.site.clone().filter(|s| !s.is_empty()).or_else(|| url.clone().map(|u| u.0));
        if let Some(site) = site {
            by_site.entry(site).or_default().push((row, target.clone()));
        }
    }
    let window = DedupWindow::new(30, by_site.values().flatten().map(|(row, _)| row.time).min().unwrap_or(0));
    let mut tables = BTreeMap::new();
    for (site, rows) in by_site {
        let mut shown = Shown { times: (i64::MAX, i64::MIN), ..Shown::default() };
        let mut votes: BTreeMap<String, BTreeMap<String, u64>> = BTreeMap::new();
        let mut triples: BTreeMap<_, u32> = BTreeMap::new();
        let minute = |row: &Stored| window.minute(row.time);
        let minutes: Vec<u32> =
            rows.iter().filter(|(_, target)| parsed(target).is_some()).map(|(row, _)| minute(row)).collect();
        let buckets = |width: u32| minutes.iter().map(|m| m / width).collect::<BTreeSet<u32>>().len();
        let width = (0..32).map(|n| 1 << n).find(|width| buckets(*width) <= 512).unwrap();
        let minutes: Vec<u32> = minutes.iter().map(|minute| minute / width).collect();
        let slice_of = |minute: u32| {
            let minute = minute / width;
            let before = minutes.iter().filter(|m| **m < minute).count();
            let middle = 2 * before + minutes.iter().filter(|m| **m == minute).count();
            (1..SLICES).filter(|slice| middle * SLICES >= 2 * minutes.len() * slice).count()
        };
        let mut readers: BTreeMap<String, BTreeSet<u64>> = BTreeMap::new();
        // URLs that somebody without a name visited: all of them are one user.
        let mut alone: BTreeSet<String> = BTreeSet::new();
        let mut nobodies = Vec::new();
        for (row, target) in rows {
            let Some((host, origin, url)) = parsed(&target) else { continue };
            *votes.entry(host).or_default().entry(origin).or_default() += 1;
            shown.urls.entry(url.clone()).or_default();
            shown.visits += 1;
            shown.times = (shown.times.0.min(row.time), shown.times.1.max(row.time));
            let from = match row.referrer.as_deref().filter(|r| !r.is_empty()) {
                None => Came::Outside(Entrance::Direct as usize),
                Some(referrer) => match parsed(referrer) {
                    Some((host, origin, page)) if host == site => {
                        *votes.entry(host).or_default().entry(origin).or_default() += 1;
                        shown.urls.entry(page.clone()).or_default();
                        Came::Page(page)
                    }
                    other => Came::Outside(match other.map(|(host, ..)| ReferrerClass::of_host(&host)) {
                        Some(ReferrerClass::Search) => Entrance::Search as usize,
                        Some(ReferrerClass::Social) => Entrance::Social as usize,
                        _ => Entrance::OtherSite as usize,
                    }),
                },
            };
            match row.user {
                Some(user) => {
                    readers.entry(url.clone()).or_default().insert(user.cast_unsigned());
                    let first = triples.entry((user, window.of(minute(row)), from, url)).or_insert(u32::MAX);
                    *first = (*first).min(minute(row));
                }
                None => {
                    alone.insert(url.clone());
                    nobodies.push((from, url, minute(row)));
                }
            }
        }
        let triples = triples.into_iter().map(|((_, _, from, url), first)| (from, url, first));
        for (from, url, minute) in triples.chain(nobodies) {
            let counts = &mut shown.urls.get_mut(&url).unwrap().0;
            counts.visits += 1;
            counts.slices[slice_of(minute)] += 1;
            match from {
                Came::Outside(entrance) => counts.entrances[entrance] += 1,
                Came::Page(page) => {
                    shown.urls.get_mut(&page).unwrap().0.referrals += 1;
                    *shown.transits.entry((page, url)).or_default() += 1;
                }
            }
        }
        let users: Vec<u64> = readers.values().flatten().copied().collect::<BTreeSet<_>>().into_iter().collect();
        shown.users = users.len() as u64 + u64::from(!alone.is_empty());
        for (url, (counts, kept_readers, _)) in &mut shown.urls {
            let named = readers.remove(url).unwrap_or_default();
            let alone = alone.contains(url);
            let numbers = named.iter().map(|user| users.binary_search(user).unwrap() as u32);
            *kept_readers = numbers.chain(alone.then_some(users.len() as u32)).take(kept).collect();
            *counts = UrlCounts { users: named.len() as u64 + u64::from(alone), ..*counts };
        }
        shown.origins = votes
            .into_iter()
            .map(|(host, ways)| (host, ways.into_iter().max_by_key(|(way, n)| (*n, way.clone())).unwrap().0))
            .collect();
        if !shown.urls.is_empty() {
            tables.insert(site, shown);
        }
    }
    tables
}

/// Texts that are written in many ways; several are one URL.
fn texts() -> impl Strategy<Value = String> {
    let starts = select(vec![
        "http://x.org",
        "https://x.org",
        "http://www.x.org",
        "https://www.x.org",
        "https://x.org:443",
        "http://x.org:443",
        "HTTPS://X.org",
        "https://www.x.org.",
        "http://user:word@x.org",
        "https://y.org",
        "http://www.y.org:8080",
        "http://127.0.0.1",
        "http://1.2",
        "http://www.1.2",
        "http://www.com",
        "https://www.xn--bcher-kva.example",
        "https://b\u{fc}cher.example",
        "https://www.google.com",
        "https://t.co",
        "ftp://x.org",
        "x.org",
        "",
        "http:\\\\x.org",
        "https://www..org",
    ]);
    let ends = select(vec![
        "/",
        "",
        "/a",
        "/a#top",
        "/./a",
        "/a?",
        "/b?q=1",
        "/b%7e",
        "/b%7E",
        "?q=1",
        "/a\tb",
        "/ab",
        "/caf\u{e9}",
        "/c.d:e@f",
    ]);
    (starts, ends).prop_map(|(start, end)| format!("{start}{end}"))
}

prop_compose! {
    fn stored()(
        time in 0_i64..70 * DAY,
        site in prop_oneof![4 => Just(None), 1 => Just(Some("x.org")), 1 => Just(Some("y.org")), 1 => Just(Some(""))],
        user in prop_oneof![5 => (-3_i64..4).prop_map(Some), 1 => Just(None)],
        target in prop::option::weighted(0.95, texts()),
        referrer in prop::option::weighted(0.8, texts()),
    ) -> Stored {
        Stored { time, site: site.map(str::to_owned), user, target, referrer }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(128) })]

    #[test]
    fn cikm11_tables_are_those_of_a_simple_count(
        rows in prop::collection::vec(stored(), 0..120).prop_shuffle(),
        cut in any::<prop::sample::Index>(),
    ) {
        let expected = simple(&rows, 3);
        let (whole, pieces) = (Files::new(), Files::new());
        whole.write("a.parquet", &rows);
        prop_assert_eq!(&fill(&whole, &settings()).0, &expected);
        // Another order, another cut, a site at a time, another number of threads.
        let mut rows = rows;
        rows.reverse();
        let (first, second) = rows.split_at(cut.index(rows.len() + 1));
        pieces.write("a.parquet", first);
        pieces.write("b.parquet", second);
        let tight = super::TableSettings { memory: 1, threads: 3, ..settings() };
        prop_assert_eq!(&fill(&pieces, &tight).0, &expected);
    }
}

/// Rows as this program writes them, enough of them to fill runs on disk.
pub(super) fn many() -> Vec<Stored> {
    let mut n = 7_u64;
    let mut dice = move |sides: u64| {
        n = n.wrapping_mul(0x5851_F42D_4C95_7F2D).wrapping_add(0x1405_7B7E_F767_814F);
        (n >> 33) % sides
    };
    let mut rows = Vec::new();
    for _ in 0..15_000 {
        let host = ["a.org", "b.org", "b.org", "b.org", "c.org"][dice(5) as usize];
        let page = |n: u64| format!("https://www.{host}/{n}");
        let referrer = match dice(4) {
            0 => None,
            1 => Some("https://www.google.com/".to_owned()),
            _ => Some(page(dice(300))),
        };
        rows.push(Stored {
            time: dice(70 * DAY as u64).cast_signed(),
            site: Some(host.to_owned()),
            user: (dice(20) > 0).then(|| dice(200).wrapping_mul(0x9E37_79B9_7F4A_7C15).cast_signed()),
            target: Some(page(dice(300))),
            referrer,
        });
    }
    rows
}

#[test]
fn ours_tables_are_the_same_within_any_memory() {
    let rows = many();
    let files = Files::new();
    for (n, piece) in rows.chunks(6_000).enumerate() {
        files.write_own(&format!("{n}.parquet"), piece);
    }
    let expected = simple(&rows, 3);
    assert!(expected.len() == 3 && expected["b.org"].visits > 8_192, "several runs of 4,096 rows");
    for memory in [1, 1 << 19, 1 << 30] {
        for threads in [1, 2, 5] {
            let (got, filled) = fill(&files, &super::TableSettings { memory, threads, ..settings() });
            assert!(got == expected, "{memory} bytes, {threads} threads");
            assert_eq!((filled.sites, filled.visits_used), (3, 15_000));
        }
    }
}
