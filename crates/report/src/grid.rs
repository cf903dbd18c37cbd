//! How do cells stand in line?

use crate::text::{padded, width};

/// Between two columns.
const GAP: &str = "  ";

/// The fewest columns that names are cut to.
const MIN_NAME: usize = 8;

/// Cells in columns: the first is a name and stands left, the others are numbers and stand right.
#[derive(Clone, Debug)]
pub struct Grid {
    rows: Vec<Vec<String>>,
}

impl Grid {
    /// With these heads.
    #[must_use]
    pub fn new(head: Vec<String>) -> Self {
        Self { rows: vec![head] }
    }

    /// Adds a row, with a cell a head.
    pub fn push(&mut self, row: Vec<String>) {
        self.rows.push(row);
    }

    fn widths(&self) -> Vec<usize> {
        let columns = self.rows.first().map_or(0, Vec::len);
        (0..columns).map(|at| self.rows.iter().map(|row| width(&row[at])).max().unwrap_or(0)).collect()
    }

    /// How wide it is with nothing cut.
    #[must_use]
    pub fn width(&self) -> usize {
        let widths = self.widths();
        widths.iter().sum::<usize>() + GAP.len() * widths.len().saturating_sub(1)
    }

    /// Its lines; names are cut where they do not fit.
    #[must_use]
    pub fn text(&self, columns: usize) -> String {
        let mut widths = self.widths();
        let over = self.width().saturating_sub(columns);
        if let Some(name) = widths.first_mut() {
            *name = name.saturating_sub(over).max(MIN_NAME.min(*name));
        }
        let lines: Vec<String> = self.rows.iter().map(|row| line(row, &widths)).collect();
        lines.join("\n")
    }
}

fn line(row: &[String], widths: &[usize]) -> String {
    let mut line = String::new();
    for (at, (text, columns)) in row.iter().zip(widths).enumerate() {
        if at == 0 {
            line.push_str(&padded(&cut(text, *columns), *columns));
        } else {
            line.push_str(GAP);
            line.push_str(&" ".repeat(columns.saturating_sub(width(text))));
            line.push_str(text);
        }
    }
    line.truncate(line.trim_end().len());
    line
}

/// As much of a name as fits, with a sign where its end is missing.
fn cut(name: &str, columns: usize) -> String {
    if width(name) <= columns {
        return name.to_owned();
    }
    let mut kept = String::new();
    for c in name.chars() {
        kept.push(c);
        if width(&kept) + 1 > columns {
            kept.pop();
            break;
        }
    }
    kept.push('…');
    kept
}
