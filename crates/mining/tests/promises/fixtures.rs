//! Do models of every version stay readable?

use std::path::Path;

use trodden_mining::{Goal, ModelSet, Scratch, Strategy};

#[test]
fn ours_models_of_every_version_stay_readable() {
    for version in 1..=trodden_mining::model::MODEL_VERSION {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/fixtures/model-{version}.jsonl"));
        let set = ModelSet::new(std::fs::read(&path).expect("there is a fixture of each version"));
        assert_eq!(set.faults(), []);
        let model = set.model(set.find("shop.example").unwrap()).unwrap();
        assert_eq!(model.version, version);
        let first = model.ranking(Goal::Fetch, Strategy::Behavior)[0];
        assert_eq!(model.node(first.id).unwrap().pattern, "/product/#/{words}");
        let mut scratch = Scratch::default();
        let locator = model.locator();
        let unseen = locator.locate_text(&mut scratch, "shop.example/product/99999/never-seen-lamp");
        assert_eq!(unseen.pattern(), Some(first.id));
        assert_eq!(locator.locate_text(&mut scratch, "shop.example/product/99999/x?utm=1").pattern(), None);
        for named in &model.urls {
            assert_eq!(locator.locate_text(&mut scratch, &named.url).pattern(), Some(named.pattern), "{}", named.url);
        }
        assert_eq!(model.fetchable("shop.example/"), "https://www.shop.example/");
    }
}
