//! Which URL has which number, and what is its text? Numbers of removed URLs go to new ones, once nobody may speak of the old.

use std::collections::BTreeSet;

use fjall::Slice;

use super::record::{Kind, LaterText};
use super::shelf::DiskShelf;
use super::store::Space;
use crate::error::Error;
use crate::time::Time;
use crate::url_id::UrlId;

impl DiskShelf {
    /// A record of the state, committed or not.
    pub(super) fn state_record(&self, kind: Kind, key: UrlId) -> Result<Option<Slice>, Error> {
        let key: Slice = kind.key(key.0).into();
        match self.pending.state.get(&key) {
            Some(pending) => Ok(pending.clone()),
            None => self.store.get(Space::State, &key),
        }
    }

    /// The text of a URL, and when it was made.
    pub(super) fn text_and_time(&self, key: UrlId) -> Result<Option<(String, Time)>, Error> {
        if self.reused.contains(&key) {
            let record = self.state_record(Kind::Text, key)?.and_then(|bytes| LaterText::read(&bytes));
            return Ok(record.map(|record| (record.text, record.created)));
        }
        match self.pending.texts.find(key) {
            Some((text, created)) => Ok(Some((text.to_owned(), created))),
            None => self.pending.committed.find(&self.store, key),
        }
    }

    /// Gives a new URL a number.
    pub(super) fn new_number(&mut self, url: &str) -> Result<UrlId, Error> {
        if let Some((number, turn)) = self.free.pop() {
            let text = LaterText { turn, created: self.now, text: url.to_owned() };
            self.pending.put(Kind::Text.key(number.0), text.bytes());
            self.pending.delete(Kind::Removed.key(number.0));
            self.reused.insert(number);
            return Ok(number);
        }
        let number = UrlId(self.next_number);
        self.next_number = number.0.checked_add(1).ok_or(Error::TooManyUrls)?;
        self.pending.texts.push(url, self.now);
        Ok(number)
    }

    /// See [`DiskFrontier::free_removed`](super::DiskFrontier::free_removed).
    pub(super) fn free_removed(&mut self) -> Result<(), Error> {
        let freed = std::mem::take(&mut self.removed);
        let mut blocks = BTreeSet::new();
        for &(number, turn) in &freed {
            if self.reused.contains(&number) {
                let dropped = LaterText { turn, created: Time(0), text: String::new() };
                self.pending.put(Kind::Text.key(number.0), dropped.bytes());
            } else if number < self.pending.texts.first() {
                blocks.extend(self.pending.committed.drop_text(number));
            }
        }
        self.free.extend(freed);
        // The lowest is the next.
        self.free.sort_unstable_by(|a, b| b.cmp(a));
        let Self { store, pending, free, reused, .. } = self;
        let is_dropped =
            |number: UrlId| reused.contains(&number) || free.binary_search_by(|(free, _)| number.cmp(free)).is_ok();
        for key in blocks {
            let block = pending.committed.without(store, key, is_dropped)?;
            pending.blocks.insert(key, block);
        }
        Ok(())
    }
}
