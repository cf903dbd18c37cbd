//! Orders by a mined model: where URLs stand, what goes first, and how sites share.
//!
//! The site: people read `/item/N` ten times as often as `/list/N`, and nothing else. The crawl meets URLs that nobody
//! has read yet, of both kinds and of none.

use std::collections::BTreeMap;
use std::sync::Arc;

use trodden_frontier::{MemoryFrontier, QueueId, Rotation, Time, UrlId};
use trodden_mining::model::LearntFrom;
use trodden_mining::{
    Entrance, From, Goal, MiningSettings, SiteModel, SiteTableBuilder, Strategy, TableOrigin, Triple, mine_site,
};
use trodden_ordering::policy::breadth_first::BreadthFirst;
use trodden_ordering::policy::by_value::{ByValue, Fineness};
use trodden_ordering::policy::pattern::ByPattern;
use trodden_ordering::standing::{CompiledModels, Standings, UNCOVERED};
use trodden_ordering::{Engine, Event, Limits, Next, OrderingPolicy, Outcome};
use trodden_urls::Aliases;

use crate::world::{Page, World, order};

/// The model of a site on which each of four hundred items and lists was read so often, by as many people.
fn model(site: &str, items: u32, lists: u32) -> SiteModel {
    let mut table = SiteTableBuilder::new(5);
    for (kind, times) in [("item", items), ("list", lists)] {
        for n in 0..400 {
            let target = table.url(&format!("{site}/{kind}/{n}"));
            for user in 0..times {
                table.add(Triple { from: From::Outside(Entrance::Direct), target });
                table.add_user(target, user);
            }
        }
    }
    let visits = u64::from(400 * (items + lists));
    let learnt = LearntFrom { first_ms: 0, last_ms: 1, dedup_days: 30, visits, users: items.max(lists).into() };
    let origin = TableOrigin { origins: BTreeMap::new(), learnt };
    mine_site(&table.finish(site.to_owned()), &origin, 1, &MiningSettings::default()).unwrap()
}

fn by_pattern(models: &[SiteModel], strategy: Strategy) -> Box<ByPattern> {
    let compiled = Arc::new(CompiledModels::new(models));
    let scores = compiled.scores(models, Goal::Fetch, strategy);
    Box::new(ByPattern::new(Standings::new(compiled), scores))
}

/// A home page that links to these paths, which link to nothing.
fn world(paths: &[&str]) -> World {
    let page = |path: &str| Page { url: format!("http://site.test{path}"), ..Page::default() };
    let mut pages = vec![page("/")];
    pages[0].links = (1..).zip(paths).map(|(n, _)| (n, String::new())).collect();
    pages.extend(paths.iter().map(|path| page(path)));
    World { pages }
}

#[test]
fn cikm11_the_best_pattern_goes_first_and_its_urls_as_found() {
    let world = world(&["/list/900", "/item/900", "/zoo/of/things", "/list/901", "/item/901", "/item/3"]);
    assert_eq!(order(&world, Box::new(BreadthFirst::default())), [0, 1, 2, 3, 4, 5, 6]);
    let mut more_items = order(&world, by_pattern(&[model("site.test", 30, 3)], Strategy::AverageVisit));
    assert_eq!(more_items, [0, 2, 5, 6, 1, 4, 3]);
    // The other way round, lists go first; what no pattern covers stays last.
    let more_lists = order(&world, by_pattern(&[model("site.test", 3, 30)], Strategy::AverageVisit));
    assert_eq!(more_lists, [0, 1, 4, 2, 5, 6, 3]);
    // Without a model of the site, everything goes as found.
    more_items = order(&world, by_pattern(&[model("other.test", 30, 3)], Strategy::AverageVisit));
    assert_eq!(more_items, [0, 1, 2, 3, 4, 5, 6]);
}

#[test]
fn ours_what_a_model_was_made_without_stands_nowhere() {
    let mut model = model("site.test", 30, 3);
    let stand = |model: &SiteModel, url: &str| Standings::new(Arc::new(CompiledModels::new([model]))).stand(url);
    assert!(stand(&model, "http://site.test/item/7").is_covered);
    model.exclude = vec!["/item/7*".to_owned(), "https://www.site.test/list/1".to_owned()];
    for url in ["http://site.test/item/7", "https://www.site.test/item/77", "http://site.test/list/1"] {
        let stand = stand(&model, url);
        assert_eq!((stand.lane, stand.is_covered), (UNCOVERED, false), "{url}");
    }
    assert!(stand(&model, "http://site.test/item/8").is_covered && stand(&model, "http://site.test/list/2").is_covered);
}

#[test]
fn ours_a_url_stands_where_its_pattern_is_however_it_is_spelled() {
    let models = [model("site.test", 30, 3), model("other.test", 3, 30)];
    let compiled = Arc::new(CompiledModels::new(&models));
    assert_eq!(compiled.lanes() as usize, 1 + models[0].nodes.len() + models[1].nodes.len());
    let mut standings = Standings::new(compiled.clone());
    let item = standings.lane("http://site.test/item/7");
    assert_ne!(item, UNCOVERED);
    for url in ["https://site.test/item/8", "https://www.site.test/item/1234", "HTTP://SITE.test:80/item/9#top"] {
        assert_eq!(standings.lane(url), item, "{url}");
    }
    let list = standings.lane("http://site.test/list/7");
    assert!(list != item && list != UNCOVERED);
    let elsewhere = standings.lane("http://other.test/item/7");
    assert!(![item, list, UNCOVERED].contains(&elsewhere));
    for url in ["http://nowhere.test/item/7", "no url", "", "mailto:ann@site.test"] {
        assert_eq!(standings.lane(url), UNCOVERED, "{url}");
    }
    // A model of a domain is that of the hosts below it; a host's own comes first.
    let below = standings.lane("http://shop.site.test/item/7");
    assert_eq!(standings.lane("http://shop.site.test/item/8"), below);
    let scores = compiled.scores(&models, Goal::Fetch, Strategy::AverageVisit);
    assert!(scores[item.0 as usize] > scores[list.0 as usize] && scores[UNCOVERED.0 as usize] == 0.0);
}

#[test]
fn ours_a_host_that_stands_for_another_is_looked_up_as_that() {
    let models = [model("site.test", 30, 3), model("other.test", 3, 30)];
    let aliases = Aliases::parse(["staging.test:8080=www.site.test", "other.test=site.test"]).unwrap();
    let mut standings = Standings::new(Arc::new(CompiledModels::new(&models).with_aliases(aliases)));
    let item = standings.lane("http://site.test/item/7");
    assert_ne!(item, UNCOVERED);
    assert_eq!(standings.lane("http://staging.test:8080/item/8"), item);
    assert_eq!(standings.lane("http://other.test/item/8"), item, "what was said counts more than a model of its own");
    assert_eq!(standings.lane("http://staging.test/item/8"), UNCOVERED, "another port is another host");
}

#[test]
fn ours_of_two_models_of_a_site_the_first_counts() {
    let [first, second] = [model("site.test", 30, 3), model("site.test", 3, 30)];
    let world = world(&["/list/900", "/item/900"]);
    assert_eq!(order(&world, by_pattern(&[first.clone(), second.clone()], Strategy::AverageVisit)), [0, 2, 1]);
    assert_eq!(order(&world, by_pattern(&[second, first], Strategy::AverageVisit)), [0, 1, 2]);
}

/// How often each of three sites was asked in a crawl of so many pages, each with as many URLs of one value.
fn shares(rotation: Rotation, values: [f64; 3], pages: usize) -> [usize; 3] {
    let urls = 400_u32;
    let all = (0..3 * urls).map(|key| (UrlId(key), values[(key / urls) as usize]));
    let policy = Box::new(ByValue::new(all, Fineness::Exact));
    let mut engine = Engine::new(MemoryFrontier::new(rotation), policy, Limits::default(), Vec::new());
    for key in 0..3 * urls {
        engine.seed(QueueId(key / urls), UrlId(key), "", Time(0)).unwrap();
    }
    for _ in 0..pages {
        let Next::Fetch(task) = engine.next(Time(0)).unwrap() else { panic!("something waits") };
        assert_eq!(task.queue, QueueId(task.key.0 / urls));
        engine.settle(&task, "", &Outcome::page(None), &mut [], Time(0)).unwrap();
    }
    let mut asked = [0; 3];
    for event in engine.into_log() {
        if let Event::Fetched { key, .. } = event {
            asked[(key.0 / urls) as usize] += 1;
        }
    }
    asked
}

#[test]
fn ours_sites_share_a_crawl_by_what_they_have_to_offer() {
    assert_eq!(shares(Rotation::Even, [8.0, 2.0, 0.0], 300), [100, 100, 100]);
    let [much, some, nothing] = shares(Rotation::ByPriority { floor: 0.05 }, [8.0, 2.0, 0.0], 300);
    assert!((3 * some..5 * some).contains(&much), "{much} {some} {nothing}");
    assert!((1..some).contains(&nothing), "{much} {some} {nothing}");
    // Orders by patterns ask for that; others share evenly.
    let by_model = by_pattern(&[model("site.test", 30, 3)], Strategy::AverageVisit);
    assert!(matches!(OrderingPolicy::rotation(&*by_model), Rotation::ByPriority { .. }));
    assert_eq!(BreadthFirst::default().rotation(), Rotation::Even);
}
