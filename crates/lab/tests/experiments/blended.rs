//! Promises of `blend` on made-up sites: traps starve, a log of ten lines changes next to nothing, levels cost next to
//! nothing, and more of a log is better.

use std::sync::OnceLock;

use tempfile::TempDir;
use trodden_lab::crawl::{CrawlLog, Progress, crawl};
use trodden_lab::experiment::policies::knowledge;
use trodden_lab::experiment::{Hidden, PolicySettings, SplitAt, Training, split, train};
use trodden_lab::graph::PageId;
use trodden_lab::synthetic::{Came, Role, Site, SyntheticSettings};
use trodden_lab::{Mirror, MirrorOptions, open_mirror};
use trodden_mining::Goal;
use trodden_ordering::policy::by_value::Fineness;
use trodden_ordering::policy::pagerank::Rerank;
use trodden_ordering::{Ingredient, Limits, PolicyName};

use crate::past::settings;
use crate::written::{Row, written};

/// A site of its default size, as a crawler finds it when its log ends, and what was read in the first two thirds of the
/// time.
struct World {
    site: Site,
    mirror: Mirror,
    /// By page of the mirror: visits after that.
    later: Vec<f64>,
    rows: Vec<Row>,
}

fn world() -> &'static World {
    static WORLD: OnceLock<World> = OnceLock::new();
    WORLD.get_or_init(|| {
        let site = Site::build(&SyntheticSettings { seed: 21, host: "site.test".to_owned(), ..Default::default() });
        let copy = site.mirror_at(site.end());
        let mut edges = String::new();
        for (from, url) in (0..).zip(&copy.urls) {
            for to in copy.links.targets(from) {
                edges += &format!("{url}\t{}\n", copy.urls[*to as usize]);
            }
        }
        let dir = TempDir::new().unwrap();
        let path = dir.path().join("links.tsv");
        std::fs::write(&path, edges).unwrap();
        let mirror = open_mirror(&[path.display().to_string()], None, &MirrorOptions::default()).unwrap();
        let cut = site.start().plus_days(i64::from(site.settings().days) * 2 / 3);
        let mut later = vec![0.0; mirror.pages() as usize];
        let mut rows = Vec::new();
        for visit in site.visits() {
            let path = &site.page(visit.page).path;
            if visit.at >= cut {
                if let Ok(page) = mirror.find(&site.url(visit.page)) {
                    later[page as usize] += 1.0;
                }
                continue;
            }
            let referrer = match visit.from {
                Came::Page { page, .. } => Some(site.url(page)),
                _ => None,
            };
            rows.push(Row {
                time_ms: visit.at.unix() * 1_000,
                user: Some(format!("{:?}", visit.reader)),
                path: path.clone(),
                referrer,
            });
        }
        World { site, mirror, later, rows }
    })
}

fn trained(rows: &[Row]) -> Training {
    let dir = TempDir::new().unwrap();
    let past = dir.path().join("past");
    split(&written(rows).visits, SplitAt::Until(i64::MAX), &Hidden::default(), &past).unwrap();
    train(&past.display().to_string(), &settings()).unwrap()
}

fn walk(name: &PolicyName, training: &Training, fineness: Fineness) -> CrawlLog {
    let world = world();
    let settings = PolicySettings { fineness, ..PolicySettings::new(Goal::Fetch, Rerank::Every(1_000)) };
    let start = [start(world)];
    let policy = knowledge(&world.mirror, &start, Some(training), &settings).policy(name).unwrap();
    crawl(&world.mirror, &start, policy, Limits::default(), &Progress::default()).unwrap()
}

fn start(world: &World) -> PageId {
    world.mirror.find(&world.site.url(Site::HOME)).unwrap()
}

/// The area under the curve of later visits.
fn area(order: &[PageId]) -> f64 {
    let later = &world().later;
    let all: f64 = order.iter().map(|page| later[*page as usize]).sum();
    let found =
        order.iter().enumerate().map(|(at, page)| later[*page as usize] * (1.0 - at as f64 / order.len() as f64));
    found.sum::<f64>() / all
}

#[test]
fn ours_traps_starve_as_long_as_there_is_anything_else() {
    let world = world();
    let log = walk(&PolicyName::Blend, &trained(&world.rows), Fineness::Levels);
    let is_trap: Vec<bool> = (0..world.mirror.pages())
        .map(|page| {
            let url = world.mirror.urls.get(page);
            let path = url.strip_prefix("http://site.test").unwrap();
            world.site.page(world.site.find(path).unwrap()).role == Role::Trap
        })
        .collect();
    let traps = is_trap.iter().filter(|trap| **trap).count();
    assert!(traps > 5_000, "{traps}");
    let mut explored = vec![false; is_trap.len()];
    log.explored.iter().for_each(|page| explored[*page as usize] = true);
    // Whoever fetches everything ends with traps: what counts is the crawl until nearly all is fetched that people read.
    let all: f64 = log.order.iter().map(|page| world.later[*page as usize]).sum();
    let mut left = 0.05 * all;
    let enough = log.order.iter().rposition(|page| {
        left -= world.later[*page as usize];
        left < 0.0
    });
    let enough = enough.unwrap();
    assert!(enough > 5_000, "{enough}");
    let wasted: Vec<u32> = log.order[..enough]
        .iter()
        .map(|page| u32::from(is_trap[*page as usize] && !explored[*page as usize]))
        .collect();
    let worst = wasted.windows(5_000).map(|window| window.iter().sum::<u32>()).max().unwrap();
    assert!(worst <= 100, "{worst} of 5,000 fetches went into traps before {enough}");
    let share = log.explored.len() as f64 / log.order.len() as f64;
    // Much of this site's traffic goes to what is new, so it is explored, but less than a site of which nothing is in sight.
    assert!((0.01..=0.05).contains(&share), "{share}");
}

#[test]
fn ours_ten_lines_of_a_log_change_next_to_nothing_and_more_lines_are_better() {
    let world = world();
    let none = walk(&PolicyName::BlendWithout(Ingredient::Log), &Training::default(), Fineness::Levels).order;
    let of = |lines: usize| walk(&PolicyName::Blend, &trained(&spread(&world.rows, lines)), Fineness::Levels).order;
    let ten = of(10);
    let agree = kendall(&none, &ten);
    let areas: Vec<f64> = [&none, &ten, &of(300), &of(3_000), &of(world.rows.len())].map(|order| area(order)).to_vec();
    assert!(agree >= 0.9, "{agree} {areas:?}");
    // Never much worse than with less, and much better in the end.
    assert!(areas.windows(2).all(|pair| pair[1] > pair[0] - 0.01), "{areas:?}");
    assert!(areas[4] > areas[0] + 0.03, "{areas:?}");
}

/// So many of the rows, from all of the time.
fn spread(rows: &[Row], lines: usize) -> Vec<Row> {
    (0..lines).map(|n| rows[n * rows.len() / lines].clone()).collect()
}

/// Kendall's τ of two orders of the same pages, by counting inversions while merging.
fn kendall(a: &[PageId], b: &[PageId]) -> f64 {
    let mut place = vec![0_u32; a.len().max(1 + *a.iter().max().unwrap() as usize)];
    (0..).zip(b).for_each(|(at, page)| place[*page as usize] = at);
    let mut places: Vec<u32> = a.iter().map(|page| place[*page as usize]).collect();
    let pairs = a.len() as f64 * (a.len() - 1) as f64 / 2.0;
    1.0 - 2.0 * inversions(&mut places) as f64 / pairs
}

fn inversions(places: &mut [u32]) -> u64 {
    if places.len() < 2 {
        return 0;
    }
    let middle = places.len() / 2;
    let (left, right) = places.split_at_mut(middle);
    let mut count = inversions(left) + inversions(right);
    let (mut merged, mut r) = (Vec::with_capacity(left.len() + right.len()), 0);
    for (l, place) in left.iter().enumerate() {
        while r < right.len() && right[r] < *place {
            merged.push(right[r]);
            count += (left.len() - l) as u64;
            r += 1;
        }
        merged.push(*place);
    }
    merged.extend_from_slice(&right[r..]);
    places.copy_from_slice(&merged);
    count
}

#[test]
fn ours_levels_cost_less_than_a_hundredth_of_the_area() {
    let training = trained(&world().rows);
    let [levels, exact] =
        [Fineness::Levels, Fineness::Exact].map(|fineness| area(&walk(&PolicyName::Blend, &training, fineness).order));
    assert!(levels > exact * 0.99, "{levels} by levels, {exact} nearly exactly");
}
