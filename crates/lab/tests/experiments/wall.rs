//! The wall: what people read later moves nobody but the oracles.

use tempfile::TempDir;
use trodden_lab::crawl::{Progress, crawl};
use trodden_lab::experiment::policies::{knowledge, oracle};
use trodden_lab::experiment::{Hidden, PolicySettings, SplitAt, Traffic, TrafficKind, Training, split, train};
use trodden_lab::graph::PageId;
use trodden_lab::{Kind, Mirror, MirrorOptions, open_mirror};
use trodden_mining::Goal;
use trodden_ordering::policy::pagerank::Rerank;
use trodden_ordering::{Limits, PolicyName, Predicate};

use crate::mirror_of;
use crate::past::settings;
use crate::written::{Row, row, written};

/// A hundred and one pages: two sections of fifty, half of each linked by the other half.
fn site() -> Mirror {
    let mut edges = String::new();
    for n in 0..50 {
        for section in ["old", "new"] {
            let from = if n < 25 { "/".to_owned() } else { format!("/{section}/{}", n - 25) };
            edges += &format!("http://site.test{from}\thttp://site.test/{section}/{n}\n");
        }
    }
    mirror_of(&edges)
}

const CUT: i64 = 1_000_000;

/// Twelve people read in the past, five times in six in `/old`, more of it the higher the number; later all read what
/// is marked.
fn rows(marked: &str) -> Vec<Row> {
    let past = (0..600_i64).map(|n| {
        let page = 49 - n % 50 * (n % 7) / 7;
        let section = if n % 6 == 5 { "new" } else { "old" };
        row(n * 60_000 % CUT, &format!("user {}", n % 12), &format!("/{section}/{page}")).from("/")
    });
    let future =
        (0..400_i64).map(|n| row(CUT + n * 1_000, &format!("late {}", n % 9), &format!("/{marked}/{}", 30 + n % 20)));
    past.chain(future).collect()
}

struct World {
    mirror: Mirror,
    training: Training,
    traffic: Traffic,
}

fn world(rows: &[Row]) -> World {
    let mirror = site();
    let dir = TempDir::new().unwrap();
    let past = dir.path().join("past");
    let split = split(&written(rows).visits, SplitAt::Until(CUT), &Hidden::default(), &past).unwrap();
    let training = train(&past.display().to_string(), &settings()).unwrap();
    let reachable = mirror.graph.reachable(&[0]);
    let traffic = Traffic::of(&split, &TrafficKind::Visits, &mirror, &reachable);
    World { mirror, training, traffic }
}

fn how() -> PolicySettings {
    PolicySettings {
        seed: 3,
        topic: Predicate::parse("new").ok(),
        ..PolicySettings::new(Goal::Fetch, Rerank::Every(5))
    }
}

/// The order of a policy; none if it cannot run here.
fn order(world: &World, name: &PolicyName) -> Option<Vec<PageId>> {
    let settings = how();
    let policy = if name.is_oracle() {
        oracle(name, &world.mirror, Some(&world.traffic)).unwrap()
    } else {
        knowledge(&world.mirror, &[0], Some(&world.training), &settings).policy(name).ok()?
    };
    Some(crawl(&world.mirror, &[0], policy, Limits::default(), &Progress::default()).unwrap().order)
}

#[test]
fn ours_nobody_who_could_run_knows_what_is_read_later() {
    let [one, two] = ["old", "new"].map(|marked| world(&rows(marked)));
    assert_eq!(one.mirror.notes.kind, Kind::UrlEdges);
    assert_eq!((one.traffic.total(), two.traffic.total()), (400.0, 400.0));
    assert_ne!(one.traffic.all, two.traffic.all);
    let mut ran = 0;
    for name in PolicyName::plain().chain(PolicyName::topical()) {
        let (Some(a), Some(b)) = (order(&one, &name), order(&two, &name)) else {
            // Without the text of pages.
            assert!(matches!(name, PolicyName::SimilarityNear(_) | PolicyName::Collaborative(_)), "{name}");
            continue;
        };
        ran += 1;
        assert_eq!(a.len(), 101, "{name}");
        match name {
            PolicyName::Ideal | PolicyName::IdealUnlinked => assert_ne!(a, b, "{name} knows the future"),
            _ => assert_eq!(a, b, "{name}"),
        }
    }
    assert_eq!(ran, 19 + 3);
}

#[test]
fn ours_who_learns_from_visits_learns_from_the_past() {
    // The same future after another past: those who learn differ, the others do not.
    let one = world(&rows("new"));
    let turned = |row: Row| {
        let other =
            if row.path.contains("old") { row.path.replace("old", "new") } else { row.path.replace("new", "old") };
        if row.time_ms < CUT { Row { path: other, ..row } } else { row }
    };
    let two = world(&rows("new").into_iter().map(turned).collect::<Vec<_>>());
    for name in ["url-visit", "overall-visit", "average-visit", "behavior"] {
        let name: PolicyName = name.parse().unwrap();
        assert_ne!(order(&one, &name), order(&two, &name), "{name}");
    }
    for name in ["breadth-first", "random", "pagerank", "location", "ideal"] {
        let name: PolicyName = name.parse().unwrap();
        assert_eq!(order(&one, &name), order(&two, &name), "{name}");
    }
}

#[test]
fn ours_oracles_are_not_to_be_had_as_policies() {
    let world = world(&rows("new"));
    let settings = how();
    let ingredients = knowledge(&world.mirror, &[0], Some(&world.training), &settings);
    for name in PolicyName::plain().filter(PolicyName::is_oracle) {
        assert!(ingredients.policy(&name).is_err(), "{name}");
        // Nor wrapped by one that could run.
        assert!(ingredients.policy(&PolicyName::Similarity(Box::new(name.clone()))).is_err(), "{name}");
    }
    for name in PolicyName::plain().filter(|name| !name.is_oracle()) {
        assert!(oracle(&name, &world.mirror, Some(&world.traffic)).is_err(), "{name}");
    }
}

/// Which steps are links.
#[derive(Clone, Copy)]
enum Steps {
    BeforeTheCut,
    All,
}

/// A log that is its own mirror. Steps that only later readers walk, by way of `chord`: the same URLs, each read once, in other orders and by other links.
fn own_mirror(chord: usize, steps: Steps) -> World {
    let mut all = rows("old");
    all.retain(|row| row.time_ms < CUT);
    all.extend(
        (0..40_i64)
            .map(|n| row(n * 7, &format!("walker {}", n % 6), &format!("/new/{n}")).from(&format!("/old/{}", n / 2))),
    );
    for n in 0..100_usize {
        let name = |n: usize| format!("/{}/{}", if n.is_multiple_of(2) { "old" } else { "new" }, n / 2);
        let walked = row(CUT + (n * chord % 101) as i64, &format!("late {}", n % 9), &name(n));
        all.push(if n % 5 == 0 { walked } else { walked.from(&name((n * chord + 1) % 100)) });
        if (n + chord).is_multiple_of(7) {
            all.push(row(CUT + 5_000 + n as i64, "again", &name(n)));
        }
    }
    let dir = TempDir::new().unwrap();
    let past = dir.path().join("past");
    let source = written(&all);
    let split = split(&source.visits, SplitAt::Until(CUT), &Hidden::default(), &past).unwrap();
    let training = train(&past.display().to_string(), &settings()).unwrap();
    let paths = [source.dir.path().join("visits.parquet").display().to_string()];
    let links_before_ms = match steps {
        Steps::BeforeTheCut => Some(split.cut_ms),
        Steps::All => None,
    };
    let options = MirrorOptions { links_before_ms, entry_seed: 5, ..MirrorOptions::default() };
    let mirror = open_mirror(&paths, None, &options).unwrap();
    let reachable = mirror.graph.reachable(&[0]);
    assert!(reachable.iter().all(|reached| *reached));
    let traffic = Traffic::of(&split, &TrafficKind::Unique, &mirror, &reachable);
    World { mirror, training, traffic }
}

#[test]
fn ours_a_log_that_is_its_own_mirror_links_nothing_by_later_steps() {
    let [one, two] = [3, 11].map(|chord| own_mirror(chord, Steps::All));
    assert_ne!(one.mirror.graph.forward(), two.mirror.graph.forward());
    let worlds = [3, 11].map(|chord| own_mirror(chord, Steps::BeforeTheCut));
    assert_eq!(worlds[0].mirror.notes.kind, Kind::Visits);
    assert_eq!(worlds[0].mirror.graph.forward(), worlds[1].mirror.graph.forward());
    assert_ne!(worlds[0].traffic.all, worlds[1].traffic.all);
    for name in PolicyName::plain() {
        let [a, b] = [0, 1].map(|at| order(&worlds[at], &name));
        match name {
            PolicyName::Ideal | PolicyName::IdealUnlinked => assert_ne!(a, b, "{name} knows the future"),
            _ => assert_eq!(a, b, "{name}"),
        }
    }
}
