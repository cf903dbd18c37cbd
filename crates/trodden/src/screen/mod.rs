//! What fits on the screen: widths, texts cut to them, bars.
//!
//! Patterns hold what URLs hold: any script, and characters that would rule the terminal. Widths are those of single
//! characters, as terminals count them: most draw no ligatures, so the width of a whole text would be too small.

mod bar;
mod text;

use std::io::IsTerminal;

use terminal_size::{Width, terminal_size_of};

pub(crate) use bar::bar;
use text::{elided, isolated, safe};
pub(crate) use text::{padded, width, wrapped};

/// Where neither the terminal nor the environment says anything.
const DEFAULT_WIDTH: usize = 100;

/// Narrower than this nothing is readable.
const MIN_WIDTH: usize = 40;

/// What the output is shown on.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Screen {
    /// Columns.
    pub(crate) width: usize,
    /// Whether anybody told them; what goes to a file is better left whole.
    pub(crate) told: bool,
    /// Whether texts of right-to-left scripts are set apart with invisible characters, which only terminals should see.
    pub(crate) isolates: bool,
}

impl Screen {
    /// The screen of standard output.
    pub(crate) fn of_stdout() -> Self {
        let columns = std::env::var("COLUMNS").ok().and_then(|columns| columns.trim().parse().ok());
        let terminal = || terminal_size_of(std::io::stdout()).map(|(Width(columns), _)| usize::from(columns));
        let told = columns.or_else(terminal);
        let width = told.unwrap_or(DEFAULT_WIDTH).max(MIN_WIDTH);
        Self { width, told: told.is_some(), isolates: std::io::stdout().is_terminal() }
    }

    /// A text with parts of a URL, whole and safe to show.
    pub(crate) fn whole(&self, text: &str) -> String {
        self.show(text, usize::MAX)
    }

    /// A text of a URL in so many columns at most, safe to show.
    pub(crate) fn show(&self, text: &str, most: usize) -> String {
        let shown = elided(&safe(text), most);
        if self.isolates { isolated(&shown) } else { shown }
    }
}
