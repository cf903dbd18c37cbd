//! The directory itself: made private, checked before use.

use std::ffi::OsStr;
use std::fs::{self, DirBuilder, File, TryLockError};
use std::io;
use std::os::unix::fs::{DirBuilderExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use trodden_urls::SiteGrouping;

use super::{LOG_VERSION, VISITS_VERSION};
use crate::error::Error;
use crate::privacy::UserKey;

/// Says what the directory is.
pub(crate) const ABOUT_FILE: &str = "about.json";
/// The key of the user hashes.
pub(crate) const KEY_FILE: &str = "key";

/// What is being written begins so; it takes its name when it is whole.
pub(super) const INCOMING: &str = ".incoming-";
/// What scratch folders begin with.
const SCRATCH: &str = ".trodden-scratch-";

const FORMAT: &str = "trodden visits";

#[derive(Serialize, Deserialize)]
struct About {
    format: String,
    version: u32,
    /// What a site is here: days taken in by different measures cannot be joined.
    site_by: SiteGrouping,
}

/// A directory of visits that may be written to, by nobody else as long as this is there. Readers are not kept out: files
/// appear when they are whole.
#[derive(Clone, Debug)]
pub struct VisitsDir {
    path: PathBuf,
    key: UserKey,
    /// None where the file system knows no locks.
    _lock: Option<Arc<File>>,
}

/// Whether a directory says that it holds visits.
pub fn is_visits_dir(path: &Path) -> bool {
    path.join(ABOUT_FILE).is_file()
}

impl VisitsDir {
    /// Opens a directory of visits, or makes a new private one with a key of its own.
    ///
    /// # Errors
    /// If it cannot be made, is something else, is of a newer version, or somebody else is writing to it.
    pub fn open_or_create(path: &Path, grouping: SiteGrouping) -> Result<Self, Error> {
        Self::open(path, grouping, LOG_VERSION)
    }

    /// Makes a new private directory for the visits of page-view exports. Those are never put beside others: the visits of a
    /// log of the same time are the same views once more.
    ///
    /// # Errors
    /// If it is there and holds anything, or cannot be made.
    pub fn create_for_views(path: &Path, grouping: SiteGrouping) -> Result<Self, Error> {
        if fs::read_dir(path).is_ok_and(|mut entries| entries.next().is_some()) {
            let why = "page views of an export are kept by themselves, and it is not empty".to_owned();
            return Err(Error::NotVisitsDir { name: path.display().to_string(), why });
        }
        Self::open(path, grouping, VISITS_VERSION)
    }

    fn open(path: &Path, grouping: SiteGrouping, version: u32) -> Result<Self, Error> {
        let name = path.display().to_string();
        let unwritable = |source| Error::unwritable(path, source);
        if path.exists() && !path.is_dir() {
            return Err(Error::NotVisitsDir { name, why: "it is a file".to_owned() });
        }
        DirBuilder::new().recursive(true).mode(0o700).create(path).map_err(unwritable)?;
        let lock = lock(path)?;
        refuse_other_things(path)?;
        sweep(path).map_err(unwritable)?;
        if is_visits_dir(path) {
            let about = read_about(path)?;
            if about.version > version {
                let why = "it holds page views of an export; visits of logs need a directory of their own".to_owned();
                return Err(Error::NotVisitsDir { name, why });
            }
            let kept = about.site_by;
            if kept != grouping {
                return Err(Error::NotVisitsDir {
                    name,
                    why: format!("its sites are {}, not {}; use another directory", measure(kept), measure(grouping)),
                });
            }
        } else {
            // The folder may have been there, empty and open to all.
            fs::set_permissions(path, fs::Permissions::from_mode(0o700)).map_err(unwritable)?;
            let about = About { format: FORMAT.to_owned(), version, site_by: grouping };
            let text = serde_json::to_string_pretty(&about).map_err(|e| unwritable(io::Error::other(e)))?;
            let mut file = tempfile::Builder::new().prefix(INCOMING).tempfile_in(path).map_err(unwritable)?;
            io::Write::write_all(&mut file, (text + "\n").as_bytes()).map_err(unwritable)?;
            file.persist(path.join(ABOUT_FILE)).map_err(|e| unwritable(e.error))?;
        }
        if !path.join(KEY_FILE).exists() && has_days(path) {
            return Err(Error::LostKey { name });
        }
        let key = UserKey::of_file(&path.join(KEY_FILE))?;
        Ok(Self { path: path.to_owned(), key, _lock: lock })
    }

    /// The key of its user hashes.
    pub fn key(&self) -> &UserKey {
        &self.key
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }
}

/// Locks a directory; none where the file system knows no locks.
fn lock(path: &Path) -> Result<Option<Arc<File>>, Error> {
    let name = path.display().to_string();
    // The folder itself: a file for it would have to stay there for good.
    let folder = File::open(path).map_err(|source| Error::unwritable(path, source))?;
    match folder.try_lock() {
        Ok(()) => Ok(Some(Arc::new(folder))),
        Err(TryLockError::WouldBlock) => Err(Error::InUse { name }),
        Err(TryLockError::Error(_)) => Ok(None),
    }
}

/// Removes what a run left that was killed. Only under the lock: else it may be somebody's.
fn sweep(path: &Path) -> io::Result<()> {
    for entry in fs::read_dir(path)?.flatten() {
        if is_left_over(&entry.file_name()) {
            let is_folder = entry.file_type()?.is_dir();
            if is_folder { fs::remove_dir_all(entry.path()) } else { fs::remove_file(entry.path()) }?;
        }
    }
    Ok(())
}

fn is_left_over(name: &OsStr) -> bool {
    let name = name.to_string_lossy();
    name.starts_with(INCOMING) || name.starts_with(SCRATCH)
}

/// A folder of something else stays as it is.
fn refuse_other_things(path: &Path) -> Result<(), Error> {
    let entries = fs::read_dir(path).map_err(|source| Error::unwritable(path, source))?;
    let others = entries.flatten().any(|entry| !is_left_over(&entry.file_name()));
    if others && !is_visits_dir(path) {
        let name = path.display().to_string();
        return Err(Error::NotVisitsDir { name, why: format!("a folder with other things in it and no {ABOUT_FILE}") });
    }
    Ok(())
}

/// What a site is for a directory of visits, or a day or file of one; hosts, if nothing says so.
pub(crate) fn directory_grouping(path: &Path) -> Result<SiteGrouping, Error> {
    let path = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    match path.ancestors().take(3).find(|p| is_visits_dir(p)) {
        Some(dir) => Ok(read_about(dir)?.site_by),
        None => Ok(SiteGrouping::Host),
    }
}

fn has_days(path: &Path) -> bool {
    fs::read_dir(path)
        .is_ok_and(|entries| entries.flatten().any(|e| e.file_name().to_string_lossy().starts_with("day=")))
}

fn measure(grouping: SiteGrouping) -> &'static str {
    match grouping {
        SiteGrouping::Host => "hosts",
        SiteGrouping::RegistrableDomain => "registrable domains",
    }
}

fn read_about(path: &Path) -> Result<About, Error> {
    let name = path.display().to_string();
    let file =
        fs::File::open(path.join(ABOUT_FILE)).map_err(|source| Error::Unreadable { name: name.clone(), source })?;
    let not_visits = |why: String| Error::NotVisitsDir { name: name.clone(), why };
    let about: About =
        serde_json::from_reader(io::Read::take(file, 1 << 16)).map_err(|e| not_visits(format!("{ABOUT_FILE}: {e}")))?;
    if about.format != FORMAT {
        return Err(not_visits(format!("{ABOUT_FILE} says {:?}", about.format)));
    }
    if about.version > VISITS_VERSION {
        return Err(not_visits(format!(
            "it is of version {}, this program reads up to {VISITS_VERSION}: update trodden",
            about.version
        )));
    }
    Ok(about)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ours_a_visits_directory_is_private_and_never_mistaken() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("new/visits");
        let made = VisitsDir::open_or_create(&path, SiteGrouping::Host).unwrap();
        assert_eq!(path.metadata().unwrap().permissions().mode() & 0o777, 0o700);
        let second = VisitsDir::open_or_create(&path, SiteGrouping::Host).unwrap_err();
        assert!(matches!(second, Error::InUse { .. }), "{second}");
        fs::create_dir(path.join(".incoming-a")).unwrap();
        fs::write(path.join(".incoming-b"), "half").unwrap();
        let key = made.key().clone();
        drop(made);
        let again = VisitsDir::open_or_create(&path, SiteGrouping::Host).unwrap();
        assert!(key == *again.key());
        assert!(!path.join(".incoming-a").exists() && !path.join(".incoming-b").exists());
        drop(again);
        fs::write(path.join(ABOUT_FILE), r#"{"format":"trodden visits","version":99,"site_by":"host"}"#).unwrap();
        let newer = VisitsDir::open_or_create(&path, SiteGrouping::Host).unwrap_err().to_string();
        assert!(newer.contains("99") && newer.contains("update"), "{newer}");
        fs::write(dir.path().join("other"), "x").unwrap();
        assert!(matches!(VisitsDir::open_or_create(dir.path(), SiteGrouping::Host), Err(Error::NotVisitsDir { .. })));
    }
}
