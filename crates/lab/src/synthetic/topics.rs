//! What are pages about? Twenty topics that cut across all sections, and the words they are written in.

use crate::chance::Chance;

/// How many topics there are.
pub const TOPICS: usize = 20;

/// What a page is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MadeTopic(u8);

/// Name, and words that its pages use.
const WORDS: [(&str, &str); TOPICS] = [
    ("gardening", "rose compost seedling hedge soil tulip pruning orchard mulch greenhouse herb lawn"),
    ("cycling", "bicycle saddle gear spoke pedal helmet brake tour climb tire chain frame"),
    ("cooking", "soup oven recipe dough spice pan roast sauce bread lentil knife pastry"),
    ("astronomy", "comet telescope orbit galaxy nebula eclipse planet lens meteor star moon probe"),
    ("music", "chord guitar choir melody drum concert violin rhythm album piano stage tune"),
    ("hiking", "trail summit boot ridge valley tent compass backpack hut forest pass map"),
    ("football", "goal striker league keeper corner derby coach penalty stadium transfer cup defender"),
    ("chess", "rook opening endgame knight gambit bishop blitz pawn clock mate tactic queen"),
    ("photography", "shutter aperture portrait tripod exposure darkroom contrast zoom flash print negative focus"),
    ("history", "castle treaty empire chronicle ruin dynasty archive siege coin monastery letter king"),
    ("travel", "harbor ticket island hostel passport ferry market luggage coast station border museum"),
    ("software", "compiler kernel parser release library thread cache editor patch protocol buffer query"),
    ("economy", "inflation export budget wage tariff bond factory merger loan index tax trade"),
    ("weather", "storm frost drought cloud thunder forecast fog flood breeze snow heat hail"),
    ("books", "novel poet chapter publisher essay reader fable shelf prose author page story"),
    ("health", "sleep vaccine muscle clinic diet allergy pulse therapy nurse vitamin joint fever"),
    ("birds", "heron nest feather migration owl finch wetland falcon song egg swallow crane"),
    ("railways", "locomotive signal tunnel carriage junction platform steam timetable rail bridge depot wagon"),
    ("woodwork", "chisel oak plane joint varnish bench saw dowel walnut glue drawer grain"),
    ("fashion", "linen collar pattern wool seam button denim jacket silk hat sleeve color"),
];

const QUALITIES: &str = "quiet new early small late simple hidden broken perfect old northern careful strange cheap open golden \
    slow local forgotten second bright heavy plain last";

/// Words that every page uses.
const COMMON: &str = "the a and with of for in we they has was more than after before about people year week good often some \
    many found made said says still";

impl MadeTopic {
    /// All of them.
    pub fn all() -> impl Iterator<Item = Self> + Clone {
        (0..TOPICS as u8).map(Self)
    }

    /// Its number, below [`TOPICS`].
    pub fn index(self) -> usize {
        self.0.into()
    }

    /// Its name, as in URLs of pages named for it.
    pub fn name(self) -> &'static str {
        WORDS[self.index()].0
    }

    /// The topic of a number, counted around.
    pub(super) fn nth(n: usize) -> Self {
        Self((n % TOPICS) as u8)
    }

    /// Any topic.
    pub(super) fn any(chance: &mut Chance) -> Self {
        Self::nth(chance.below(TOPICS))
    }

    /// One of its words.
    pub(super) fn word(self, chance: &mut Chance) -> &'static str {
        one_of(WORDS[self.index()].1, chance)
    }

    /// A title of three or four words, in lower case.
    pub(super) fn title(self, chance: &mut Chance) -> String {
        let mut title = format!("{} {} {}", one_of(QUALITIES, chance), self.word(chance), self.word(chance));
        if chance.happens(0.5) {
            title.push(' ');
            title.push_str(one_of(QUALITIES, chance));
        }
        title
    }
}

/// One of several words.
fn one_of(words: &'static str, chance: &mut Chance) -> &'static str {
    let count = words.split(' ').count();
    words.split(' ').nth(chance.below(count)).unwrap_or(words)
}

/// Sentences about a topic, or about nothing in particular.
pub(super) fn prose(topic: Option<MadeTopic>, words: usize, chance: &mut Chance, out: &mut String) {
    let mut sentence = 0;
    for _ in 0..words {
        let word = match topic {
            Some(topic) if chance.happens(0.4) => topic.word(chance),
            _ => one_of(COMMON, chance),
        };
        if sentence == 0 {
            sentence = 6 + chance.below(9);
            out.push_str(&capitalized(word));
        } else {
            out.push_str(word);
        }
        sentence -= 1;
        out.push_str(if sentence == 0 { ". " } else { " " });
    }
    let end = out.trim_end_matches([' ', '.']).len();
    out.truncate(end);
    out.push('.');
}

/// With a capital first letter.
pub(super) fn capitalized(words: &str) -> String {
    words[..1].to_ascii_uppercase() + &words[1..]
}

/// As in a URL.
pub(super) fn slug(title: &str) -> String {
    title.replace(' ', "-")
}
