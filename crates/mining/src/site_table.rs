//! The URLs of one site, with what people did there.
//!
//! - `F_in(u)`: triples whose target is u → [`UrlCounts::visits`]
//! - `F_out(u)`: triples whose referrer is u → [`UrlCounts::referrals`]
//! - `F_trans(u,v)`: triples from u to v → [`SiteTable::transits`]
//!
//! URLs are numbered in the order of their texts, so a table does not depend on the order in which it was filled.

use hashbrown::HashMap;
use trodden_urls::Interner;

use crate::{Entrance, From, Triple};

/// What people did with one URL.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct UrlCounts {
    /// F_in: how often it was visited.
    pub visits: u64,
    /// F_out: how often it led on within the site.
    pub referrals: u64,
    /// How many of the visits came from outside, by [`Entrance`].
    pub entrances: [u64; Entrance::ALL.len()],
    /// How many different users visited it.
    pub users: u64,
}

/// Fills a table.
#[derive(Debug, Default)]
pub struct SiteTableBuilder {
    urls: Interner,
    counts: Vec<UrlCounts>,
    transits: HashMap<(u32, u32), u64>,
}

impl SiteTableBuilder {
    /// The number of a URL while the table is filled.
    pub fn url(&mut self, text: &str) -> u32 {
        let id = self.urls.intern(text);
        if self.counts.len() <= id as usize {
            self.counts.resize(id as usize + 1, UrlCounts::default());
        }
        id
    }

    /// Adds a triple of numbers that [`SiteTableBuilder::url`] gave.
    pub fn add(&mut self, triple: Triple) {
        let target = &mut self.counts[triple.target as usize];
        target.visits += 1;
        match triple.from {
            From::Outside(entrance) => target.entrances[entrance as usize] += 1,
            From::Page(page) => {
                self.counts[page as usize].referrals += 1;
                *self.transits.entry((page, triple.target)).or_default() += 1;
            }
        }
    }

    /// One more user visited a URL. To be called once a user and URL.
    pub fn add_user(&mut self, target: u32) {
        self.counts[target as usize].users += 1;
    }

    /// The table, with URLs in the order of their texts.
    pub fn finish(self, site: String) -> SiteTable {
        let Self { urls, counts, transits } = self;
        let mut order: Vec<u32> = (0..u32::try_from(urls.len()).unwrap_or(u32::MAX)).collect();
        order.sort_unstable_by(|a, b| urls.text(*a).cmp(urls.text(*b)));
        let mut rank = vec![0; order.len()];
        let mut sorted = Interner::default();
        for id in &order {
            rank[*id as usize] = sorted.intern(urls.text(*id));
        }
        let counts = order.iter().map(|id| counts[*id as usize]).collect();
        let mut transits: Vec<_> =
            transits.into_iter().map(|((u, v), n)| (rank[u as usize], rank[v as usize], n)).collect();
        transits.sort_unstable();
        SiteTable { site, urls: sorted, counts, transits }
    }
}

/// The URLs of one site, with what people did there.
#[derive(Debug)]
pub struct SiteTable {
    site: String,
    urls: Interner,
    counts: Vec<UrlCounts>,
    transits: Vec<(u32, u32, u64)>,
}

impl SiteTable {
    /// The site.
    pub fn site(&self) -> &str {
        &self.site
    }

    /// How many URLs it has.
    pub fn len(&self) -> usize {
        self.counts.len()
    }

    /// Whether it has none.
    pub fn is_empty(&self) -> bool {
        self.counts.is_empty()
    }

    /// A URL by its number: host and path.
    pub fn url(&self, id: u32) -> &str {
        self.urls.text(id)
    }

    /// The number of a URL.
    pub fn find(&self, text: &str) -> Option<u32> {
        self.urls.get(text)
    }

    /// What people did with a URL.
    pub fn counts(&self, id: u32) -> UrlCounts {
        self.counts[id as usize]
    }

    /// F_trans: (from, to, how often), ordered.
    pub fn transits(&self) -> &[(u32, u32, u64)] {
        &self.transits
    }

    /// All visits, F_in of the root.
    pub fn visits(&self) -> u64 {
        self.counts.iter().map(|c| c.visits).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cikm11_counts_in_out_and_trans_by_hand() {
        let mut table = SiteTableBuilder::default();
        let [b, a, c] = ["x.org/b", "x.org/a", "x.org/c"].map(|u| table.url(u));
        for (from, target) in [
            (From::Outside(Entrance::Search), a),
            (From::Outside(Entrance::Direct), a),
            (From::Page(a), b),
            (From::Page(a), b),
            (From::Page(b), c),
        ] {
            table.add(Triple { from, target });
        }
        table.add_user(a);
        let table = table.finish("x.org".to_owned());
        let counts = |url: &str| table.counts(table.find(url).unwrap());
        assert_eq!(counts("x.org/a"), UrlCounts { visits: 2, referrals: 2, entrances: [1, 1, 0, 0], users: 1 });
        assert_eq!(counts("x.org/b"), UrlCounts { visits: 2, referrals: 1, ..UrlCounts::default() });
        assert_eq!(table.transits(), [(0, 1, 2), (1, 2, 1)], "numbered by text: a, b, c");
        assert_eq!(table.visits(), 5);
    }
}
