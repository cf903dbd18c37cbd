//! URLs that the operator gave.

use trodden_mining::UrlCounts;

use super::files::{Files, visit};
use super::{Filled, TableSettings, fill, settings};

#[test]
fn ours_known_urls_are_in_the_table_of_their_site_with_zero_counts() {
    let files = Files::new();
    files.write(
        "a.parquet",
        &[visit(1, 1, "https://www.x.org/read", "https://www.x.org/from"), visit(1, 1, "http://y.org/", None)],
    );
    let known = [
        "http://x.org/read",
        "https://x.org/new?page=2#top",
        "HTTPS://WWW.X.org/new?page=2",
        "https://elsewhere.org/",
        "no URL",
        "http://x.org/from",
    ];
    for memory in [1, 1 << 30] {
        let known = known.map(str::to_owned).to_vec();
        let (sites, filled) = fill(&files, &TableSettings { known, memory, ..settings() });
        let site = &sites["x.org"];
        let urls: Vec<(&str, bool, u64)> = site.urls.iter().map(|(u, s)| (u.as_str(), s.2, s.0.visits)).collect();
        assert_eq!(urls, [("x.org/from", true, 0), ("x.org/new?page=2", true, 0), ("x.org/read", true, 1)]);
        assert_eq!(site.urls["x.org/new?page=2"], (UrlCounts::default(), Vec::new(), true));
        assert_eq!(site.origins, [("x.org".to_owned(), "https://www.x.org".to_owned())], "as visits write it");
        assert!(sites["y.org"].urls.values().all(|shown| !shown.2));
        let expected =
            Filled { sites: 2, visits_used: 2, known_elsewhere: vec![3], known_faulty: vec![4], ..Filled::default() };
        assert_eq!(filled, expected);
    }
}
