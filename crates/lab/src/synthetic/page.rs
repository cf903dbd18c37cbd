//! What is a page? Where it is, what it is about, since when, and how much it has to say.

use super::time::{DAY, Moment};
use super::topics::MadeTopic;
use crate::graph::PageId;

/// The parts of the site.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Section {
    /// The home page, and who is behind it.
    Home,
    /// What all sections have on a topic.
    Topics,
    /// Dated articles.
    News,
    /// Boards and threads.
    Forum,
    /// The people of the forum.
    Profiles,
    /// Categories, products and their reviews.
    Shop,
    /// Products by color, size and order: the trap of combinations.
    Search,
    /// Months, days and events: the trap without an end.
    Calendar,
    /// Manuals.
    Docs,
    /// An encyclopedia.
    Wiki,
    /// Articles that do not age.
    Guides,
    /// Posts by author.
    Blog,
    /// Opaque: reportages under `/p/`.
    Stories,
    /// Opaque: scanned files that hardly anyone reads, under `/p/` as well.
    Records,
    /// Opaque: pictures under `/view?id=`.
    Gallery,
}

impl Section {
    /// All of them.
    pub const ALL: [Self; 15] = [
        Self::Home,
        Self::Topics,
        Self::News,
        Self::Forum,
        Self::Profiles,
        Self::Shop,
        Self::Search,
        Self::Calendar,
        Self::Docs,
        Self::Wiki,
        Self::Guides,
        Self::Blog,
        Self::Stories,
        Self::Records,
        Self::Gallery,
    ];

    /// Whether its URLs say nothing about its pages.
    pub fn is_opaque(self) -> bool {
        matches!(self, Self::Stories | Self::Records | Self::Gallery)
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Home => "home",
            Self::Topics => "topics",
            Self::News => "news",
            Self::Forum => "forum",
            Self::Profiles => "profiles",
            Self::Shop => "shop",
            Self::Search => "search",
            Self::Calendar => "calendar",
            Self::Docs => "docs",
            Self::Wiki => "wiki",
            Self::Guides => "guides",
            Self::Blog => "blog",
            Self::Stories => "stories",
            Self::Records => "records",
            Self::Gallery => "gallery",
        }
    }

    /// Days in which interest in an item halves, if it does.
    fn half_life_days(self) -> Option<f64> {
        match self {
            Self::News => Some(1.5),
            Self::Stories => Some(6.0),
            Self::Forum => Some(8.0),
            Self::Calendar | Self::Blog => Some(10.0),
            Self::Gallery => Some(14.0),
            _ => None,
        }
    }
}

/// What a page is within its section.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Role {
    /// Where a section, board, category or month begins.
    Front,
    /// A further page of a listing.
    Listing,
    /// What people come for: an article, a thread, a product.
    Item,
    /// More of an item: a later page of a thread, the reviews of a product.
    Part,
    /// A page that is there because pages are made by programs.
    Trap,
}

/// A page of the site.
#[derive(Clone, Debug)]
pub struct MadePage {
    /// Path and query.
    pub path: String,
    /// Title.
    pub title: String,
    /// The part of the site it is in.
    pub section: Section,
    /// What it is there.
    pub role: Role,
    /// What it is about; none if about everything.
    pub topic: Option<MadeTopic>,
    /// When it appeared.
    pub born: Moment,
    /// How good it is to a reader who likes the topic; typical items have about 1 to 4.
    pub appeal: f64,
    /// What it shows besides its fixed links.
    pub(super) shows: Shows,
}

/// The part of a page's links that time changes by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shows {
    /// None.
    Nothing,
    /// A page of a listing, newest first; pages count from 0.
    Window { stream: usize, number: usize },
    /// The items before and after it.
    Beside { stream: usize, index: usize },
    /// The newest of several listings.
    Heads { list: usize },
}

/// Interest that remains in the oldest page.
const FLOOR: f64 = 0.006;

impl MadePage {
    /// How much of the interest in it is left: 2^(−age / half-life), straight lines between the halvings, and never
    /// less than a small floor. Pages other than items do not age.
    pub fn freshness(&self, time: Moment) -> f64 {
        let Some(days) = self.section.half_life_days().filter(|_| matches!(self.role, Role::Item | Role::Part)) else {
            return 1.0;
        };
        let halvings = (time - self.born).max(0) as f64 / (days * DAY as f64);
        if halvings > 8.0 {
            return FLOOR;
        }
        let whole = halvings as u32;
        let straight = 1.0 - (halvings - f64::from(whole)) / 2.0;
        FLOOR.max(straight / f64::from(1_u32 << whole))
    }
}

/// Where on a page a link is; in the order of the page.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Block {
    /// Navigation above every page.
    Header,
    /// What the page is there for.
    Body,
    /// Related pages, filters, the item before and after.
    Aside,
    /// The pages of a listing, thread or calendar next to this one.
    Pager,
    /// Its first and its last.
    Ends,
    /// The small print under every page.
    Footer,
}

/// A link as a reader sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MadeLink {
    /// Where it leads.
    pub to: PageId,
    /// Where it stands.
    pub block: Block,
}
