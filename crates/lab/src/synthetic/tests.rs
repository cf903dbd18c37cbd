//! What the synthetic site promises to experiments.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use super::*;

fn settings(seed: u64, scale: f64) -> SyntheticSettings {
    SyntheticSettings { seed, scale, ..SyntheticSettings::default() }
}

fn small() -> Site {
    Site::build(&settings(5, 0.15))
}

fn log_of(site: &Site) -> Vec<u8> {
    let mut log = Vec::new();
    site.write_log(&mut log).unwrap();
    log
}

#[test]
fn ours_a_seed_gives_the_same_bytes_and_another_seed_gives_others() {
    let [one, same, other] = [5, 5, 6].map(|seed| Site::build(&settings(seed, 0.03)));
    assert_eq!(log_of(&one), log_of(&same));
    assert_ne!(log_of(&one), log_of(&other));
    let (one, same) = (one.mirror_at(one.end()), same.mirror_at(same.end()));
    assert_eq!(one.urls, same.urls);
    assert_eq!(one.links.forward(), same.links.forward());
    assert_ne!(one.urls, other.mirror_at(other.end()).urls);
}

#[test]
fn ours_the_number_of_threads_does_not_matter() {
    let threads = |n| rayon::ThreadPoolBuilder::new().num_threads(n).build().unwrap();
    let [one, three] = [1, 3].map(|n| threads(n).install(|| Site::build(&settings(9, 0.03))));
    assert_eq!(one.visits(), three.visits());
}

#[test]
fn ours_readers_follow_only_links_that_stood_on_the_page_they_had_loaded() {
    let site = small();
    assert!(site.visits().is_sorted_by_key(|visit| visit.at));
    let mut loaded_pages = BTreeSet::new();
    let mut followed = 0;
    for visit in site.visits() {
        assert!(site.page(visit.page).born <= visit.at, "{} was not born", site.url(visit.page));
        assert!(site.start() <= visit.at && visit.at < site.end());
        if let Came::Page { page, loaded } = visit.from {
            followed += 1;
            assert!(loaded_pages.contains(&(visit.reader, page, loaded)), "nobody comes from a page they did not load");
            let links = site.links_at(page, loaded);
            assert!(links.iter().any(|link| link.to == visit.page), "{} does not link there", site.url(page));
        }
        loaded_pages.insert((visit.reader, visit.page, visit.at));
    }
    assert!(followed * 2 > site.visits().len());
}

#[test]
fn ours_many_visits_of_the_second_half_go_to_pages_nobody_read_in_the_first() {
    let site = small();
    let middle = site.start().plus_days(30);
    let (first, second): (Vec<&MadeVisit>, Vec<&MadeVisit>) = site.visits().iter().partition(|visit| visit.at < middle);
    let known: BTreeSet<PageId> = first.iter().map(|visit| visit.page).collect();
    let cold = second.iter().filter(|visit| !known.contains(&visit.page)).count();
    let newborn = second.iter().filter(|visit| site.page(visit.page).born >= middle).count();
    assert!(cold * 100 >= second.len() * 15, "{cold} of {}", second.len());
    assert!(newborn * 2 > cold, "most of them because they were not there: {newborn} of {cold}");
}

#[test]
fn ours_traps_are_a_quarter_of_the_pages_and_hardly_read() {
    let site = small();
    let traps = site.pages().iter().filter(|page| page.role == Role::Trap).count();
    let visits = site.visits().iter().filter(|visit| site.page(visit.page).role == Role::Trap).count();
    assert!(traps * 4 > site.pages().len(), "{traps} of {}", site.pages().len());
    assert!(visits * 100 < site.visits().len(), "{visits} of {}", site.visits().len());
}

#[test]
fn ours_news_are_read_while_fresh() {
    let site = small();
    let mut by_age = [0_u32; 4];
    for visit in site.visits() {
        let page = site.page(visit.page);
        let age = usize::try_from((visit.at - page.born) / time::DAY).unwrap();
        if page.section == Section::News && page.role == Role::Item && age < 8 {
            by_age[age / 2] += 1;
        }
    }
    assert!(by_age[0] > 2 * by_age[1] && by_age[1] > by_age[2] && by_age[2] > by_age[3], "{by_age:?}");
}

#[test]
fn ours_a_fifth_of_the_sections_are_opaque_and_people_read_them() {
    let opaque = Section::ALL.iter().filter(|section| section.is_opaque()).count();
    assert!(opaque * 5 >= Section::ALL.len());
    let site = small();
    let mut visits: BTreeMap<Section, usize> = BTreeMap::new();
    site.visits().iter().for_each(|visit| *visits.entry(site.page(visit.page).section).or_default() += 1);
    let read: usize = visits.iter().filter(|(section, _)| section.is_opaque()).map(|(_, visits)| visits).sum();
    assert!(read * 20 > site.visits().len(), "{read} of {}", site.visits().len());
    // The URLs of what people read there look like those of what they do not, fronts and listings included.
    for page in site.pages().iter().filter(|page| page.section.is_opaque()) {
        let (prefix, id) = page.path.split_at(page.path.len() - 8);
        assert!(["/p/", "/view?id="].contains(&prefix), "{}", page.path);
        assert!(id.bytes().all(|byte| byte.is_ascii_hexdigit()), "{}", page.path);
    }
    assert!(visits[&Section::Stories] > 20 * visits.get(&Section::Records).copied().unwrap_or(0));
}

#[test]
fn ours_readers_come_back_to_their_topics() {
    // Of two items that one reader reads, how often are both about the same topic? By chance, in one of 20 cases.
    let site = small();
    let mut last: BTreeMap<ReaderId, MadeTopic> = BTreeMap::new();
    let (mut same, mut pairs) = (0, 0);
    for visit in site.visits() {
        let Some(topic) = site.page(visit.page).topic else { continue };
        if let Some(before) = last.insert(visit.reader, topic) {
            pairs += 1;
            same += usize::from(before == topic);
        }
    }
    assert!(same * 3 > pairs, "{same} of {pairs}");
}

#[test]
fn ours_every_page_can_be_reached_from_home_at_any_time() {
    let site = small();
    let mut before = 0;
    for time in [site.start(), site.start().plus_days(20), site.end()] {
        let mirror = site.mirror_at(time);
        let reached = mirror.links.reachable(&[mirror.start]);
        let lost = reached.iter().position(|reached| !reached);
        assert_eq!(lost.map(|page| &mirror.urls[page]), None, "at {time}");
        assert!(mirror.urls.len() > before);
        before = mirror.urls.len();
    }
    assert_eq!(before, site.pages().len());
    let early = site.mirror_at(site.start());
    let unborn = site.pages().iter().position(|page| page.born > site.start()).unwrap() as PageId;
    assert_eq!(early.find(unborn), None);
    assert_eq!(early.find(Site::HOME), Some(early.start));
}

#[test]
fn ours_paths_are_found_and_belong_to_one_page() {
    let site = small();
    let paths: BTreeSet<&str> = site.pages().iter().map(|page| page.path.as_str()).collect();
    assert_eq!(paths.len(), site.pages().len());
    assert!((0..).zip(site.pages()).all(|(id, page)| site.find(&page.path) == Some(id)));
    assert_eq!(site.find("/nowhere"), None);
}

#[test]
fn ours_pages_change_when_they_say_so_and_at_no_other_time() {
    let site = small();
    let mut changed = 0;
    for page in (0..site.pages().len() as PageId).step_by(83).chain([Site::HOME]) {
        let born = site.page(page).born;
        assert_eq!(site.html(page, born + -1), "");
        assert!(site.links_at(page, born + -1).is_empty());
        let mut from = born;
        for change in site.changes(page).into_iter().take(40) {
            assert_eq!(site.html(page, from), site.html(page, change + -1), "{}", site.url(page));
            changed += usize::from(site.html(page, from) != site.html(page, change));
            from = change;
        }
    }
    assert!(changed > 100, "{changed}");
}

#[test]
fn ours_html_has_the_links_of_the_page() {
    let site = small();
    for page in (0..site.pages().len() as PageId).step_by(197) {
        let html = site.html(page, site.end());
        assert!((800..12_000).contains(&html.len()), "{} bytes: {}", html.len(), site.url(page));
        let links = site.links_at(page, site.end());
        assert_eq!(html.matches("<a href=").count(), links.len());
        for link in links {
            let href = format!("<a href=\"{}\">", site.page(link.to).path.replace('&', "&amp;"));
            assert!(html.contains(&href), "{href}");
        }
    }
}

/// Parts of a line of the combined log format: address, time, method, path, status, referrer, agent.
fn combined(line: &str) -> Option<[&str; 7]> {
    let (address, rest) = line.split_once(" - - [")?;
    let (time, rest) = rest.split_once("] \"")?;
    let (request, rest) = rest.split_once("\" ")?;
    let (numbers, rest) = rest.split_once(" \"")?;
    let (referrer, agent) = rest.strip_suffix('"')?.split_once("\" \"")?;
    let [method, path, "HTTP/1.1"] = request.split(' ').collect::<Vec<_>>()[..] else { return None };
    let (status, bytes) = numbers.split_once(' ')?;
    bytes.parse::<u64>().ok()?;
    let octets: Vec<u8> = address.split('.').filter_map(|octet| octet.parse().ok()).collect();
    (octets.len() == 4 && time.ends_with(" +0000") && !agent.contains('"') && path.starts_with('/'))
        .then_some([address, time, method, path, status, referrer, agent])
}

#[test]
fn ours_every_line_of_the_log_is_combined_and_they_tell_the_truth_in_order() {
    let site = small();
    let mut log = Vec::new();
    let tally = site.write_log(&mut log).unwrap();
    let log = String::from_utf8(log).unwrap();
    assert_eq!((tally.lines, tally.bytes), (log.lines().count() as u64, log.len() as u64));
    assert_eq!(tally.visits, site.visits().len() as u64);
    assert_eq!(tally.visits + tally.assets + tally.noise, tally.lines);

    let mut pages = Vec::new();
    let (mut methods, mut statuses) = (BTreeSet::new(), BTreeSet::new());
    let mut clock = String::new();
    for line in log.lines() {
        let [address, time, method, path, status, _, _] = combined(line).unwrap_or_else(|| panic!("{line}"));
        let (day, month, year) = (&time[..2], &time[3..6], &time[7..11]);
        let month = ["Feb", "Mar", "Apr", "May"].iter().position(|name| *name == month).unwrap();
        let now = format!("{year}-{month}-{day} {}", &time[12..20]);
        assert!(clock <= now, "{line}");
        clock = now;
        methods.insert(method.to_owned());
        statuses.insert(status.to_owned());
        if address.starts_with("10.") && method == "GET" && status == "200" {
            pages.extend(site.find(path));
        }
    }
    assert_eq!(pages.len(), site.visits().len());
    let mut truth: Vec<PageId> = site.visits().iter().map(|visit| visit.page).collect();
    pages.sort_unstable();
    truth.sort_unstable();
    assert_eq!(pages, truth);
    assert_eq!(methods.into_iter().collect::<Vec<_>>(), ["GET", "HEAD", "POST"]);
    assert_eq!(statuses.into_iter().collect::<Vec<_>>(), ["200", "301", "302", "404"]);
}

#[test]
fn ours_without_noise_a_line_is_a_visit() {
    let site = Site::build(&SyntheticSettings { noise: Noise::NONE, ..settings(5, 0.03) });
    let tally = site.write_log(&mut Vec::new()).unwrap();
    assert_eq!((tally.lines, tally.assets, tally.noise), (tally.visits, 0, 0));
    assert!(tally.visits > 500);
}

#[test]
fn ours_the_generator_knows_nothing_of_mining() {
    fn look(folder: &Path, read: &mut usize) {
        for entry in fs::read_dir(folder).unwrap().map(Result::unwrap) {
            if entry.path().is_dir() {
                look(&entry.path(), read);
            } else if entry.file_name() != "tests.rs" {
                let source = fs::read_to_string(entry.path()).unwrap();
                // Nothing of the workspace but this crate, and of that nothing but chance and graph.
                assert!(!source.contains("trodden_"), "{}", entry.path().display());
                let others = source.lines().filter(|line| line.starts_with("use crate::"));
                let own = ["use crate::chance", "use crate::graph", "use crate::synthetic"];
                assert!(others.clone().all(|line| own.iter().any(|own| line.starts_with(own))));
                *read += 1;
            }
        }
    }
    let mut read = 0;
    look(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src/synthetic"), &mut read);
    assert!(read > 20);
}
