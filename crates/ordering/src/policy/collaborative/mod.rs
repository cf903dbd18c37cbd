//! Which pages are about a topic? Those that readers of such pages read, and that such pages link to.
//!
//! Collaborative crawling (Aggarwal, "Collaborative crawling: mining user experiences for topical resource discovery", KDD 2002). U is what is
//! [looked for](crate::predicate); it is known of a page only when that page is fetched. N pages were fetched, s of them satisfy U. All shares are
//! smoothed towards that of all pages **\[ours\]**: towards ½, one page off topic makes a user look interested in a rare topic.
//!
//! ```text
//! P = (s + ½)/(N + 1),   share of s_i in n_i:  p_i = (s_i + P)/(n_i + 1),   ratio  p_i/P,  between 1/20 and 20
//! a share counts if  |p_i − P| > t·√(P(1 − P)/n)      t = 2; n = n_i, or N as printed in the paper (SampleSize)
//! ```
//! The bars around the difference are **\[ours\]**: that somebody is not interested is evidence, too.
//!
//! | evidence for a URL | ratio | where |
//! |---|---|---|
//! | *users* | Π over its users i: p_i/P, of the n_i fetched pages that i read | `readers` |
//! | *signatures* | Π over its users i: SF_i, if \|SF_i − μ\| > 2σ over all users. SF_i = mean of R_j over the features j of the fetched pages that i read (each page counts). R_j = share of the users who read a page with j that also read a satisfying one ÷ that share of all users **\[ours\]** | `readers` |
//! | *locality* | share of satisfying pages among those that a user read within n = 5 accesses of a satisfying one (or among the others) ÷ P | `locality` |
//! | *links* | words of parents, words of the URL, satisfying parents, satisfying siblings | `linked` |
//!
//! Features are labels, nearest classes or words (`content`). The ratios are joined (`composite`) as the product of the paper, or by weights that
//! are learnt. A URL of the trace or a link is a *candidate* if its ratio is above 1. The order is by that ratio; among URLs without evidence by chance, which
//! samples the trace; those with evidence against them go last, once [`min_candidates`](CollaborativeSettings::min_candidates) pages were fetched.
//! What is learnt reaches the URLs that wait bit by bit (`spread`).
//!
//! Without a trace what is left is intelligent crawling by links; without links, users. Without either it samples what it is given.
//!
//! Privacy: users are numbers of a [trace](trodden_mining::trace), which no report shows; what is told of a URL are counts ([`TopicReasons`]).
//!
//! Cost of a page: its readers, [`MOST_READERS`](trodden_mining::trace::MOST_READERS) at most, with ten accesses around each if it satisfies, its
//! links, and a bounded number of steps (`spread`). Memory: 8 bytes an access, 16 a URL, about 60 a user and 6 a feature of theirs; with links
//! 60 more a URL.

mod composite;
mod content;
mod lanes;
mod linked;
mod locality;
mod note;
mod order;
mod readers;
mod settings;
mod spread;
mod tally;

#[cfg(test)]
mod tests;

use std::any::Any;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use trodden_frontier::{LaneId, Placement, Priority, Rotation, Time, UrlId, UrlTable};
use trodden_mining::Trace;

use super::by_value::Fineness;
use super::save::{self, SaveFault};
use super::{Moves, OrderingPolicy};
use crate::classes::ClassModel;
use crate::labels::PageLabels;
use crate::outcome::{Found, Known, Outcome};
use crate::predicate::{PageFacts, Predicate};
use composite::Regression;
use content::{Vocabulary, features};
use lanes::Offsets;
use linked::Linked;
use note::Note;
use readers::{Reader, Signatures, Uses};
pub use settings::{CollaborativeSettings, Composite, Evidence, FeatureSource, Recipe, SampleSize, UnknownEvidence};
use spread::{STEPS, Spread};
use tally::{Tally, Totals};

/// What is given for the whole crawl.
#[derive(Clone, Debug)]
pub struct Reference {
    /// What is looked for.
    pub topic: Predicate,
    /// Who reads what, by the numbers of URLs.
    pub trace: Arc<Trace>,
    /// Categories of pages, looked at when these are fetched.
    pub labels: Arc<PageLabels>,
    /// What tells classes of text apart, if anything was learnt.
    pub classes: Option<Arc<ClassModel>>,
}

/// By who reads what, and by links.
pub struct Collaborative {
    reference: Reference,
    recipe: Recipe,
    settings: CollaborativeSettings,
    fineness: Fineness,
    seed: u64,
    state: State,
}

/// All that is learnt.
#[derive(Debug, Default, Serialize, Deserialize)]
struct State {
    totals: Totals,
    notes: UrlTable<Note>,
    /// One more than the highest URL that was seen.
    seen: u32,
    /// Terms over anchors that links to a URL satisfied.
    anchors: UrlTable<u32>,
    readers: Vec<Reader>,
    signatures: Signatures,
    vocabulary: Vocabulary,
    linked: Linked,
    /// Fetched pages of the trace near a satisfying one, and the others.
    near: Tally,
    far: Tally,
    regression: Regression,
    /// What nearness is worth in the price of lanes now.
    offsets: Offsets,
    sinks: bool,
    repriced: Vec<LaneId>,
    spread: Spread,
}

/// What speaks for or against a URL, in counts; nobody is named.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct TopicReasons {
    /// Its users.
    pub users: u32,
    /// Those of them whose habits speak for it, and against it.
    pub users_for: u32,
    /// Those whose habits speak against it.
    pub users_against: u32,
    /// Whether somebody read it near a satisfying page.
    pub is_near: bool,
    /// Fetched pages that are known to link to it (at most four are remembered).
    pub linked_from: u32,
    /// Those of them that satisfy.
    pub linked_from_satisfying: u32,
    /// What each kind of evidence multiplies its odds by: users, signatures, locality, words, tokens, parents, siblings.
    pub ratios: [f64; composite::KINDS],
    /// All of it joined.
    pub ratio: f64,
}

impl Collaborative {
    /// By this evidence.
    pub fn new(
        reference: Reference,
        recipe: Recipe,
        settings: CollaborativeSettings,
        fineness: Fineness,
        seed: u64,
    ) -> Self {
        let mut policy = Self { reference, recipe, settings, fineness, seed, state: State::default() };
        policy.state.readers = policy.new_readers();
        policy
    }

    fn new_readers(&self) -> Vec<Reader> {
        let users = if self.recipe.is_of_people() { self.reference.trace.users() } else { 0 };
        vec![Reader::default(); users as usize]
    }

    /// Pages that were fetched so far, and those of them that satisfy.
    pub fn found(&self) -> (u64, u64) {
        (self.state.totals.fetched, self.state.totals.satisfying)
    }

    fn uses(&self) -> Uses {
        Uses { users: self.recipe.has(Evidence::Users), signatures: self.recipe.has(Evidence::Signatures) }
    }

    fn uses_links(&self) -> bool {
        self.recipe.has(Evidence::Links)
    }

    /// Whether features of pages are needed.
    fn reads_content(&self) -> bool {
        self.uses().signatures || self.uses_links()
    }

    /// Whether features are labels.
    fn takes_labels(&self) -> bool {
        self.settings.features == FeatureSource::Best && !self.reference.labels.is_empty()
    }

    /// A page was fetched for the first time.
    fn learn(&mut self, url: &Known<'_>, outcome: &Outcome<'_>, found: &[Found<'_>], moves: &mut Moves) {
        let satisfies = self.satisfies(url, outcome);
        let base = self.state.totals.base();
        if self.recipe.composite() == Composite::Learnt {
            let ratios = self.ratios(url.key);
            self.state.regression.learn(&ratios, base, satisfies);
        }
        let features = if self.reads_content() {
            let (vocabulary, pages) = (&mut self.state.vocabulary, self.state.totals.fetched);
            features(&self.reference, vocabulary, url.key, outcome.text.as_ref(), pages, self.settings.features)
        } else {
            Vec::new()
        };
        self.state.totals.fetched += 1;
        self.state.totals.satisfying += u64::from(satisfies);
        let note = self.state.notes.slot(url.key);
        note.flags |= Note::COUNTED | if satisfies { Note::SATISFIES } else { 0 };
        self.count_readers(url.key, satisfies, &features);
        self.count_near(url.key, satisfies, moves);
        if self.uses_links() {
            for place in self.state.linked.fetched(url.key, satisfies) {
                self.links_changed(place);
            }
            self.state.linked.add(url.key, satisfies, &features, found.iter().map(|link| link.key));
            for link in found {
                let note = self.state.notes.get(link.key);
                if note.has(Note::COUNTED) {
                    self.state.linked.count_child(url.key, link.key, note.has(Note::SATISFIES));
                }
                self.state.linked.look_again(link.key, self.state.totals, &self.settings);
                self.touch(link.key, moves);
            }
        }
    }

    fn satisfies(&self, url: &Known<'_>, outcome: &Outcome<'_>) -> bool {
        let text = outcome.text.unwrap_or_default();
        let categories =
            if self.reference.topic.reads_categories() { self.reference.labels.names_of(url.key) } else { Vec::new() };
        self.reference.topic.holds(&PageFacts {
            url: url.url,
            title: text.title,
            body: text.body,
            anchor_hits: self.state.anchors.get(url.key),
            categories: &categories,
        })
    }

    /// The users of a page learn from it, and their other pages hear of it.
    fn count_readers(&mut self, url: UrlId, satisfies: bool, features: &[u32]) {
        if self.state.readers.is_empty() || self.state.notes.get(url).has(Note::OTHER) {
            return;
        }
        let trace = self.reference.trace.clone();
        for user in trace.readers(url.0) {
            let reader = &mut self.state.readers[user as usize];
            reader.tally.count(satisfies);
            if self.recipe.has(Evidence::Signatures) {
                self.state.signatures.read(reader, features, satisfies);
                reader.signature = self.state.signatures.of(reader).0;
            }
            if self.recipe.has(Evidence::Users) || self.recipe.has(Evidence::Signatures) {
                self.reader_changed(user);
            }
        }
    }

    /// Takes over what was fetched, with another trace: users are other ones now.
    fn count_again(&mut self) {
        self.state.readers = self.new_readers();
        self.state.signatures = Signatures::default();
        (self.state.near, self.state.far) = (Tally::default(), Tally::default());
        self.state.spread = Spread::default();
        self.state.linked.all.iter_mut().for_each(|parent| parent.is_waiting = false);
        let (trace, has_readers) = (self.reference.trace.clone(), !self.state.readers.is_empty());
        for url in (0..self.state.seen.max(self.reference.trace.pages())).map(UrlId) {
            let note = self.state.notes.slot(url);
            note.flags &= !(Note::NEAR | Note::READ);
            let is_read = has_readers && trace.was_read(url.0);
            if is_read && note.has(Note::PLACED) && !note.has(Note::OTHER) {
                note.flags |= Note::READ;
            }
            (note.users, note.signatures, note.lane) = (0, 0, 0);
        }
        for url in (0..self.state.seen).map(UrlId) {
            let note = self.state.notes.get(url);
            if note.has(Note::COUNTED) {
                let features = self.state.linked.features(url).to_vec();
                self.count_readers(url, note.has(Note::SATISFIES), &features);
                self.count_near(url, note.has(Note::SATISFIES), &mut Moves::default());
            }
        }
    }
}

impl OrderingPolicy for Collaborative {
    fn place(&mut self, url: &Known<'_>, now: Time) -> Placement {
        self.state.seen = self.state.seen.max(url.key.0.saturating_add(1));
        let is_read = !self.state.readers.is_empty() && self.reference.trace.was_read(url.key.0);
        let note = self.state.notes.slot(url.key);
        note.flags |= Note::PLACED;
        if is_read && !note.has(Note::OTHER) {
            note.flags |= Note::READ;
        }
        if self.uses_links() {
            self.state.linked.see(url.key, url.url);
            self.state.linked.look_again(url.key, self.state.totals, &self.settings);
        }
        let placement = self.place_again(url, now);
        if let Placement::Lane(lane) = placement {
            self.state.notes.slot(url.key).lane = lane.0 + 1;
        }
        placement
    }

    fn place_again(&self, url: &Known<'_>, _: Time) -> Placement {
        self.placement(url.key)
    }

    fn settled(&mut self, url: &Known<'_>, outcome: &Outcome<'_>, found: &[Found<'_>], moves: &mut Moves, _: Time) {
        self.state.seen = self.state.seen.max(url.key.0.saturating_add(1));
        if self.reads_anchors() {
            for link in found {
                *self.state.anchors.slot(link.key) |= self.reference.topic.anchor_hits(link.anchor);
            }
        }
        let before = self.state.notes.get(url.key);
        self.state.notes.slot(url.key).flags |= Note::DONE;
        if outcome.is_page() && !before.has(Note::COUNTED) {
            self.learn(url, outcome, found, moves);
            self.pass_on(STEPS, moves);
            self.set_prices();
        }
    }

    fn lane_priority(&self, lane: LaneId, _: Time) -> Priority {
        Priority::of(lanes::price(lane, &self.state.offsets, self.state.sinks))
    }

    fn repriced(&mut self) -> Vec<LaneId> {
        std::mem::take(&mut self.state.repriced)
    }

    fn forget(&mut self, url: UrlId) {
        let was_read = self.reference.trace.was_read(url.0);
        self.state.notes.forget(url);
        if was_read {
            self.state.notes.slot(url).flags = Note::OTHER;
        }
        self.state.anchors.forget(url);
        self.state.linked.forget(url);
    }

    fn estimate(&self, key: UrlId) -> f64 {
        let note = self.state.notes.get(key);
        if note.has(Note::COUNTED) {
            f64::from(u8::from(note.has(Note::SATISFIES))) * f64::MAX
        } else {
            self.worth(key)
        }
    }

    fn reads_text(&self) -> bool {
        self.reference.topic.reads_text() || (self.reads_content() && !self.takes_labels())
    }

    fn reads_anchors(&self) -> bool {
        self.reference.topic.reads_anchors()
    }

    fn rotation(&self) -> Rotation {
        Rotation::ByPriority { floor: SITE_FLOOR }
    }

    fn hand_over(&mut self) -> Option<Box<dyn Any + Send>> {
        Some(Box::new(std::mem::take(&mut self.state)))
    }

    fn take_over(&mut self, known: Box<dyn Any + Send>) {
        if let Ok(state) = known.downcast::<State>() {
            self.state = *state;
            self.count_again();
        }
    }

    fn save(&self) -> Vec<u8> {
        save::save(&self.state)
    }

    fn restore(&mut self, saved: &[u8]) -> Result<(), SaveFault> {
        let state: State = save::restore(saved)?;
        if state.readers.len() != self.state.readers.len() {
            return Err(SaveFault::OtherTrace);
        }
        self.state = state;
        Ok(())
    }
}

/// The share of an even rotation that a site without candidates keeps.
const SITE_FLOOR: f64 = 0.05;
