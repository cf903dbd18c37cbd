//! Promises of mirrors: what is a page, what is a link, and what becomes of everything else.

#![expect(clippy::unwrap_used, reason = "a test that fails here fails")]

mod bad_files;
mod edges;
mod found;
mod html;
mod of_visits;

use std::path::Path;

use tempfile::TempDir;
use trodden_lab::{Error, Mirror, MirrorOptions, open_mirror};

/// A folder for the files of a test.
struct Folder(TempDir);

impl Folder {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    /// Writes a file and gives its path.
    fn write(&self, name: &str, bytes: impl AsRef<[u8]>) -> String {
        let path = self.0.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, bytes).unwrap();
        path.display().to_string()
    }

    fn path(&self, name: &str) -> String {
        self.0.path().join(name).display().to_string()
    }

    fn root(&self) -> &Path {
        self.0.path()
    }
}

fn open(paths: &[&str]) -> Result<Mirror, Error> {
    let paths: Vec<String> = paths.iter().map(|path| (*path).to_owned()).collect();
    open_mirror(&paths, None, &MirrorOptions::default())
}

/// All links of a mirror by name, page by page.
fn links(mirror: &Mirror) -> Vec<(String, String)> {
    let name = |page| mirror.urls.name(page).into_owned();
    (0..mirror.pages())
        .flat_map(|from| mirror.graph.targets(from).iter().map(move |&to| (name(from), name(to))))
        .collect()
}

/// The same, written down.
fn pairs(links: &[(&str, &str)]) -> Vec<(String, String)> {
    links.iter().map(|(from, to)| ((*from).to_owned(), (*to).to_owned())).collect()
}

/// All pages of a mirror by name.
fn pages(mirror: &Mirror) -> Vec<String> {
    (0..mirror.pages()).map(|page| mirror.urls.name(page).into_owned()).collect()
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    std::io::Write::write_all(&mut packed, bytes).unwrap();
    packed.finish().unwrap()
}
