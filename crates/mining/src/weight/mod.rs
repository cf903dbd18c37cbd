//! How much memory do the table of a site and its mining take?
//!
//! It has to be known before the memory is used, so it is told from what is known while URLs come in. With U URLs, T
//! bytes of their texts, E components of all URLs together, C different ones, N different names of parameters, and X
//! different transits:
//!
//! ```text
//! filling  = 2·T + 200·U + 32·X                             texts twice while they are sorted, counts, readers, triples
//! mining   = 2.5·T + 180·U + 16·X + 4·E + 55·C + 200·N      the table, rows, components, arrays of the tree
//! ```
//!
//! The factors were fitted to the peaks of real runs, from above: of a million URLs with two new components each (1.1 times
//! the peak), of as many with referrers (1.2 times), and of URLs with eight new components (1.15 times) or a new name of a
//! parameter each (1.05 times). A test of the program holds them. Transits are not counted while URLs come in: there are at most as many as visits, and at most [`TRANSITS`] a URL
//! are reckoned with.
//!
//! T, U and E are counted. C and N are first taken for their upper bound, every component a new one, which costs nothing.
//! Where that is too much ([`SiteWeight::refine`]), they are told by a sample ([`Distinct`]).

mod distinct;

use trodden_urls::component::{MAX_PARAMETERS, MAX_SEGMENTS, UrlParts};
use trodden_urls::segment_shape;
use xxhash_rust::xxh3::xxh3_64_with_seed;

pub use distinct::Distinct;

use crate::SiteTable;

/// Different transits that are reckoned with for each URL, at most: people go on from a page to some others, not to all.
const TRANSITS: u64 = 8;

/// What a site weighs.
#[derive(Clone, Debug, Default)]
pub struct SiteWeight {
    urls: u64,
    text_bytes: u64,
    segments: u64,
    parameters: u64,
    sample: Option<Box<Sample>>,
}

/// What is different, by samples.
#[derive(Clone, Debug, Default)]
struct Sample {
    urls: Distinct,
    components: Distinct,
    names: Distinct,
    shape: String,
}

impl SiteWeight {
    /// The weight of a table, by its upper bound.
    pub fn of(table: &SiteTable) -> Self {
        let mut weight = Self::default();
        (0..u32::try_from(table.len()).unwrap_or(u32::MAX)).for_each(|url| weight.add(table.url(url)));
        weight
    }

    /// Adds a URL: host and path. One that was added before counts again, unless there is a sample.
    pub fn add(&mut self, url: &str) {
        self.urls += 1;
        self.text_bytes += url.len() as u64;
        let (mut segments, mut parameters) = (0, 0);
        for byte in url.bytes() {
            segments += u64::from(byte == b'/');
            parameters += u64::from(byte == b'?' || byte == b'&');
        }
        self.segments += segments.min(MAX_SEGMENTS as u64);
        self.parameters += parameters.min(MAX_PARAMETERS as u64);
        if let Some(sample) = &mut self.sample {
            sample.add(url);
        }
    }

    /// Samples what is different, among the URLs so far, which have to be given again, and among all that come.
    pub fn refine<'u>(&mut self, urls: impl Iterator<Item = &'u str>) {
        let mut sample = Box::<Sample>::default();
        urls.for_each(|url| sample.add(url));
        self.sample = Some(sample);
    }

    /// Whether there is a sample.
    pub fn is_refined(&self) -> bool {
        self.sample.is_some()
    }

    /// Different URLs.
    pub fn urls(&self) -> u64 {
        self.sample.as_ref().map_or(self.urls, |sample| sample.urls.count())
    }

    /// Bytes that filling the table takes at its height, with so many visits; rows of visits not counted.
    pub fn filling(&self, visits: u64) -> u64 {
        2 * self.text() + 200 * self.urls() + 32 * self.transits(visits)
    }

    /// Bytes that the table and mining it take at their height, with so many visits.
    pub fn mining(&self, visits: u64) -> u64 {
        let (components, names) = match &self.sample {
            Some(sample) => (sample.components.count(), sample.names.count()),
            None => (2 * self.segments + self.parameters, self.parameters),
        };
        // Host labels, depth and slash are in every row.
        let entries = self.share(2 * self.segments + self.parameters) + 5 * self.urls();
        let table = self.text() * 5 / 2 + 180 * self.urls() + 16 * self.transits(visits);
        table + 4 * entries + 55 * components + 200 * names
    }

    /// Bytes of different texts.
    pub fn text(&self) -> u64 {
        self.share(self.text_bytes)
    }

    /// The part of a sum over all URLs that different ones have.
    fn share(&self, sum: u64) -> u64 {
        u64::try_from(u128::from(sum) * u128::from(self.urls()) / u128::from(self.urls.max(1))).unwrap_or(u64::MAX)
    }

    fn transits(&self, visits: u64) -> u64 {
        visits.min(TRANSITS.saturating_mul(self.urls()))
    }
}

/// Seeds that keep kinds of components apart; positions of segments are added.
const VALUES: u64 = 0;
const SHAPES: u64 = 1 << 8;
const PARAMETERS: u64 = 1 << 9;

impl Sample {
    fn add(&mut self, url: &str) {
        self.urls.add(xxh3_64_with_seed(url.as_bytes(), 0));
        let parts = UrlParts::of(url);
        for (at, segment) in (0_u64..).zip(parts.segments()) {
            self.components.add(xxh3_64_with_seed(segment.as_bytes(), VALUES + at));
            self.shape.clear();
            segment_shape(segment, &mut self.shape);
            self.components.add(xxh3_64_with_seed(self.shape.as_bytes(), SHAPES + at));
        }
        for (name, values) in parts.parameters() {
            let name = xxh3_64_with_seed(name.as_bytes(), PARAMETERS);
            self.names.add(name);
            self.components.add(xxh3_64_with_seed(values.readable().as_bytes(), name));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn weight(urls: &[String]) -> SiteWeight {
        let mut weight = SiteWeight::default();
        urls.iter().for_each(|url| weight.add(url));
        weight
    }

    #[test]
    fn ours_a_sample_weighs_what_is_repeated_once() {
        let urls: Vec<String> =
            (0..50_000).map(|n| format!("x.org/section/{}/item-{n}?page={}", n % 10, n % 7)).collect();
        let rough = weight(&urls);
        let mut fine = rough.clone();
        fine.refine(urls.iter().map(String::as_str));
        let near = |got: u64, wanted: u64| got.abs_diff(wanted) * 20 < wanted;
        assert!(near(fine.urls(), 50_000), "{}", fine.urls());
        assert!(fine.mining(0) * 2 < rough.mining(0), "{} {}", fine.mining(0), rough.mining(0));
        assert!(near(fine.filling(0), rough.filling(0)));
        // The same URLs again weigh nothing.
        let before = fine.mining(0);
        urls.iter().for_each(|url| fine.add(url));
        assert!(near(fine.mining(0), before), "{} {before}", fine.mining(0));
    }

    #[test]
    fn ours_every_parameter_and_segment_weighs() {
        let plain: Vec<String> = (0..1_000).map(|n| format!("x.org/{n}")).collect();
        let rich: Vec<String> = (0..1_000).map(|n| format!("x.org/{n}/a{n}/b{n}?c{n}=1&d={n}")).collect();
        for refined in [false, true] {
            let bytes = [&plain, &rich].map(|urls| {
                let mut weight = weight(urls);
                if refined {
                    weight.refine(urls.iter().map(String::as_str));
                }
                weight.mining(1_000)
            });
            assert!(bytes[0] * 2 < bytes[1], "{bytes:?}");
        }
        assert_eq!(SiteWeight::default().mining(5), 0);
    }
}
