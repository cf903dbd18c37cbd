//! Files of models: one line a site, plain or packed.

use std::fs::{self, File};
use std::io::{self, BufWriter, Read, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Error, Result, bail};
use trodden_logs::format::Hints;
use trodden_logs::input::FileKind;
use trodden_logs::is_disk_full;
use trodden_mining::{ModelSet, SiteModel};

use crate::output::{say, thousands};

/// The most bytes of a file of models, unpacked.
const MAX_BYTES: u64 = 16 << 30;
/// The most that a byte of a packed file may unpack to; models are repetitive.
const MAX_RATIO: u64 = 200;

/// The frame magic of zstd.
const ZSTD: [u8; 4] = [0x28, 0xB5, 0x2F, 0xFD];

/// So many faults of a file are said; a file that is no model at all has one in every line.
const FAULTS_SAID: usize = 5;

/// So many sites are named where another one was looked for.
const SITES_SAID: usize = 5;

/// Bytes in which the first line of a model tells itself.
const HEAD_BYTES: u64 = 4096;

/// Whether a path is that of a model, by its name or else by how its content begins.
pub(crate) fn is_one(path: &Path) -> bool {
    if path.extension().is_some_and(|e| e == "model") {
        return true;
    }
    let mut head = Vec::new();
    let read = |file: File| file.take(HEAD_BYTES).read_to_end(&mut head);
    path.is_file()
        && File::open(path).and_then(read).is_ok()
        && (head.starts_with(&ZSTD) || String::from_utf8_lossy(&head).contains("\"trodden_model\""))
}

/// What to do with something that is no model, where one is wanted; none if it may be one.
pub(crate) fn instead(path: &Path) -> Option<String> {
    let shown = path.display();
    let kind = FileKind::of(path, &Hints::default()).ok()?;
    Some(match &kind {
        FileKind::Log(_) => {
            format!(
                "{shown} is {}, not a model; make one of it with: trodden mine {shown} -o site.model",
                kind.in_words()
            )
        }
        FileKind::Visits => {
            format!("{shown} holds visits, not a model; make one of them with: trodden mine {shown} -o site.model")
        }
        FileKind::JsonLines(_) | FileKind::Other(_) => {
            format!("{shown} is {}, not a model; make one with: trodden mine LOG -o site.model", kind.in_words())
        }
        // What is damaged may have been a model, and its lines say what is wrong.
        FileKind::Model
        | FileKind::Empty
        | FileKind::Folder
        | FileKind::Text
        | FileKind::Binary
        | FileKind::Damaged => {
            return None;
        }
    })
}

/// Opens a file of models, and says what is wrong with single lines.
pub(crate) fn open(path: &Path) -> Result<ModelSet> {
    if let Some(instead) = instead(path) {
        bail!("{instead}");
    }
    let set = ModelSet::new(read(path)?);
    for fault in set.faults().iter().take(FAULTS_SAID) {
        say(&format!("warning: {}: {fault}", path.display()));
    }
    if let Some(more @ 1..) = set.faults().len().checked_sub(FAULTS_SAID) {
        say(&format!("warning: {}: {} more lines like these", path.display(), thousands(more as u64)));
    }
    if set.is_empty() {
        match set.faults() {
            [] => bail!("{} has no model; make one with: trodden mine LOG -o {0}", path.display()),
            _ => bail!("{} has no model that can be read", path.display()),
        }
    }
    Ok(set)
}

/// All models of some files, one after another; a line that cannot be read is said and left out.
pub(crate) fn each(paths: &[PathBuf], only: Option<&str>, mut f: impl FnMut(SiteModel) -> Result<()>) -> Result<()> {
    let mut found = false;
    let mut others = Vec::new();
    for path in paths {
        let set = open(path)?;
        others.push(sites(&set));
        let wanted: Vec<usize> = match only {
            Some(site) => set.find(site).into_iter().collect(),
            None => (0..set.len()).collect(),
        };
        for at in wanted {
            match set.model(at) {
                Ok(model) => {
                    found = true;
                    f(model)?;
                }
                Err(fault) => say(&format!("warning: {}: {fault}", path.display())),
            }
        }
    }
    let names = || paths.iter().map(|p| p.display().to_string()).collect::<Vec<_>>().join(", ");
    match (found, only) {
        (true, _) => Ok(()),
        (false, Some(site)) => bail!("{site} has no model in {}, only {}", names(), others.join(", ")),
        (false, None) => bail!("no model in {} can be read", names()),
    }
}

/// The sites of a file, the first few by name.
pub(crate) fn sites(set: &ModelSet) -> String {
    let mut names: Vec<String> = set.sites().take(SITES_SAID).map(str::to_owned).collect();
    if let Some(more @ 1..) = set.len().checked_sub(SITES_SAID) {
        names.push(format!("{} more", thousands(more as u64)));
    }
    names.join(", ")
}

fn read(path: &Path) -> Result<Vec<u8>> {
    let cannot = || format!("cannot read the model {}", path.display());
    let file = File::open(path).with_context(cannot)?;
    let size = file.metadata().with_context(cannot)?.len();
    let mut bytes = Vec::new();
    file.take(MAX_BYTES + 1).read_to_end(&mut bytes).with_context(cannot)?;
    let mut limit = MAX_BYTES;
    if bytes.starts_with(&ZSTD) {
        limit = MAX_BYTES.min(size.saturating_mul(MAX_RATIO).max(1 << 20));
        let decoder = zstd::stream::read::Decoder::new(&bytes[..]).with_context(cannot)?;
        let mut unpacked = Vec::new();
        decoder.take(limit + 1).read_to_end(&mut unpacked).with_context(cannot)?;
        bytes = unpacked;
    }
    if bytes.len() as u64 > limit {
        bail!("{} has over {limit} bytes of models; split it by site", path.display());
    }
    Ok(bytes)
}

/// A file being written; it takes its name when it is whole.
pub(crate) struct ModelWriter {
    out: Option<Out>,
    part: PathBuf,
    path: PathBuf,
}

enum Out {
    Plain(BufWriter<File>),
    Packed(zstd::stream::write::Encoder<'static, BufWriter<File>>),
}

impl ModelWriter {
    /// Begins a file beside the one to be.
    pub(crate) fn create(path: &Path) -> Result<Self> {
        let name = path.file_name().with_context(|| format!("{} is not the name of a file", path.display()))?;
        if path.is_dir() {
            bail!("{} is a folder; give the name of a file", path.display());
        }
        let part = path.with_file_name(format!(".{}.part", name.to_string_lossy()));
        let file = BufWriter::new(File::create(&part).map_err(|e| unwritable(e, path))?);
        let out = if path.extension().is_some_and(|e| e == "zst") {
            Out::Packed(zstd::stream::write::Encoder::new(file, 3)?)
        } else {
            Out::Plain(file)
        };
        Ok(Self { out: Some(out), part, path: path.to_owned() })
    }

    /// Adds a line.
    pub(crate) fn write(&mut self, line: &str) -> Result<()> {
        let written = match &mut self.out {
            Some(Out::Plain(out)) => out.write_all(line.as_bytes()),
            Some(Out::Packed(out)) => out.write_all(line.as_bytes()),
            None => Ok(()),
        };
        written.map_err(|e| unwritable(e, &self.path))
    }

    /// Puts the file in place.
    pub(crate) fn finish(mut self) -> Result<()> {
        let Some(out) = self.out.take() else { return Ok(()) };
        let in_place = whole(out).and_then(|()| fs::rename(&self.part, &self.path));
        if in_place.is_err() {
            let _ = fs::remove_file(&self.part);
        }
        in_place.map_err(|e| unwritable(e, &self.path))
    }
}

/// Sees to it that all of a file is on disk.
fn whole(out: Out) -> io::Result<()> {
    let file = match out {
        Out::Plain(out) => out.into_inner(),
        Out::Packed(out) => out.finish()?.into_inner(),
    };
    file.map_err(io::IntoInnerError::into_error)?.sync_all()
}

/// Why a model could not be written, and what to do.
fn unwritable(error: io::Error, path: &Path) -> Error {
    let is_full = is_disk_full(&error);
    let why = Error::from(error);
    if !is_full {
        return why.context(format!("cannot write {}", path.display()));
    }
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let folder = folder.display();
    why.context(format!(
        "no space is left in {folder} for the model: free some, or name a file on another disk with -o"
    ))
}

impl Drop for ModelWriter {
    fn drop(&mut self) {
        if self.out.take().is_some() {
            let _ = fs::remove_file(&self.part);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ours_a_model_is_known_by_its_name_or_by_how_it_begins() {
        let folder = tempfile::tempdir().unwrap();
        let file = |name: &str, bytes: &[u8]| {
            let path = folder.path().join(name);
            fs::write(&path, bytes).unwrap();
            is_one(&path)
        };
        assert!(file("plain", b"{\"trodden_model\":1,\"site\":\"a.com\"}"));
        assert!(file("packed", &ZSTD));
        assert!(file("damaged.model", b"?"));
        assert!(!file("access.log", b"{\"time\":1}"));
        assert!(!file("visits.parquet", b"PAR1"));
        assert!(!is_one(folder.path()) && !is_one(&folder.path().join("nowhere")));
        assert!(is_one(Path::new("nowhere.model")), "so that what is missing is a model");
    }

    #[test]
    fn ours_only_the_first_sites_are_named() {
        let set = |sites: std::ops::Range<u32>| {
            let lines = sites.map(|n| format!("{{\"trodden_model\":1,\"site\":\"{n}.com\"}}\n"));
            ModelSet::new(lines.collect::<String>().into_bytes())
        };
        assert_eq!(sites(&set(0..2)), "0.com, 1.com");
        assert_eq!(sites(&set(0..5)), "0.com, 1.com, 2.com, 3.com, 4.com");
        assert_eq!(sites(&set(0..7)), "0.com, 1.com, 2.com, 3.com, 4.com, 2 more");
    }
}
