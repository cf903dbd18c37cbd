//! One worker of the first reading.

use std::io;

use memchr::memchr_iter;
use trodden_mining::MS_PER_DAY;
use xxhash_rust::xxh3::xxh3_64_with_seed;

use super::shared::ScanShared;
use super::totals::ScanTotals;
use super::url_lookup::UrlLookup;
use super::visitors::Visitors;
use crate::clean::{BadReason, ClientField, DropReason, Kind, MinuteCounts, kind_of_content_type};
use crate::format::{Context, Entry, Format, LineFault, Parsed};
use crate::hosts::OWN;
use crate::input::Block;
use crate::ledger::Position;
use crate::spool::{ClientOrSite, NO_URL, Record, Run, Spool, shard_of, traits};
use crate::visits::{StoredUser, Visit};

/// A worker.
pub(crate) struct Scanner<'s> {
    shared: &'s ScanShared,
    run: Run,
    spool: Spool,
    urls: UrlLookup,
    visitors: Visitors,
    peers: MinuteCounts<'s>,
    forwarded: MinuteCounts<'s>,
    totals: ScanTotals,
}

impl<'s> Scanner<'s> {
    pub(crate) fn new(shared: &'s ScanShared, spool: Spool) -> Self {
        Self {
            shared,
            run: Run::with_shards(shared.shards, shared.shard_room),
            spool,
            urls: UrlLookup::new(),
            visitors: Visitors::new(),
            peers: MinuteCounts::new(&shared.peers),
            forwarded: MinuteCounts::new(&shared.forwarded),
            totals: ScanTotals::default(),
        }
    }

    /// Reads a block.
    pub(crate) fn block(&mut self, block: &Block, cx: &Context) -> io::Result<()> {
        let bytes = &block.bytes[block.skip..];
        let mut position = Position { file: block.file, block: block.number, line: 0 };
        let mut from = 0;
        for end in memchr_iter(b'\n', bytes) {
            self.line(&bytes[from..end], &block.format, position, false, cx)?;
            from = end + 1;
            position.line += 1;
        }
        if from < bytes.len() {
            self.line(&bytes[from..], &block.format, position, true, cx)?;
            position.line += 1;
        }
        if let Some(fault) = block.fault {
            let reason = fault.into();
            self.bad(reason, position);
            position.line += 1;
        }
        self.totals.lines += u64::from(position.line);
        self.totals.block_lines.push((block.file, block.number, position.line));
        self.spill_if_full()
    }

    /// Ends the reading: what was counted, and the runs.
    pub(crate) fn finish(mut self) -> io::Result<(ScanTotals, Spool)> {
        self.peers.hand_on()?;
        self.forwarded.hand_on()?;
        if self.spool.spilled_runs() > 0 {
            // The memory was not enough for this one alone: those who observe and judge need it.
            self.spool.spill(&mut self.run)?;
        } else {
            self.spool.keep(self.run);
        }
        self.totals.hosts = self.urls.into_counts();
        Ok((self.totals, self.spool))
    }

    fn bad(&mut self, reason: BadReason, position: Position) {
        self.totals.bad[reason as usize] += 1;
        self.totals.places.note(reason, position);
    }

    fn line(&mut self, line: &[u8], format: &Format, position: Position, torn: bool, cx: &Context) -> io::Result<()> {
        if line.len() > self.shared.line_cap {
            self.bad(BadReason::TooLong, position);
            return Ok(());
        }
        if line.iter().all(u8::is_ascii_whitespace) {
            self.bad(BadReason::Blank, position);
            return Ok(());
        }
        match format.parse(line, cx) {
            Ok(Parsed::Entry(entry)) => {
                if let Some(stored) = &self.shared.stored_samples {
                    let hash = xxh3_64_with_seed(line.strip_suffix(b"\r").unwrap_or(line), self.shared.seed);
                    self.totals.read.add(entry.time_ms.div_euclid(MS_PER_DAY), hash, stored);
                }
                self.entry(&entry, position)
            }
            Ok(Parsed::Header) => {
                self.totals.dropped[DropReason::Header as usize] += 1;
                Ok(())
            }
            Err(fault) => {
                let reason = match fault {
                    _ if torn => BadReason::Torn,
                    LineFault::BadTime => BadReason::BadTime,
                    LineFault::BadRequest => BadReason::BadRequest,
                    LineFault::BadStatus => BadReason::BadStatus,
                    _ => BadReason::Malformed,
                };
                self.bad(reason, position);
                Ok(())
            }
        }
    }

    fn entry(&mut self, entry: &Entry<'_>, position: Position) -> io::Result<()> {
        let shared = self.shared;
        let is_get = entry.method.is_empty() || entry.method == b"GET";
        let by_answer = match entry.status {
            _ if !is_get => Some(DropReason::Method),
            0 | 200 | 203 | 304 => None,
            300..400 => Some(DropReason::Redirect),
            _ => Some(DropReason::Status),
        };
        let (agent, bot) = self.visitors.agent(entry.agent, shared);
        if bot && shared.cleaning.bots.drops() {
            // Nothing that a declared bot does says anything about people, so no more is kept of it than that its
            // address was busy.
            self.totals.dropped[by_answer.unwrap_or(DropReason::Bot) as usize] += 1;
            self.totals.bot_lines += 1;
            let address = self.client(entry);
            if !address.is_empty() {
                let address = self.visitors.address(address, shared);
                self.count_address(entry, address)?;
            }
            return Ok(());
        }
        let mut traits = if entry.status >= 400 { traits::ERROR } else { 0 };
        let (target, kind) = match self.urls.target(entry, &shared.canonicalizer, &mut self.run.urls, shared) {
            Ok(seen) => {
                self.totals.own_lines += u64::from(seen.host == OWN);
                (seen.url, seen.kind)
            }
            // `CONNECT host:443` and `OPTIONS *` name no URL, and are dropped for what they are.
            Err(_) if !is_get => (NO_URL, Kind::Page),
            Err(_) => {
                self.bad(BadReason::BadUrl, position);
                return Ok(());
            }
        };
        let kind = kind.as_asked(entry.agent, entry.referrer);
        // A name that says login or robots.txt is right about that, whatever the server calls it.
        let named = matches!(kind, Kind::LoginAdmin | Kind::Machine);
        let kind = kind_of_content_type(entry.content_type).filter(|_| !named).unwrap_or(kind);
        match kind {
            Kind::Asset => traits |= traits::ASSET,
            Kind::Document => traits |= traits::DOCUMENT,
            _ => {}
        }
        let reason = by_answer.or_else(|| shared.drop_of(kind));
        let referrer = if entry.referrer.is_empty() {
            NO_URL
        } else {
            self.urls.referrer(entry.referrer, &mut self.run.urls, shared)
        };
        let record = Record {
            time_ms: entry.time_ms,
            user: 0,
            address: 0,
            target,
            referrer,
            of: ClientOrSite::NONE,
            verdict: reason,
            traits,
        };
        self.push(entry, agent, record)
    }

    /// The rest of a file of visits cannot be read.
    pub(crate) fn damaged(&mut self, file: u32, row: u32) {
        let position = Position { file, block: 0, line: row };
        self.totals.lines += 1;
        self.bad(BadReason::DamagedFile, position);
    }

    /// Takes over a visit that was judged before; none is a row that is no visit.
    pub(crate) fn visit(&mut self, visit: Option<&Visit<'_>>, file: u32, row: u32) -> io::Result<()> {
        let position = Position { file, block: 0, line: row };
        self.totals.lines += 1;
        // A row that counts many is no visit that could be judged.
        let Some(visit) = visit.filter(|visit| !matches!(visit.user, StoredUser::Many(_))) else {
            self.bad(BadReason::Malformed, position);
            return Ok(());
        };
        let shared = self.shared;
        let entry = Entry { target: visit.target.as_bytes(), ..Entry::default() };
        let Ok(seen) = self.urls.target(&entry, &shared.stored, &mut self.run.urls, shared) else {
            self.bad(BadReason::BadUrl, position);
            return Ok(());
        };
        let target = if self.run.urls.text(self.run.urls.entry(seen.url)).is_empty() {
            // Judged a page before, by rules or a content type that we do not see any more: keep it.
            let typed = Entry { content_type: b"text/html", ..entry };
            self.urls.target(&typed, &shared.stored, &mut self.run.urls, shared).map_or(seen.url, |s| s.url)
        } else {
            seen.url
        };
        self.totals.own_lines += u64::from(seen.host == OWN);
        let referrer = visit.referrer.map_or(NO_URL, |r| self.urls.referrer(r.as_bytes(), &mut self.run.urls, shared));
        let (user, nobody) = match visit.user {
            StoredUser::Hash(hash) => (hash.cast_unsigned(), 0),
            StoredUser::Raw(id) => (shared.hasher.named(id.as_bytes()), 0),
            StoredUser::Nobody | StoredUser::Many(_) => (
                shared.hasher.address_and_agent(self.run.urls.entry(target).path.0, visit.time_ms.cast_unsigned()),
                traits::NOBODY,
            ),
        };
        if let Some(stored) = &shared.stored_samples {
            let hash = xxh3_64_with_seed(visit.target.as_bytes(), shared.seed ^ user ^ visit.time_ms.cast_unsigned());
            self.totals.read.add(visit.time_ms.div_euclid(MS_PER_DAY), hash, stored);
        }
        self.totals.records += 1;
        self.totals.clean_rows += 1;
        let record = Record {
            time_ms: visit.time_ms,
            user,
            address: 0,
            target,
            referrer,
            of: ClientOrSite::NONE,
            verdict: None,
            traits: traits::CLEAN | nobody,
        };
        self.run.push_to(shard_of(user, shared.shards as usize), record);
        if self.totals.lines.is_multiple_of(1 << 12) {
            self.spill_if_full()?;
        }
        Ok(())
    }

    fn spill_if_full(&mut self) -> io::Result<()> {
        // Hosts stay, whatever goes to disk: what they take, runs must do without.
        let hosts = self.shared.hosts.bytes().map_err(io::Error::other)? / self.shared.threads;
        let room = self.shared.run_bytes.saturating_sub(hosts).max(self.shared.run_bytes / 8);
        if self.run.heap_bytes() + self.urls.heap_bytes() > room || self.run.urls.is_full() {
            self.spool.spill(&mut self.run)?;
            self.urls.clear();
        }
        Ok(())
    }

    /// Names the user, counts the address, and keeps the record.
    fn push(&mut self, entry: &Entry<'_>, agent: u64, mut record: Record) -> io::Result<()> {
        let shared = self.shared;
        let address = self.client(entry);
        if !address.is_empty() {
            record.address = self.visitors.address(address, shared);
            if let Some(client) = self.count_address(entry, record.address)? {
                record.of = ClientOrSite::client(self.run.clients.len());
                self.run.clients.push((self.visitors.user(entry.user, client, agent, shared), client));
            }
        }
        if address.is_empty() && entry.user.is_empty() {
            // A user of its own. The number only spreads such records over the shards, by what they say.
            let path = if record.target == NO_URL { 0 } else { self.run.urls.entry(record.target).path.0 };
            record.user = shared.hasher.address_and_agent(path, entry.time_ms.cast_unsigned());
            record.traits |= traits::NOBODY;
        } else {
            record.user = self.visitors.user(entry.user, record.address, agent, shared);
        }
        if entry.time_ms % MS_PER_DAY == 0 {
            self.totals.timeless += u64::from(entry.time_ms == 0);
            self.totals.dated += u64::from(entry.time_ms != 0);
        }
        self.totals.records += 1;
        self.run.push_to(shard_of(record.user, shared.shards as usize), record);
        Ok(())
    }

    /// The address that stands for the client.
    fn client<'e>(&self, entry: &Entry<'e>) -> &'e [u8] {
        match self.shared.cleaning.client_field {
            ClientField::Forwarded if !entry.forwarded.is_empty() => entry.forwarded,
            _ => entry.address,
        }
    }

    /// Counts a line of an address, and of the client behind it, which is returned if there is one.
    fn count_address(&mut self, entry: &Entry<'_>, address: u64) -> io::Result<Option<u64>> {
        self.peers.count(address, entry.time_ms)?;
        if self.shared.cleaning.client_field != ClientField::Auto || entry.forwarded.is_empty() {
            return Ok(None);
        }
        let client = self.shared.hasher.address(entry.forwarded);
        self.totals.forwarded_lines += 1;
        self.forwarded.move_line(address, client, entry.time_ms)?;
        Ok(Some(client))
    }
}
