//! How wide is the terminal that standard output goes to?

use std::io::IsTerminal;

use terminal_size::{Width, terminal_size_of};
pub(crate) use trodden_report::screen::Screen;

/// The screen of standard output.
pub(crate) fn of_stdout() -> Screen {
    let columns = std::env::var("COLUMNS").ok().and_then(|columns| columns.trim().parse().ok());
    let terminal = || terminal_size_of(std::io::stdout()).map(|(Width(columns), _)| usize::from(columns));
    Screen::new(columns.or_else(terminal), std::io::stdout().is_terminal())
}
