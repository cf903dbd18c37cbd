//! What kind of mirror is this?
//!
//! Told by content where that is possible: a directory of visits by its `about.json` or its Parquet files, an archive by
//! its name or first bytes, a folder by what is in it, an edge list by its first lines. A list of URLs may be named beside
//! its edges.

use std::io::Read;
use std::path::{Path, PathBuf};

use serde::Serialize;
use trodden_logs::input::{InputCaps, Packing, find, unpacked};
use trodden_logs::visits::is_visits_dir;
use walkdir::WalkDir;

use super::lines::{fields, is_url, shown};
use super::{Mirror, MirrorOptions, id_edges, pages, url_edges, visits};
use crate::error::Error;

/// Bytes of a file that are looked at.
const SAMPLE_BYTES: u64 = 1 << 18;
/// Lines that are looked at: the first may be headings.
const SAMPLE_LINES: usize = 16;

/// What a mirror is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// An edge list of URLs.
    UrlEdges,
    /// An edge list of ids, perhaps with a list of their URLs.
    IdEdges,
    /// WARC files.
    Warc,
    /// A folder of HTML.
    Folder,
    /// Visits of people.
    Visits,
}

/// What a file or folder was found to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Found {
    Mirror(Kind),
    /// URLs, one a line: pages without links, or a URL list.
    LoneUrls,
    /// Ids with URLs.
    UrlList,
}

/// Opens the mirror that files, folders or globs make up together; `kind` says what they are, else it is found out.
///
/// # Errors
/// If there is nothing, nothing that is a mirror, or no page in it; see [`Error`].
pub fn open_mirror(paths: &[String], kind: Option<Kind>, options: &MirrorOptions) -> Result<Mirror, Error> {
    let files = named_by(paths)?;
    let mut edges = files.clone();
    let mut url_list = options.url_list.clone();
    let kind = match kind {
        Some(kind) => kind,
        None => {
            let found = files.iter().map(|path| what_is(path)).collect::<Result<Vec<_>, Error>>()?;
            let lists: Vec<&PathBuf> = files.iter().zip(&found).filter(|(_, f)| is_list(**f)).map(|(p, _)| p).collect();
            match joined(&found) {
                Some(Kind::IdEdges) if lists.len() <= 1 => {
                    edges.retain(|path| !lists.contains(&path));
                    url_list = url_list.or_else(|| lists.first().map(|list| (*list).clone()));
                    Kind::IdEdges
                }
                Some(kind) if kind != Kind::IdEdges => kind,
                _ => return Err(refused(&files, &found)),
            }
        }
    };
    let mut mirror = match kind {
        Kind::UrlEdges => url_edges::read(&edges)?,
        Kind::IdEdges => {
            let beside = || edges.first().filter(|_| edges.len() == 1).and_then(|path| id_edges::url_list_beside(path));
            id_edges::read(&edges, url_list.or_else(beside).as_deref())?
        }
        Kind::Warc | Kind::Folder => pages::read(&files, kind, options)?,
        Kind::Visits => visits::read(paths, options)?,
    };
    let name = files.first().map(|path| shown(path)).unwrap_or_default();
    if mirror.pages() == 0 {
        return Err(Error::NoPages { name });
    }
    mirror.name = name;
    Ok(mirror)
}

/// Files and folders as they are; globs as the files that they match.
fn named_by(paths: &[String]) -> Result<Vec<PathBuf>, Error> {
    let mut files = Vec::new();
    for word in paths {
        if Path::new(word).exists() {
            files.push(PathBuf::from(word));
            continue;
        }
        let found = find(std::slice::from_ref(word))?.into_iter();
        files.extend(found.filter_map(|input| input.path().map(Path::to_owned)));
    }
    if files.is_empty() {
        return Err(Error::NotAMirror {
            name: paths.join(", "),
            why: "a mirror is a file or a folder, and cannot be read from a pipe".to_owned(),
        });
    }
    Ok(files)
}

fn is_list(found: Found) -> bool {
    matches!(found, Found::UrlList | Found::LoneUrls)
}

/// What files of these kinds make up together.
fn joined(found: &[Found]) -> Option<Kind> {
    let mirrors: Vec<Kind> =
        found.iter().filter_map(|found| if let Found::Mirror(kind) = found { Some(*kind) } else { None }).collect();
    let rest = || found.iter().filter(|found| is_list(**found));
    match mirrors.as_slice() {
        [] if found.iter().all(|found| *found == Found::LoneUrls) => Some(Kind::UrlEdges),
        [first, others @ ..] if others.iter().all(|kind| kind == first) => match first {
            Kind::IdEdges => Some(Kind::IdEdges),
            Kind::UrlEdges => rest().all(|found| *found == Found::LoneUrls).then_some(Kind::UrlEdges),
            kind => rest().next().is_none().then_some(*kind),
        },
        // Archives may lie beside pages.
        kinds if kinds.len() == found.len() && kinds.iter().all(|k| matches!(k, Kind::Warc | Kind::Folder)) => {
            Some(Kind::Folder)
        }
        _ => None,
    }
}

fn refused(files: &[PathBuf], found: &[Found]) -> Error {
    if found.iter().all(|found| is_list(*found)) {
        let name = files.first().map(|path| path.display().to_string()).unwrap_or_default();
        return Error::NotAMirror { name, why: "a list of ids and URLs, without the links between them".to_owned() };
    }
    Error::MixedKinds { names: files.iter().map(|path| shown(path)).collect::<Vec<_>>().join(", ") }
}

fn what_is(path: &Path) -> Result<Found, Error> {
    let name = || path.display().to_string();
    if path.is_dir() {
        let why = "a folder with neither pages nor archives nor visits in it";
        return folder_kind(path)
            .map(Found::Mirror)
            .ok_or_else(|| Error::NotAMirror { name: name(), why: why.to_owned() });
    }
    if let Some(kind) = kind_by_name(path) {
        return Ok(Found::Mirror(kind));
    }
    let unreadable = |source| Error::Unreadable { name: name(), source };
    let (input, packing) = unpacked(path, &InputCaps::default()).map_err(unreadable)?;
    if packing == Packing::Parquet {
        return Ok(Found::Mirror(Kind::Visits));
    }
    let mut sample = Vec::new();
    if let Err(source) = input.take(SAMPLE_BYTES).read_to_end(&mut sample)
        && sample.is_empty()
    {
        return Err(unreadable(source));
    }
    if sample.starts_with(b"WARC/") {
        return Ok(Found::Mirror(Kind::Warc));
    }
    let lines = sample.split(|b| *b == b'\n').map(<[u8]>::trim_ascii);
    let mut lines = lines.filter(|line| !matches!(line, [] | [b'#' | b'%', ..])).take(SAMPLE_LINES).peekable();
    if lines.peek().is_none() {
        return Err(Error::NoPages { name: name() });
    }
    if sample.contains(&0) {
        return Err(Error::NotAMirror { name: name(), why: "it is not text".to_owned() });
    }
    lines.find_map(line_kind).ok_or_else(|| Error::NotAMirror {
        name: name(),
        why: "its first lines are neither links between URLs nor between ids (a log must be ingested first)".to_owned(),
    })
}

fn line_kind(line: &[u8]) -> Option<Found> {
    let is_id = |text: &[u8]| !text.is_empty() && text.iter().all(u8::is_ascii_digit);
    match fields(line) {
        (from, Some(to)) if is_url(from) && is_url(to) => Some(Found::Mirror(Kind::UrlEdges)),
        (url, None) if is_url(url) => Some(Found::LoneUrls),
        (from, Some(to)) if is_id(from) && is_id(to) => Some(Found::Mirror(Kind::IdEdges)),
        (id, None) if is_id(id) => Some(Found::Mirror(Kind::IdEdges)),
        (id, Some(url)) if is_id(id) && is_url(url) => Some(Found::UrlList),
        _ => None,
    }
}

fn kind_by_name(path: &Path) -> Option<Kind> {
    let name = path.file_name()?.to_string_lossy().to_ascii_lowercase();
    let ends = |ends: &[&str]| ends.iter().any(|end| name.ends_with(end));
    if ends(&[".warc", ".warc.gz", ".warc.zst", ".warc.gz.open"]) {
        Some(Kind::Warc)
    } else if ends(&[".html", ".htm", ".xhtml"]) {
        Some(Kind::Folder)
    } else if ends(&[".parquet"]) {
        Some(Kind::Visits)
    } else {
        None
    }
}

/// Pages before archives before visits.
fn folder_kind(path: &Path) -> Option<Kind> {
    if is_visits_dir(path) {
        return Some(Kind::Visits);
    }
    let files = WalkDir::new(path).follow_links(true).into_iter().flatten().filter(|entry| entry.file_type().is_file());
    let mut best = None;
    for kind in files.filter_map(|entry| kind_by_name(entry.path())) {
        match (kind, best) {
            (Kind::Folder, _) => return Some(Kind::Folder),
            (Kind::Warc, _) | (_, None) => best = Some(kind),
            _ => {}
        }
    }
    best
}
