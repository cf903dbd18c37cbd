//! What may a reader of a model rely on?
//!
//! A model file comes from outside. Whoever walks a model counts on these, so they are checked once, when it is read:
//!
//! - every node comes after its parent, no deeper than mining grows a tree: walks end, and cost what they should;
//! - counts of children are not more than those of their parent, and none is larger than [`MOST`]: sums do not overflow;
//! - numbers are finite, not negative, and no larger than [`MOST`];
//! - nodes that are named are there;
//! - globs of what it excludes are globs, and not too many.
//!
//! Cost: linear in the model.

use trodden_urls::UrlGlobs;

use super::{Node, SiteModel};
use crate::settings::MOST_DEPTH;

/// The largest count and the largest number: far more than any log has, and sums of sixteen million of them still fit.
const MOST: u64 = 1 << 40;

/// The most globs, and the longest.
const MOST_GLOBS: usize = 1_000;
const LONGEST_GLOB: usize = 1_000;

/// What is wrong with a model, if anything is.
pub(super) fn check(model: &SiteModel) -> Result<(), &'static str> {
    let nodes = u32::try_from(model.nodes.len()).map_err(|_| "it has too many nodes")?;
    tree(&model.nodes)?;
    let in_tree = |node: u32| node < nodes;
    if !model.transits.iter().all(|(from, to, _)| in_tree(*from) && in_tree(*to))
        || !model.urls.iter().all(|url| in_tree(url.pattern))
    {
        return Err("it names a node that it does not have");
    }
    let too_much = model.exclude.len() > MOST_GLOBS || model.exclude.iter().any(|glob| glob.len() > LONGEST_GLOB);
    if too_much || UrlGlobs::new(&model.exclude).is_err() {
        return Err("what it excludes is no list of globs");
    }
    counts(model)?;
    numbers(model)
}

fn tree(nodes: &[Node]) -> Result<(), &'static str> {
    match nodes.first() {
        None => return Err("it has no nodes"),
        Some(root) if root.parent != 0 => return Err("its root has a parent"),
        Some(_) => {}
    }
    let mut depths = vec![0_u32; nodes.len()];
    for (number, node) in nodes.iter().enumerate().skip(1) {
        if node.parent as usize >= number {
            return Err("a node comes before its parent");
        }
        depths[number] = depths[node.parent as usize] + 1;
        // A page with a pattern of its own hangs one below the tree.
        if depths[number] > MOST_DEPTH + 1 {
            return Err("its tree is deeper than any that is grown");
        }
    }
    Ok(())
}

fn counts(model: &SiteModel) -> Result<(), &'static str> {
    let of = |node: &Node| [node.urls, node.visited, node.visits, node.referrals];
    let too_large = "a count is too large";
    let mut left: Vec<[u64; 4]> = model.nodes.iter().map(of).collect();
    if left[0].iter().any(|count| *count > MOST) {
        return Err(too_large);
    }
    for node in &model.nodes[1..] {
        for (left, count) in left[node.parent as usize].iter_mut().zip(of(node)) {
            *left = left.checked_sub(count).ok_or("a node has less than the nodes below it")?;
        }
    }
    if model.nodes.iter().any(|node| node.visited > node.urls) {
        return Err("a node has more visited URLs than URLs");
    }
    let of_urls = model.urls.iter().flat_map(|url| [url.visits, url.referrals, url.users]);
    let of_transits = model.transits.iter().map(|(_, _, steps)| *steps);
    if of_urls.chain(of_transits).all(|count| count <= MOST) { Ok(()) } else { Err(too_large) }
}

fn numbers(model: &SiteModel) -> Result<(), &'static str> {
    let forecast = &model.forecast;
    let of_site = [forecast.discount, model.graph.residual];
    let of_nodes = model.nodes.iter().flat_map(|node| {
        let scores = node.scores.unwrap_or_default();
        [node.expect.unnamed, node.expect.unread, node.expect.uncovered, scores.auth, scores.hub]
    });
    let mut all = of_site.into_iter().chain(of_nodes).chain(model.urls.iter().map(|url| url.expected));
    if all.all(|number| (0.0..=MOST as f64).contains(&number)) { Ok(()) } else { Err("a number is out of range") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{ModelFault, ModelSet, NamedUrl, Way};
    use crate::{MiningSettings, SiteTableBuilder, TableOrigin, Triple, mine_site};

    fn model() -> SiteModel {
        let mut table = SiteTableBuilder::new(0);
        for n in 0..40 {
            let target = table.url(&format!("a.com/{}/{n}", n % 2));
            table.add(Triple { from: crate::From::Outside(crate::Entrance::Direct), target });
        }
        mine_site(&table.finish("a.com".to_owned()), &TableOrigin::default(), 0, &MiningSettings::default()).unwrap()
    }

    fn fault(change: impl FnOnce(&mut SiteModel)) -> String {
        let mut model = model();
        change(&mut model);
        let set = ModelSet::new(model.to_line().unwrap().into_bytes());
        match set.model(0) {
            Err(ModelFault::Damaged { what, .. }) => what,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn ours_what_is_mined_is_sound() {
        assert_eq!(check(&model()), Ok(()));
    }

    #[test]
    fn ours_a_tree_that_nobody_grew_is_refused_before_anybody_walks_it() {
        let deep = |model: &mut SiteModel| {
            let leaf = Node { urls: 0, visited: 0, visits: 0, referrals: 0, way: Way::Other, ..model.nodes[0].clone() };
            let first = model.nodes.len() as u32;
            model.nodes.extend((0..100_000).map(|n| Node { parent: first + n - 1, ..leaf.clone() }));
        };
        assert_eq!(fault(deep), "its tree is deeper than any that is grown");
        assert_eq!(fault(|model| model.nodes[1].parent = 1), "a node comes before its parent");
        assert_eq!(fault(|model| model.nodes[0].parent = 1), "its root has a parent");
    }

    #[test]
    fn ours_counts_that_cannot_be_and_numbers_that_are_none_are_refused() {
        assert_eq!(fault(|model| model.nodes[0].visits = u64::MAX), "a count is too large");
        assert_eq!(fault(|model| model.nodes[1].urls = 41), "a node has less than the nodes below it");
        assert_eq!(fault(|model| model.nodes[0].visited = 41), "a node has more visited URLs than URLs");
        assert_eq!(fault(|model| model.transits.push((0, 0, u64::MAX))), "a count is too large");
        let url =
            NamedUrl { url: "a.com/".to_owned(), visits: u64::MAX, referrals: 0, users: 1, pattern: 0, expected: 0.0 };
        assert_eq!(fault(|model| model.urls.push(url)), "a count is too large");
        assert_eq!(fault(|model| model.forecast.discount = -1.0), "a number is out of range");
        let globs = "what it excludes is no list of globs";
        assert_eq!(fault(|model| model.exclude = vec!["/a[b".to_owned()]), globs);
        assert_eq!(fault(|model| model.exclude = vec!["*".repeat(LONGEST_GLOB + 1)]), globs);
        assert_eq!(fault(|model| model.nodes[1].expect.unread = 1e300), "a number is out of range");
    }
}
