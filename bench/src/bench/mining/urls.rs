//! What URLs does a large site have?
//!
//! Those of [`TEMPLATES`] templates: twelve shapes that sites have (product, listing, search, article, thread …), each
//! under five names. The URLs of a space are numbered; number → text is a function, and different numbers give
//! different texts, because every shape writes the number of the page somewhere (as an id, a title of four words, a UUID).
//! Other values (category, city, language) are drawn from short lists by Zipf's law, and one URL in eight has
//! a parameter that says nothing (`from`, `t`, `sid`).
//!
//! Templates have different sizes: the template in place `k` has a share of `1/(k + 2)`, so the largest has a tenth of
//! the URLs and the smallest a hundredth.
//!
//! Zipf's law with exponent 1 is drawn in octaves, in whole numbers only, so that every machine draws the same.

use std::fmt::Write as _;

use crate::random::Random;

/// All templates.
pub(super) const TEMPLATES: u32 = 60;
const SHAPES: u32 = 12;

/// One name for each template, by shape.
const NAMES: [[&str; 5]; SHAPES as usize] = [
    ["product", "item", "offer", "gear", "spare-part"],
    ["category", "shop", "brand", "collection", "catalog"],
    ["search", "find", "lookup", "suche", "results"],
    ["news", "blog", "magazine", "press", "stories"],
    ["forum", "board", "help", "answers", "community"],
    ["user", "seller", "author", "team", "people"],
    ["view", "show", "print", "compare", "detail"],
    ["document", "ticket", "invoice", "share", "report"],
    ["hotel", "restaurant", "job", "flat", "event"],
    ["filter", "select", "finder", "outlet", "sale"],
    ["tag", "topic", "guide", "recipe", "glossary"],
    ["gallery", "video", "photo", "album", "stream"],
];

const WORDS: [&str; 50] = [
    "red", "winter", "garden", "steel", "little", "house", "river", "summer", "chair", "light", "paper", "north",
    "cotton", "bicycle", "coffee", "silver", "wooden", "travel", "kitchen", "modern", "blue", "forest", "leather",
    "classic", "morning", "camera", "mountain", "glass", "market", "engine", "yellow", "school", "piano", "water",
    "station", "bread", "island", "music", "copper", "window", "green", "bridge", "doctor", "orange", "velvet",
    "table", "harbor", "castle", "tower", "lemon",
];
/// Titles have four words, so there are 50⁴ of them.
const TITLES: u64 = 50 * 50 * 50 * 50;

const CITIES: [&str; 16] = [
    "berlin", "paris", "london", "madrid", "rome", "vienna", "prague", "warsaw", "lisbon", "oslo", "athens", "dublin",
    "zurich", "porto", "krakow", "bergen",
];
const COLORS: [&str; 8] = ["black", "white", "gray", "navy", "olive", "beige", "pink", "teal"];
const ORDERS: [&str; 4] = ["price", "rating", "newest", "name"];
const LANGUAGES: [&str; 6] = ["en", "de", "fr", "es", "it", "pl"];
const WAYS: [&str; 5] = ["home", "list", "mail", "app", "feed"];

/// Pages of a listing, and of a thread.
const LISTING_PAGES: u64 = 20;
const THREAD_PAGES: u64 = 3;

/// The URLs of one site.
pub(super) struct UrlSpace {
    origin: String,
    /// Its templates, and the number of the first URL of each; one more at the end.
    templates: Vec<u32>,
    starts: Vec<u32>,
}

impl UrlSpace {
    /// `count` URLs of some templates (numbers below [`TEMPLATES`]) under `https://www.example.org` or the like.
    pub(super) fn new(origin: impl Into<String>, templates: Vec<u32>, count: u32) -> Self {
        let weight = |place: usize| 1_000_000 / (place as u64 + 2);
        let total: u64 = (0..templates.len()).map(weight).sum();
        let mut starts = vec![0];
        let mut sum = 0;
        for place in 0..templates.len() {
            sum += weight(place);
            starts.push((u128::from(count) * u128::from(sum) / u128::from(total)) as u32);
        }
        Self { origin: origin.into(), templates, starts }
    }

    pub(super) fn len(&self) -> u32 {
        self.starts.last().copied().unwrap_or(0)
    }

    pub(super) fn templates(&self) -> usize {
        self.templates.len()
    }

    /// The place of a URL's template among those of this site.
    pub(super) fn template_of(&self, id: u32) -> usize {
        self.starts.partition_point(|start| *start <= id) - 1
    }

    /// A URL of the template in this place, by Zipf's law; the first one's if it has none.
    pub(super) fn popular(&self, template: usize, random: &mut Random) -> u32 {
        let (start, end) = (self.starts[template], self.starts[template + 1]);
        let id = start + zipf(random, (end - start).max(1));
        id.min(self.len() - 1)
    }

    /// Appends the text of a URL.
    pub(super) fn write(&self, id: u32, out: &mut String) {
        let place = self.template_of(id);
        self.write_page(place, id - self.starts[place], out);
    }

    /// Appends a URL that nobody visited yet, of the template in this place.
    pub(super) fn write_new(&self, place: usize, number: u32, out: &mut String) {
        self.write_page(place, self.len() + number, out);
    }

    fn write_page(&self, place: usize, index: u32, out: &mut String) {
        let template = self.templates[place];
        out.push_str(&self.origin);
        page(template, u64::from(index), out);
    }
}

/// A number below `bound`, the `i`-th about `1/i` as often as the first.
pub(super) fn zipf(random: &mut Random, bound: u32) -> u32 {
    let octaves = u32::BITS - bound.leading_zeros();
    loop {
        let octave = 1u32 << random.below(octaves as usize);
        let number = octave - 1 + random.below(octave as usize) as u32;
        if number < bound {
            return number;
        }
    }
}

/// Appends path and query of page `index` of a template.
fn page(template: u32, index: u64, out: &mut String) {
    let (shape, name) = (template % SHAPES, template / SHAPES);
    let name = NAMES[shape as usize][name as usize % 5];
    // Everything that is not the page's number is drawn from it.
    let mut random = Random::new(index << 8 | u64::from(template));
    let mut query = path(shape, name, index, &mut random, out);
    if random.one_in(8) {
        query.push(match random.below(3) {
            0 => ("from", WAYS[zipf(&mut random, 5) as usize].to_owned()),
            1 => ("t", (1_700_000_000 + random.below(60_000_000)).to_string()),
            _ => ("sid", format!("{:016x}", random.next())),
        });
    }
    // By name, as patterns have them: regular expressions know no other order.
    query.sort_unstable();
    let mut sign = '?';
    for (name, value) in query {
        let _ = write!(out, "{sign}{name}={value}");
        sign = '&';
    }
}

/// Appends the path; returns the parameters. `let _`: a `String` takes all that is written to it.
fn path(shape: u32, name: &str, index: u64, random: &mut Random, out: &mut String) -> Vec<(&'static str, String)> {
    let mut query = Vec::new();
    let _ = write!(out, "/{name}");
    match shape {
        0 => {
            let _ = write!(out, "/{}/{}", 10_000 + 7 * index, title(index, '-'));
        }
        1 => {
            let (category, page) = (index / LISTING_PAGES, index % LISTING_PAGES);
            let _ = write!(out, "/{}-{}", WORDS[(category % 50) as usize], category / 50);
            if page > 0 {
                query.push(("page", (page + 1).to_string()));
            }
        }
        2 => {
            query.push(("q", title(index, '+')));
            if random.one_in(3) {
                query.push(("page", (2 + zipf(random, 9)).to_string()));
            }
        }
        3 => {
            let (year, month) = (2025 - zipf(random, 10), 1 + random.below(12));
            let _ = write!(out, "/{year}/{month:02}/{}.html", title(index, '-'));
        }
        4 => {
            let _ = write!(out, "/thread-{}-{}.html", 100_000 + index / THREAD_PAGES, 1 + index % THREAD_PAGES);
        }
        5 => {
            let _ = write!(out, "/{}{}", random.pick(&WORDS), 100 + index);
        }
        6 => {
            out.push_str(".php");
            query.push(("id", (1 + index).to_string()));
            query.push(("cat", (1 + zipf(random, 200)).to_string()));
        }
        7 => {
            let (high, low) = (mixed(index), random.next());
            let _ = write!(out, "/{:08x}-{:04x}-4{:03x}", high >> 32, high >> 16 & 0xffff, high & 0xfff);
            let _ = write!(out, "-{:04x}-{:08x}{:04x}", 0x8000 | low >> 50, index, low & 0xffff);
        }
        8 => {
            let city = CITIES[zipf(random, CITIES.len() as u32) as usize];
            let _ = write!(out, "/{city}/{}/{}", random.pick(&WORDS), 1_000 + 3 * index);
        }
        9 => {
            let _ = write!(out, "/b{},p{}", index % 500, index / 500);
            query.push(("sort", ORDERS[zipf(random, 4) as usize].to_owned()));
            if random.one_in(2) {
                query.push(("color", COLORS[zipf(random, 8) as usize].to_owned()));
            }
        }
        10 => {
            let _ = write!(out, "/{}/", title(index, '-'));
        }
        _ => {
            let _ = write!(out, "/{:016x}{:016x}/view", mixed(index), mixed(index + 1));
            query.push(("lang", LANGUAGES[zipf(random, 6) as usize].to_owned()));
        }
    }
    query
}

/// Four words, different for different pages: the factor has no divisor in common with [`TITLES`].
fn title(index: u64, between: char) -> String {
    let mut out = String::new();
    let mut rest = index.wrapping_mul(2_654_443) % TITLES;
    for place in 0..4 {
        if place > 0 {
            out.push(between);
        }
        out.push_str(WORDS[(rest % 50) as usize]);
        rest /= 50;
    }
    out
}

/// A number that looks random; different for different pages.
fn mixed(index: u64) -> u64 {
    Random::new(index).next()
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    fn space(count: u32) -> UrlSpace {
        UrlSpace::new("https://www.example.org", (0..TEMPLATES).collect(), count)
    }

    fn text(space: &UrlSpace, id: u32) -> String {
        let mut out = String::new();
        space.write(id, &mut out);
        out
    }

    #[test]
    fn a_space_has_as_many_different_urls_as_asked() {
        for count in [50, 1_000, 60_000] {
            let space = space(count);
            assert_eq!(space.len(), count);
            let all: HashSet<String> = (0..count).map(|id| text(&space, id)).collect();
            assert_eq!(all.len(), count as usize);
        }
    }

    #[test]
    fn a_number_always_gives_the_same_text() {
        let (one, other) = (space(1_000), space(1_000));
        assert!((0..1_000).all(|id| text(&one, id) == text(&other, id)));
        assert_eq!(text(&one, 0), "https://www.example.org/product/10000/red-red-red-red");
    }

    #[test]
    fn titles_differ() {
        let titles: HashSet<String> = (0..200_000).map(|index| title(index, '-')).collect();
        assert_eq!(titles.len(), 200_000);
    }

    #[test]
    fn urls_are_canonical_already() {
        let space = space(60_000);
        for id in (0..60_000).step_by(7) {
            let text = text(&space, id);
            assert_eq!(url::Url::parse(&text).unwrap().as_str(), text);
        }
    }

    #[test]
    fn templates_partition_the_numbers() {
        let space = space(10_000);
        let used: HashSet<usize> = (0..10_000).map(|id| space.template_of(id)).collect();
        assert_eq!(used.len(), TEMPLATES as usize);
        let mut random = Random::new(1);
        for template in 0..space.templates() {
            assert_eq!(space.template_of(space.popular(template, &mut random)), template);
        }
    }

    #[test]
    fn zipf_stays_below_and_prefers_the_first() {
        let mut random = Random::new(3);
        let mut counts = [0; 100];
        for _ in 0..10_000 {
            counts[zipf(&mut random, 100) as usize] += 1;
        }
        assert!(counts[0] > 3 * counts[4] && counts[99] > 0, "{counts:?}");
        assert_eq!(zipf(&mut random, 1), 0);
    }
}
