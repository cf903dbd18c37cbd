//! Planted sites.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use trodden_mining::model::{Node, Way};
use trodden_mining::{
    Entrance, From, Locator, MiningSettings, NoModel, Place, Scratch, SiteModel, SiteTable, SiteTableBuilder,
    TableOrigin, TreeKind, Triple, mine_site,
};

/// What happens on a site, as told by a test.
#[derive(Clone, Debug, Default)]
pub(crate) struct Site {
    /// By URL: visits from outside, by user.
    visits: BTreeMap<String, Vec<u32>>,
    steps: Vec<(String, String, u32)>,
    known: Vec<String>,
    pub(crate) origin: TableOrigin,
}

impl Site {
    /// These URLs, each visited once, all by the same user.
    pub(crate) fn of<U: Into<String>>(urls: impl IntoIterator<Item = U>) -> Self {
        let mut site = Self::default();
        for url in urls {
            site.visit(url, 0..1);
        }
        site
    }

    /// Each of these users visits the URL from outside, once for each time they are named.
    pub(crate) fn visit(&mut self, url: impl Into<String>, users: impl IntoIterator<Item = u32>) -> &mut Self {
        self.visits.entry(url.into()).or_default().extend(users);
        self
    }

    /// Somebody went from one URL to the other, so many times; who is not told.
    pub(crate) fn step(&mut self, from: &str, to: &str, times: u32) -> &mut Self {
        self.steps.push((from.to_owned(), to.to_owned(), times));
        self
    }

    /// The operator knows this URL.
    pub(crate) fn know(&mut self, url: &str) -> &mut Self {
        self.known.push(url.to_owned());
        self
    }

    /// The table, filled in the order of the texts.
    pub(crate) fn table(&self, kept_readers: u32) -> SiteTable {
        let urls: Vec<&str> = self.visits.keys().map(String::as_str).collect();
        self.table_in_order(kept_readers, &urls, |user| user, false)
    }

    /// The table, filled in another order, with users under other numbers.
    pub(crate) fn table_in_order(
        &self,
        kept_readers: u32,
        order: &[&str],
        user: impl Fn(u32) -> u32,
        steps_first: bool,
    ) -> SiteTable {
        let mut builder = SiteTableBuilder::new(kept_readers);
        let add_steps = |builder: &mut SiteTableBuilder| {
            let steps: Box<dyn Iterator<Item = _>> =
                if steps_first { Box::new(self.steps.iter().rev()) } else { Box::new(self.steps.iter()) };
            for (from, to, times) in steps {
                let (page, target) = (builder.url(from), builder.url(to));
                for _ in 0..*times {
                    builder.add(Triple { from: From::Page(page), target });
                }
            }
        };
        if steps_first {
            add_steps(&mut builder);
        }
        for url in order {
            let target = builder.url(url);
            let mut users: Vec<u32> = self.visits[*url].iter().map(|u| user(*u)).collect();
            for _ in &users {
                builder.add(Triple { from: From::Outside(Entrance::Direct), target });
            }
            users.sort_unstable();
            users.dedup();
            if steps_first {
                users.reverse();
            }
            for user in users {
                builder.add_user(target, user);
            }
        }
        for url in &self.known {
            builder.known(url);
        }
        if !steps_first {
            add_steps(&mut builder);
        }
        builder.finish("a.com".to_owned())
    }

    /// Forgets the visits to all other URLs, and all steps.
    pub(crate) fn retain(&mut self, keep: impl Fn(&str) -> bool) {
        self.visits.retain(|url, _| keep(url));
        self.steps.clear();
    }

    pub(crate) fn urls(&self) -> Vec<&str> {
        self.visits.keys().map(String::as_str).collect()
    }

    pub(crate) fn mine(&self, min_users: u32, settings: &MiningSettings) -> Result<SiteModel, NoModel> {
        mine_site(&self.table(min_users), &self.origin, min_users, settings)
    }

    /// The model without a floor of privacy.
    pub(crate) fn model(&self, settings: &MiningSettings) -> SiteModel {
        self.mine(0, settings).unwrap()
    }
}

/// Settings under which a handful of URLs makes a tree, and no URL is a leaf of its own but the home page.
pub(crate) fn tiny() -> MiningSettings {
    MiningSettings {
        min_support: 2,
        support_share: 0.0,
        min_leaf: 2,
        own_leaf_share: 1.0,
        tree: TreeKind::Syn,
        ..MiningSettings::default()
    }
}

/// The default, of the syntax tree.
pub(crate) fn syn() -> MiningSettings {
    MiningSettings { tree: TreeKind::Syn, own_leaf_share: 1.0, ..MiningSettings::default() }
}

/// The key that splits the root.
pub(crate) fn first_split(model: &SiteModel) -> String {
    model.nodes[0].split.as_ref().map_or_else(|| "none".to_owned(), ToString::to_string)
}

pub(crate) fn children(model: &SiteModel, of: u32) -> Vec<(u32, &Node)> {
    (1..).zip(&model.nodes[1..]).filter(|(_, node)| node.parent == of).collect()
}

/// The ways to the children of a node, with the URLs that took them, sorted.
pub(crate) fn ways(model: &SiteModel, of: u32) -> Vec<String> {
    let mut ways: Vec<String> =
        children(model, of).iter().map(|(_, node)| format!("{}:{}", way(&node.way), node.urls)).collect();
    ways.sort();
    ways
}

pub(crate) fn way(way: &Way) -> String {
    match way {
        Way::Root => "root".to_owned(),
        Way::Kept(value) => format!("={value}"),
        Way::Absent => "absent".to_owned(),
        Way::Other => "other".to_owned(),
        Way::Page(url) => format!("page {url}"),
    }
}

/// The shape of a tree, without counts: a line a node.
pub(crate) fn drawn(model: &SiteModel) -> String {
    let mut depths: Vec<usize> = Vec::new();
    let mut out = String::new();
    for (number, node) in model.nodes.iter().enumerate() {
        let depth = if number == 0 { 0 } else { depths[node.parent as usize] + 1 };
        depths.push(depth);
        let split = node.split.as_ref().map(ToString::to_string).unwrap_or_default();
        let _ = writeln!(out, "{}{} [{split}]", "  ".repeat(depth), way(&node.way));
    }
    out
}

pub(crate) fn locate(locator: &Locator, url: &str) -> Place {
    locator.locate_text(&mut Scratch::default(), url)
}

/// A word of letters for a number; different numbers have different words.
pub(crate) fn word(number: usize) -> String {
    let mut word = String::from("w");
    let mut rest = number;
    loop {
        word.push(char::from(b'a' + (rest % 26) as u8));
        rest /= 26;
        if rest == 0 {
            return word;
        }
    }
}
