//! What does an experiment come to, on a terminal, in files and on a page?
//!
//! All of it is made of one [`Comparison`]: the sentence that a reader should take away ([`conclusion()`]), the table
//! for a terminal ([`table()`]), JSON and CSV for programs ([`to_json`], [`table_csv`], [`curves_csv`]), and one HTML
//! file without anything from elsewhere ([`html()`]). A real crawl has a page of its own ([`crawl`]). The same comparison gives the same bytes: no clock, no machine.

pub mod chart;
mod conclusion;
pub mod crawl;
mod csv;
mod html;
mod json;
mod number;
mod standing;
mod table;

#[cfg(test)]
mod sample;
#[cfg(test)]
mod tests;

use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

pub use conclusion::conclusion;
pub use csv::{curves_csv, table_csv};
pub use html::html;
pub use json::to_json;
pub use number::{counted, thousands};
pub use table::table;

use crate::result::Comparison;

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

fn write_whole(dir: &Path, name: &str, text: &str) -> io::Result<PathBuf> {
    let mut file = new_file(dir)?;
    file.write_all(text.as_bytes())?;
    file.as_file().sync_all()?;
    let path = dir.join(name);
    file.persist(&path)?;
    Ok(path)
}

/// A file that may be read by whoever the process lets read: a temporary file is for its owner only otherwise.
fn new_file(dir: &Path) -> io::Result<NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    builder.tempfile_in(dir)
}
