//! What does an experiment come to, on a terminal, in files and on a page?
//!
//! All of it is made of one [`Comparison`]: the sentence that a reader should take away ([`conclusion()`]), the table
//! for a terminal ([`table()`]), JSON and CSV for programs ([`to_json`], [`table_csv`], [`curves_csv`]), and one HTML
//! file without anything from elsewhere ([`html()`]). The same comparison gives the same bytes: no
//! clock, no machine.

mod conclusion;
mod csv;
mod html;
mod standing;
mod table;

#[cfg(test)]
mod sample;
#[cfg(test)]
mod tests;

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use trodden_report::file::write_whole;

use crate::result::Comparison;
pub use conclusion::conclusion;
pub use csv::{curves_csv, table_csv};
pub use html::html;
pub use table::table;

/// The comparison as one JSON document, fields in the order of their declaration.
#[must_use]
pub fn to_json(comparison: &Comparison) -> String {
    trodden_report::json::to_json(comparison)
}

/// What [`write_report`] writes.
pub const FILES: [&str; 4] = ["result.json", "table.csv", "curves.csv", "report.html"];

/// Writes `result.json`, `table.csv`, `curves.csv` and `report.html` into a folder, which is made if it is missing.
/// Each file is there as a whole or as it was before. Gives their paths.
///
/// # Errors
/// If the folder or a file cannot be written.
pub fn write_report(dir: &Path, comparison: &Comparison) -> io::Result<Vec<PathBuf>> {
    fs::create_dir_all(dir)?;
    let texts = [to_json(comparison), table_csv(comparison), curves_csv(comparison), html(comparison)];
    FILES.into_iter().zip(texts).map(|(name, text)| write_whole(dir, name, &text)).collect()
}

/// Writes `report.html` alone.
///
/// # Errors
/// If it cannot be written.
pub fn write_page(dir: &Path, comparison: &Comparison) -> io::Result<PathBuf> {
    write_whole(dir, "report.html", &html(comparison))
}
