//! What fits on a screen?

mod bar;

use crate::text::{elided, isolated, safe};
pub use bar::bar;

/// Where neither the terminal nor the environment says anything.
const DEFAULT_WIDTH: usize = 100;

/// Narrower than this nothing is readable.
const MIN_WIDTH: usize = 40;

/// What the output is shown on.
#[derive(Clone, Copy, Debug)]
pub struct Screen {
    /// Columns.
    pub width: usize,
    /// Whether anybody told them; what goes to a file is better left whole.
    pub told: bool,
    /// Whether texts of right-to-left scripts are set apart with invisible characters, which only terminals should see.
    pub isolates: bool,
}

impl Screen {
    /// Of so many columns, if anybody tells how many.
    #[must_use]
    pub fn new(columns: Option<usize>, isolates: bool) -> Self {
        let width = columns.unwrap_or(DEFAULT_WIDTH).max(MIN_WIDTH);
        Self { width, told: columns.is_some(), isolates }
    }

    /// A text with parts of a URL, whole and safe to show.
    #[must_use]
    pub fn whole(&self, text: &str) -> String {
        self.show(text, usize::MAX)
    }

    /// A text of a URL in so many columns at most, safe to show.
    #[must_use]
    pub fn show(&self, text: &str, most: usize) -> String {
        let shown = elided(&safe(text), most);
        if self.isolates { isolated(&shown) } else { shown }
    }
}
