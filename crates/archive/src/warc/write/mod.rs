//! How is what the crawler fetched kept, so that a crash takes at most what was being written?
//!
//! ```text
//! Exchange ─► Batch (records, digests, gzip members) ─► one write ─► trodden-…-00001.warc.gz.open ─close─► ….warc.gz
//!                └────────────► line of the index, held back ──sync──► index.cdxj.part ─sort─► index.cdxj
//! ```
//!
//! Files are WARC 1.1, every record a gzip member of its own, so that an index leads to a record without unpacking what
//! comes before it. A file begins with a `warcinfo` record, is named `….warc.gz.open` while it is written, and gets its
//! final name when it is closed. All records of an exchange go to the file in one write; if that fails, the file is
//! cut back to where it was, and the writer can go on later.
//!
//! [`WarcWriter::open`] makes the folder sound before anything is written ([`Recovered`]). Neither clock nor randomness
//! is read here: dates come with the exchanges, ids from an [`IdSource`].

mod batch;
mod exchange;
mod head;
mod id;
mod open_file;
mod pack;
mod packed;
mod recover;
mod settings;

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

pub use exchange::{Message, Metadata, Original, Repeat, Truncated, WarcExchange};
pub(crate) use head::plain_uri;
pub use id::{IdSource, RecordId};
pub use packed::{PackedRecords, RecordNames, WarcPacker};
pub use recover::Recovered;
pub use settings::{BlockDigests, FILE_BYTES, LEVEL, PREFIX, RobotsPolicy, WarcSettings};

use self::batch::{Answer, Batch};
use self::open_file::{Back, OpenFile};
use super::Digest;
use super::folder::archives_in;
use crate::Error;
use crate::cdxj::Journal;
use crate::cdxj::line::{Line, answer_facts};

/// Where the answer of an exchange is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Written {
    /// The file's final name, without its folder.
    pub file: Arc<str>,
    /// Where the record starts.
    pub offset: u64,
    /// How many bytes it has there.
    pub length: u64,
    /// Where the last record of the exchange ends: the length of the file so far.
    pub end: u64,
    /// XXH3-64 of the file up to there.
    pub hash: u64,
    /// Its name, for revisits to refer to.
    pub record: RecordId,
    /// The digest of its payload; none for an answer 304 to something whose digest is not known.
    pub payload_digest: Option<Digest>,
}

/// Writes exchanges into the WARC files of a folder, and the journal of their index.
pub struct WarcWriter<I> {
    dir: PathBuf,
    settings: WarcSettings,
    ids: I,
    batch: Batch,
    journal: Journal,
    file: Option<OpenFile>,
    next_serial: u64,
    /// The name of the `warcinfo` record of the next file.
    next_info: RecordId,
    recovered: Recovered,
}

impl<I: IdSource> WarcWriter<I> {
    /// Takes a folder, made if it is missing, for writing; what a crash left in it is repaired first. One writer a
    /// folder: that is for the caller to see to.
    ///
    /// # Errors
    /// [`Error::BadPrefix`], and that something cannot be read or written.
    pub fn open(dir: &Path, settings: WarcSettings, mut ids: I) -> Result<Self, Error> {
        settings.check()?;
        std::fs::create_dir_all(dir).map_err(|e| Error::writing(dir, e))?;
        let recovered = recover::recover(dir)?;
        let last = archives_in(dir)?.iter().filter_map(|archive| archive.serial(&settings.prefix)).max();
        Ok(Self {
            dir: dir.to_owned(),
            batch: Batch::new(&settings),
            journal: Journal::open(dir)?,
            file: None,
            next_serial: last.map_or(1, |last| last.saturating_add(1)),
            next_info: RecordId::from_random(ids.bytes()),
            settings,
            ids,
            recovered,
        })
    }

    /// What was repaired when the folder was taken.
    #[must_use]
    pub fn recovered(&self) -> Recovered {
        self.recovered
    }

    /// Names for the records of one more exchange, so that they can be packed before it is written ([`WarcPacker`]).
    pub fn names(&mut self) -> RecordNames {
        let info = match &self.file {
            Some(file) if file.length() < self.settings.file_bytes => file.info(),
            _ => self.next_info,
        };
        let [answer, request, metadata] = std::array::from_fn(|_| RecordId::from_random(self.ids.bytes()));
        RecordNames { info, answer, request, metadata }
    }

    /// Writes the records of an exchange. They are in the file, and survive the end of the process; to survive the end
    /// of the machine they need a [`sync`](Self::sync).
    ///
    /// Cost: packing and two digests of the payload, one if it is given; no allocation that grows with the page.
    ///
    /// # Errors
    /// [`Error::Full`] and [`Error::Unwritable`]: nothing of the exchange is kept, and it may be tried again.
    /// [`Error::HeadTooLong`] if a record's head is more than a reader takes.
    pub fn write(&mut self, exchange: &WarcExchange<'_>) -> Result<Written, Error> {
        let names = self.names();
        self.begin(exchange)?;
        let answer = self.batch.exchange(exchange, &names)?;
        let facts = answer_facts(answer.kind, exchange.response.head);
        self.append(exchange, names.answer, answer, &facts)
    }

    /// Writes records that were packed before, or packs them anew where they do not fit any more. Otherwise as [`write`](Self::write).
    ///
    /// # Errors
    /// As [`write`](Self::write).
    pub fn write_packed(&mut self, exchange: &WarcExchange<'_>, packed: &PackedRecords) -> Result<Written, Error> {
        let info = self.begin(exchange)?;
        if !packed.fits(info, exchange) {
            return self.write(exchange);
        }
        let answer = self.batch.packed(&packed.bytes, packed.answer);
        self.append(exchange, packed.names.answer, answer, &packed.facts)
    }

    /// Makes ready for an exchange: a file with room, and in the batch what has to come before it. The name of the file's `warcinfo` record.
    fn begin(&mut self, exchange: &WarcExchange<'_>) -> Result<RecordId, Error> {
        if self.journal.is_full() {
            self.sync()?;
        }
        if self.file.as_ref().is_some_and(|file| file.length() >= self.settings.file_bytes) {
            self.close()?;
        }
        let Self { batch, settings, .. } = self;
        let file = match &mut self.file {
            Some(file) => file,
            none => {
                let file =
                    OpenFile::create(&self.dir, &settings.prefix, exchange.date, self.next_serial, self.next_info)?;
                self.next_serial += 1;
                self.next_info = RecordId::from_random(self.ids.bytes());
                none.insert(file)
            }
        };
        batch.clear();
        if file.length() == 0 {
            batch.warcinfo(settings, file.info(), exchange.date, file.name())?;
        }
        Ok(file.info())
    }

    /// Appends the batch.
    fn append(
        &mut self,
        exchange: &WarcExchange<'_>,
        record: RecordId,
        answer: Answer,
        (mime, status): &(String, Option<u16>),
    ) -> Result<Written, Error> {
        let file = self.file.as_mut().expect("there is a file since the exchange was begun");
        let offset = file.length() + answer.offset;
        let name = Arc::clone(file.name());
        match file.append(self.batch.bytes()) {
            Ok(()) => {}
            Err((Back::AsBefore, e)) => return Err(e),
            Err((Back::Lost, e)) => {
                // The file stays open for the next recovery, which also makes the lines that are held back for it.
                self.file = None;
                self.journal.held().clear();
                return Err(e);
            }
        }
        let line = Line {
            target: exchange.target,
            digits: &exchange.date.digits(),
            mime,
            status: *status,
            digest: answer.payload_digest,
            offset,
            length: answer.length,
            file: &name,
        };
        line.write(self.journal.held());
        let (length, payload_digest) = (answer.length, answer.payload_digest);
        let (end, hash) = (file.length(), file.hash());
        Ok(Written { file: name, offset, length, end, hash, record, payload_digest })
    }

    /// Waits until everything written is on disk, and then tells the journal of the index.
    ///
    /// # Errors
    /// [`Error::Full`] and [`Error::Unwritable`]; it may be tried again.
    pub fn sync(&mut self) -> Result<(), Error> {
        if let Some(file) = &mut self.file {
            file.sync()?;
        }
        self.journal.flush()
    }

    /// Closes the file that is being written, if any, and gives it its final name. The next exchange starts another.
    ///
    /// # Errors
    /// [`Error::Full`] and [`Error::Unwritable`]; it may be tried again.
    pub fn close(&mut self) -> Result<(), Error> {
        self.sync()?;
        if let Some(file) = &self.file {
            file.close(&self.dir)?;
            self.file = None;
        }
        self.journal.let_go();
        Ok(())
    }

    /// Closes the last file. The index is sorted by [`sort_index`](crate::cdxj::sort_index) when it is wanted.
    ///
    /// # Errors
    /// [`Error::Full`] and [`Error::Unwritable`]; the next [`open`](Self::open) does then what is missing.
    pub fn finish(mut self) -> Result<(), Error> {
        self.close()
    }
}

impl<I> fmt::Debug for WarcWriter<I> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("WarcWriter").field("dir", &self.dir).finish_non_exhaustive()
    }
}
