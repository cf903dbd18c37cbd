//! Models: a line of JSON a site, which may come from somebody else.

use trodden_mining::{Goal, ModelSet, Scratch, Strategy, TreeKind};

/// URLs that every model is asked about.
const URLS: &[&str] = &["example.org/", "www.example.org/a/b?c=d", "other.example/%41//x.html?", ""];

/// A model that is read can be written, read again, walked and ranked.
pub(super) fn line(input: &[u8]) {
    let set = ModelSet::new(input.to_vec());
    assert!(set.faults().iter().all(|fault| !fault.to_string().is_empty()));
    for (at, site) in set.sites().enumerate() {
        assert_eq!(set.find(site), Some(at));
        let Ok(model) = set.model(at) else { continue };
        let text = model.to_line().expect("a model that was read can be written");
        let again = ModelSet::new(text.into_bytes());
        assert_eq!(again.model(0).as_ref(), Ok(&model), "written and read again");
        for tree in [TreeKind::Syn, TreeKind::Visit, TreeKind::Tran] {
            let locator = model.locator_of(tree);
            let mut scratch = Scratch::default();
            for url in URLS.iter().copied().chain(model.urls.iter().take(20).map(|named| named.url.as_str())) {
                let place = locator.locate_text(&mut scratch, url);
                assert!(model.node(place.node()).is_some(), "a place that is not in the model");
                assert!(place.pattern().is_none_or(|pattern| model.node(pattern).is_some()));
                assert!(model.fetchable(url).len() <= url.len() + model.site.len() + 300);
            }
        }
        for goal in [Goal::Fetch, Goal::Discovery] {
            for strategy in Strategy::ALL {
                assert_eq!(model.ranking(goal, strategy).len(), model.patterns().count());
            }
        }
    }
}
