//! What is done with what models and visits name: seeds, and budgets by pattern.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::sync::Arc;

use trodden_mining::ModelSet;
use trodden_ordering::standing::{CompiledModels, Standings};

use crate::run::Folder;
use crate::server::{Server, linking};

/// Pages of each of three sections; the first `LINKED` of them are linked from the home page, the rest from nowhere.
const PAGES: usize = 12;
const LINKED: usize = 4;
const SECTIONS: [&str; 3] = ["item", "story", "thread"];

/// A site most of whose pages nothing links to, and a folder with its log, its visits and its model.
struct Known {
    server: Server,
    folder: Folder,
}

fn paths(pages: usize) -> impl Iterator<Item = String> {
    SECTIONS.into_iter().flat_map(move |section| (0..pages).map(move |n| format!("/{section}/{n}")))
}

impl Known {
    /// Each page is read by fewer than the one before it, and each section by far fewer; the last page by so many.
    fn read_by(fewest: usize) -> Self {
        Self::without(fewest, |_| false)
    }

    /// The same, but these pages are gone.
    fn without(fewest: usize, is_gone: fn(&str) -> bool) -> Self {
        let server = Server::new(move |path| {
            let linked: Vec<String> = paths(LINKED).collect();
            let linked: Vec<&str> = linked.iter().map(String::as_str).collect();
            match path {
                "/" => Some(linking("Home", &linked)),
                path => (!is_gone(path) && paths(PAGES).any(|page| page == path)).then(|| linking(path, &["/"])),
            }
        });
        let mut log = String::new();
        for (place, path) in paths(PAGES).enumerate() {
            for user in 0..fewest + (SECTIONS.len() * PAGES - 1 - place) + 60 * (SECTIONS.len() - 1 - place / PAGES) {
                log += &format!(
                    "192.0.2.{user} - - [{:02}/Mar/2026:10:{place:02}:00 +0000] \"GET {path} HTTP/1.1\" 200 5 \"-\" \
                     \"Mozilla/5.0 (X11; rv:{user}.0) Firefox/130.0\"\n",
                    1 + user % 20
                );
            }
        }
        let folder = Folder::new();
        folder.write("access.log", log);
        let known = Self { server, folder };
        known.done(&["ingest", "access.log", "--site", &known.server.url("/"), "-o", "visits"]);
        known
    }

    fn mined(self) -> Self {
        self.done(&["mine", "visits", "-o", "site.model"]);
        self
    }

    fn done(&self, args: &[&str]) {
        let ran = self.folder.run(args);
        assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    }

    /// What a crawl with these words asks for, in order.
    fn asked(&self, words: &[&str]) -> Vec<String> {
        let (folder, before) = (Folder::new(), self.server.asked().len());
        let [visits, model] = ["visits", "site.model"].map(|name| self.folder.path(name).display().to_string());
        let home = self.server.url("/");
        let word = |word: &&str| match *word {
            "VISITS" => visits.clone(),
            "MODEL" => model.clone(),
            "HOME" => home.clone(),
            word => word.to_owned(),
        };
        let words: Vec<String> = words.iter().map(word).collect();
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        folder.crawl(&words).told().ended("drained");
        self.server.asked().split_off(before)
    }
}

fn set(paths: impl IntoIterator<Item = String>) -> BTreeSet<String> {
    paths.into_iter().collect()
}

fn with_home(paths: impl Iterator<Item = String>) -> BTreeSet<String> {
    set(paths.chain(["/".to_owned()]))
}

#[test]
fn ours_what_models_and_visits_name_is_fetched_though_nothing_links_there() {
    let known = Known::read_by(6).mined();
    for from in [["--model", "MODEL"], ["--seed-from", "MODEL"], ["--seed-from", "VISITS"]] {
        let all = known.asked(&[&["HOME"][..], &from].concat());
        assert_eq!(set(all), with_home(paths(PAGES)), "{from:?}");
        let linked = known.asked(&[&["HOME", "--linked-only"][..], &from].concat());
        assert_eq!(set(linked), with_home(paths(LINKED)), "{from:?}");
        // A named page links to the home page, which belongs to the crawl, too.
        let alone = known.asked(&from);
        assert_eq!(set(alone), with_home(paths(PAGES)), "{from:?}");
    }
}

#[test]
fn ours_a_crawl_that_learns_from_visits_is_reported_and_resumed_from_any_folder() {
    let known = Known::read_by(6);
    let home = known.server.url("/");
    known.folder.crawl(&[&home, "--seed-from", "visits", "--pages", "3"]).told();
    let dir = known.folder.path("c").display().to_string();
    let elsewhere = Folder::new();
    let ran = elsewhere.run(&["report", &dir]);
    assert_eq!((ran.code, ran.stderr.contains("warning")), (Some(0), false), "{}", ran.stderr);
    let ran = elsewhere.run(&["crawl", "-o", &dir, "--pages", "100"]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert_eq!(set(known.server.asked()), with_home(paths(PAGES)));
}

#[test]
fn ours_what_most_people_read_is_the_first_seed() {
    let known = Known::read_by(6).mined();
    for from in [["--model", "MODEL"], ["--seed-from", "VISITS"]] {
        let order = known.asked(&[&["--policy", "breadth-first", "--at-once", "1"][..], &from].concat());
        assert_eq!(order[..order.len() - 1], paths(PAGES).collect::<Vec<_>>(), "{from:?}");
    }
}

#[test]
fn ours_visits_of_too_few_for_a_model_are_seeds_as_they_were_written_if_that_is_said() {
    let known = Known::read_by(1);
    // Of this few users nobody would be told the name of the site; to crawl it, it is known.
    let few = ["--seed-from", "VISITS", "--seed-rare", "--set", "privacy.min_users=1000"];
    assert_eq!(set(known.asked(&[&["HOME"], &few[..]].concat())), with_home(paths(PAGES)));
    assert_eq!(set(known.asked(&few)), with_home(paths(PAGES)));
}

#[test]
fn ours_what_few_people_read_is_no_seed_unless_that_is_said() {
    let known = Known::read_by(1);
    // The last pages of the last section were read by one to four people each.
    let few: BTreeSet<String> = paths(PAGES).skip(SECTIONS.len() * PAGES - 4).collect();
    let words = ["HOME", "--seed-from", "VISITS"];
    let asked = set(known.asked(&words));
    assert!(few.is_disjoint(&asked) && asked.contains("/thread/7"), "{asked:?}");
    assert!(few.is_subset(&set(known.asked(&[&words[..], &["--seed-rare"]].concat()))));
    let [home, visits] = [known.server.url("/"), known.folder.path("visits").display().to_string()];
    known.folder.crawl(&[&home, "--seed-from", &visits]).says(&["4 URLs with too few visitors", "--seed-rare"]);
}

#[test]
fn ours_a_crawl_that_goes_by_visits_is_for_its_owner_only() {
    use std::os::unix::fs::PermissionsExt;
    fn modes(path: &std::path::Path, others: &mut Vec<String>) {
        let metadata = fs::metadata(path).unwrap();
        if metadata.permissions().mode() & 0o077 != 0 {
            others.push(format!("{} {:o}", path.display(), metadata.permissions().mode()));
        }
        if metadata.is_dir() {
            fs::read_dir(path).unwrap().for_each(|entry| modes(&entry.unwrap().path(), others));
        }
    }
    let known = Known::read_by(6).mined();
    let [home, visits] = [known.server.url("/"), known.folder.path("visits").display().to_string()];
    let of = |words: &[&str]| {
        let folder = Folder::new();
        folder.crawl(words).told();
        let mut others = Vec::new();
        modes(&folder.path("c"), &mut others);
        others
    };
    assert_eq!(of(&[&home, "--seed-from", &visits]), Vec::<String>::new());
    assert!(!of(&[&home]).is_empty(), "a crawl without visits is as public as its pages");
}

/// Counts paths by the pattern of the model that is at hand.
fn by_pattern(known: &Known, paths: &BTreeSet<String>) -> BTreeMap<u32, usize> {
    let model = fs::read(known.folder.path("site.model")).unwrap();
    let models = [ModelSet::new(model).model(0).unwrap()];
    let mut standings = Standings::new(Arc::new(CompiledModels::new(&models)));
    let mut counts = BTreeMap::<u32, usize>::new();
    for path in paths {
        *counts.entry(standings.lane(&known.server.url(path)).0).or_default() += 1;
    }
    counts
}

#[test]
fn ours_no_pattern_gets_more_than_its_budget_and_a_larger_one_goes_on() {
    let known = Known::read_by(6).mined();
    let all = by_pattern(&known, &with_home(paths(PAGES)));
    assert!(all.len() >= SECTIONS.len() && all.values().any(|pages| *pages > 5), "{all:?}");
    let home = known.server.url("/");
    let most = |most: usize| all.iter().map(|(lane, pages)| (*lane, (*pages).min(most))).collect::<BTreeMap<_, _>>();
    for (budget, words) in [(2, vec![home.as_str(), "--model", "site.model"]), (5, vec![]), (100, vec![])] {
        let budget_word = budget.to_string();
        let told = known.folder.crawl(&[&words[..], &["--pages-per-pattern", &budget_word]].concat()).told();
        let asked = known.server.asked();
        assert_eq!(asked.len(), set(asked.clone()).len(), "nothing twice: {asked:?}");
        assert_eq!(by_pattern(&known, &set(asked)), most(budget), "{}", told.0);
    }
}

#[test]
fn ours_what_is_no_page_costs_its_pattern_nothing_and_many_at_once_are_not_too_many() {
    // The pages that most people read are gone.
    let is_gone = |path: &str| ["/0", "/1", "/2"].iter().any(|end| path.ends_with(end));
    let known = Known::without(6, is_gone).mined();
    let there = |paths: Vec<String>| by_pattern(&known, &set(paths.into_iter().filter(|path| !is_gone(path))));
    let most: BTreeMap<u32, usize> =
        there(paths(PAGES).collect()).into_iter().map(|(lane, pages)| (lane, pages.min(2))).collect();
    assert!(most.len() >= SECTIONS.len(), "{most:?}");
    let words = ["--model", "site.model", "--pages-per-pattern", "2", "--at-once-per-host", "8", "--exclude", "/"];
    let ran = known.folder.crawl(&words);
    ran.told().ended("budget");
    assert_eq!(there(known.server.asked()), most, "{:?}", known.server.asked());
    ran.says(&["to resume: trodden crawl -o c --pages-per-pattern 4"]);
}
