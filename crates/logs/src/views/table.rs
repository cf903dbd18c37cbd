//! A file that is a table of views: its header is found, then its rows are read.

use std::io;
use std::path::{Path, PathBuf};

use super::column::{Places, ViewsColumn};
use super::parquet;
use super::record::{Lines, Separator, cells, is_comment};
use super::row::{RowFault, ViewsRow, When};
use super::text::Utf8;
use super::value::{Cell, count, count_of_bin, time, time_of};
use crate::input::{InputCaps, Packing, unpacked};

/// So many lines at most stand before the header: what a tool says of itself.
const LINES_BEFORE: usize = 64;

/// A row of a wide table is longer than a line of a log.
const RECORD_BYTES: usize = 1 << 22;

/// How a table is laid out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ViewsForm {
    /// A row a page, or a page and time.
    Long,
    /// A row a page and a column a bin of time.
    Wide,
}

/// The columns of a table.
#[derive(Clone, Debug)]
pub(super) enum Layout {
    Long(Places),
    /// The place of the page, and each bin with its place.
    Wide(usize, Vec<(usize, When)>),
}

impl Layout {
    /// By the names of the columns; none if they are not those of a table of views.
    pub(super) fn of(names: &[&str]) -> Option<Self> {
        let places = Places::of(names.iter().copied());
        match places.missing() {
            None => Some(Self::Long(places)),
            Some(_) => wide(names, &places),
        }
    }

    /// The rows of a record: one, or in a wide table one for each bin that somebody looked at.
    pub(super) fn rows(&self, cells: &[Cell<'_>], each: &mut dyn FnMut(Result<ViewsRow<'_>, RowFault>)) {
        match self {
            Self::Long(places) => each(long_row(places, cells)),
            Self::Wide(page, bins) => {
                let Some(page) = cells.get(*page) else { return each(Err(RowFault::Malformed)) };
                let number = if let Cell::Number(number) = page { format!("{number}") } else { String::new() };
                let page = if number.is_empty() { page.text() } else { &number };
                if let Some(fault) = no_page(page) {
                    return each(Err(fault));
                }
                for (place, when) in bins {
                    match cells.get(*place).map(count_of_bin) {
                        None => return each(Err(RowFault::Malformed)),
                        Some(Ok(None)) => {}
                        Some(Ok(Some(views))) => {
                            each(Ok(ViewsRow { host: None, page, when: *when, views, users: None }));
                        }
                        Some(Err(fault)) => each(Err(fault)),
                    }
                }
            }
        }
    }
}

/// Bins are dates, or numbered one by one: `TS1, TS2, …`.
fn wide(names: &[&str], places: &Places) -> Option<Layout> {
    let page = places.page.unwrap_or(0);
    // A row of numbers is a row, not the names of columns.
    names.get(page).filter(|name| name.chars().any(char::is_alphabetic))?;
    let others = || names.iter().enumerate().filter(|(place, _)| *place != page);
    let dated: Vec<(usize, When)> =
        others().filter_map(|(place, name)| Some((place, When::Time(time_of(name.trim())?)))).collect();
    // A header of small numbers is one of numbers, not of moments in 1970.
    let is_dated = |bins: &[(usize, When)]| bins.iter().any(|(_, when)| matches!(when, When::Time(86_400_000_000..)));
    if dated.len() >= 2 && is_dated(&dated) {
        return Some(Layout::Wide(page, dated));
    }
    let mut bins = Vec::new();
    for (place, name) in others() {
        let digits = name.trim().trim_start_matches(|c: char| !c.is_ascii_digit());
        match digits.parse::<u32>() {
            Ok(n) if digits.len() < 8 => bins.push((place, n)),
            _ => {}
        }
    }
    let first = bins.first()?.1;
    let is_row = bins.len() >= 2 && bins.len() + 2 >= names.len();
    let in_turn = (first..).zip(&bins).all(|(n, (_, own))| n == *own);
    (is_row && in_turn)
        .then(|| Layout::Wide(page, bins.iter().map(|(place, n)| (*place, When::Bin(n - first))).collect()))
}

fn long_row<'c>(places: &Places, cells: &'c [Cell<'_>]) -> Result<ViewsRow<'c>, RowFault> {
    let cell = |place: Option<usize>| place.map(|place| cells.get(place).ok_or(RowFault::Malformed)).transpose();
    let page = cell(places.page)?.map_or("", Cell::text);
    if let Some(fault) = no_page(page) {
        return Err(fault);
    }
    let views = count(cell(places.views)?.unwrap_or(&Cell::Missing))?;
    // Users that are not known are none; they never make a row bad.
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a count is checked to be small")]
    let users = cell(places.users)?.and_then(|cell| count(cell).ok()).map(|users| users as u64);
    let when = match cell(places.date)?.map(time).transpose()?.flatten() {
        Some(ms) => When::Time(ms),
        None => When::Unknown,
    };
    let host = cell(places.host)?.map(Cell::text).filter(|host| !host.is_empty());
    Ok(ViewsRow { host, page, when, views, users })
}

/// What tools write in place of a page.
fn no_page(page: &str) -> Option<RowFault> {
    match page {
        "" => Some(RowFault::Total),
        _ if ["total", "totals", "grand total", "sum", "all"].iter().any(|t| page.eq_ignore_ascii_case(t)) => {
            Some(RowFault::Total)
        }
        "(other)" | "(not set)" | "Others" | "Other" => Some(RowFault::Others),
        _ => None,
    }
}

/// A file that is a table of views.
#[derive(Clone, Debug)]
pub struct ViewsTable {
    path: PathBuf,
    layout: Layout,
    /// How cells are told apart, and after how many lines the header ends; none in Parquet.
    text: Option<(Separator, u64)>,
    width: usize,
    /// The last day that the table is about, in milliseconds since 1970, if it says so before its header.
    end: Option<i64>,
}

impl ViewsTable {
    /// Looks whether a file is one, by its header; none if it is something else.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn recognize(path: &Path, caps: &InputCaps) -> io::Result<Option<Self>> {
        let (reader, packing) = unpacked(path, caps)?;
        if packing == Packing::Parquet {
            let names = parquet::names(path)?;
            let names: Vec<&str> = names.iter().map(String::as_str).collect();
            // Visits that count have views, too.
            let are_visits = ["time", "site", "user", "target", "referrer"].iter().all(|name| names.contains(name));
            let layout = Layout::of(&names).filter(|_| !are_visits);
            return Ok(layout.map(|layout| Self {
                path: path.to_owned(),
                layout,
                text: None,
                width: names.len(),
                end: None,
            }));
        }
        let mut lines = Lines::new(Utf8::new(reader), RECORD_BYTES);
        let mut end = None;
        while lines.number() < LINES_BEFORE as u64 {
            let Some(line) = lines.next()? else { break };
            let record = line.into_owned();
            if is_comment(&record) {
                end = end_date(&record).or(end);
                continue;
            }
            for separator in Separator::ALL {
                let mut record = record.clone();
                if separator != Separator::Tab && record.matches('"').count() % 2 == 1 {
                    // A quoted name over two lines: rare, and no reason to swallow the file.
                    record.push('"');
                }
                let names = cells(&record, separator);
                let names: Vec<&str> = names.iter().map(AsRef::as_ref).collect();
                if let Some(layout) = Layout::of(&names).filter(|_| names.len() > 1) {
                    let text = Some((separator, lines.number()));
                    return Ok(Some(Self { path: path.to_owned(), layout, text, width: names.len(), end }));
                }
            }
        }
        Ok(None)
    }

    /// How it is laid out.
    #[must_use]
    pub fn form(&self) -> ViewsForm {
        match self.layout {
            Layout::Long(_) => ViewsForm::Long,
            Layout::Wide(..) => ViewsForm::Wide,
        }
    }

    /// Whether there is such a column.
    #[must_use]
    pub fn has(&self, column: ViewsColumn) -> bool {
        match (&self.layout, column) {
            (Layout::Wide(_, bins), ViewsColumn::Date) => bins.iter().all(|(_, when)| matches!(when, When::Time(_))),
            (Layout::Wide(..), column) => matches!(column, ViewsColumn::Page | ViewsColumn::Views),
            (Layout::Long(places), ViewsColumn::Page) => places.page.is_some(),
            (Layout::Long(places), ViewsColumn::Host) => places.host.is_some(),
            (Layout::Long(places), ViewsColumn::Views) => !places.are_weights,
            (Layout::Long(places), ViewsColumn::Weight) => places.are_weights,
            (Layout::Long(places), ViewsColumn::Users) => places.users.is_some(),
            (Layout::Long(places), ViewsColumn::Date) => places.date.is_some(),
        }
    }

    /// The last day that the table is about, in milliseconds since 1970, if it says so before its header.
    #[must_use]
    pub fn end(&self) -> Option<i64> {
        self.end
    }

    /// What it is, in a few words.
    #[must_use]
    pub fn in_words(&self) -> String {
        let kind = self.text.map_or("Parquet", |(separator, _)| separator.name());
        let form = if self.form() == ViewsForm::Wide { ", a column a bin" } else { "" };
        format!("page views ({kind}{form})")
    }

    /// Hands on every row, with the number of its line; or why it is none.
    ///
    /// # Errors
    /// If the file cannot be read to its end; `each` has seen what comes before.
    pub fn each(&self, mut each: impl FnMut(u64, Result<ViewsRow<'_>, RowFault>)) -> io::Result<()> {
        let Some((separator, header)) = self.text else {
            return parquet::each(&self.path, &self.layout, &mut each);
        };
        let (reader, _) = unpacked(&self.path, &InputCaps::default())?;
        let mut lines = Lines::new(Utf8::new(reader), RECORD_BYTES);
        while lines.number() < header {
            if lines.next()?.is_none() {
                return Ok(());
            }
        }
        while let Some(line) = lines.next()? {
            // A comment that the tool ends with, or the header of the next report in the same file.
            if line.trim().is_empty() || is_comment(&line) {
                continue;
            }
            let mut record = line.into_owned();
            let number = lines.number();
            if !lines.complete(&mut record, separator)? {
                each(number, Err(RowFault::Malformed));
                continue;
            }
            let cells: Vec<Cell<'_>> = cells(&record, separator).into_iter().map(Cell::Text).collect();
            // Totals of some tools have more cells than the header.
            if cells.len() < self.width && cells.first().is_some_and(|cell| no_page(cell.text()).is_none()) {
                each(number, Err(RowFault::Malformed));
                continue;
            }
            self.layout.rows(&cells, &mut |row| each(number, row));
        }
        Ok(())
    }
}

/// `# End date: 20240131`.
fn end_date(comment: &str) -> Option<i64> {
    let (name, value) = comment.trim_start_matches(['#', '"', ' ']).split_once(':')?;
    name.trim().eq_ignore_ascii_case("end date").then(|| time_of(value.trim().trim_matches(['"', ','])))?
}

#[cfg(test)]
mod tests;
