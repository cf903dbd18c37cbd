//! Who? As a number that means nothing without the key.
//!
//! The hash is SipHash-2-4, a keyed pseudo-random function with a key of 128 bits: without the key nobody can
//! try out addresses, and with it only the days of one visits directory can be joined. 64 bits: among ten
//! million users the chance that any two share a number is about 3 in a million.

use std::fmt;
use std::fs::File;
use std::io::{self, Read, Write};
use std::path::Path;

use siphasher::sip::SipHasher24;

use crate::error::Error;

/// The key of one visits directory. Does not print.
#[derive(Clone, PartialEq, Eq)]
pub struct UserKey([u8; KEY_BYTES]);

const KEY_BYTES: usize = 16;

impl fmt::Debug for UserKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("UserKey(…)")
    }
}

impl UserKey {
    /// A fresh key from the operating system.
    ///
    /// # Errors
    /// If the operating system has no randomness to give.
    pub fn random() -> Result<Self, Error> {
        let mut key = [0; KEY_BYTES];
        getrandom::fill(&mut key).map_err(|e| Error::NoRandomness { why: e.to_string() })?;
        Ok(Self(key))
    }

    /// A key that is known, for tests and benchmarks.
    pub fn from_bytes(key: [u8; KEY_BYTES]) -> Self {
        Self(key)
    }

    /// Reads the key of a visits directory, or makes one that only its owner can read (mode 0600).
    ///
    /// # Errors
    /// If the file cannot be read or made, or is not a key.
    pub fn of_file(path: &Path) -> Result<Self, Error> {
        let unreadable = |source| Error::Unreadable { name: path.display().to_string(), source };
        match File::open(path) {
            Ok(file) => {
                let mut bytes = Vec::new();
                file.take(KEY_BYTES as u64 + 1).read_to_end(&mut bytes).map_err(unreadable)?;
                let key = bytes.try_into().map_err(|_| Error::NotAKey { name: path.display().to_string() })?;
                Ok(Self(key))
            }
            Err(e) if e.kind() == io::ErrorKind::NotFound => {
                let key = Self::random()?;
                let folder = path.parent().unwrap_or(Path::new("."));
                // Whole or not at all: a key that was half written would lock everybody out. Made by mode 0600.
                let unwritable = |source| Error::unwritable(folder, source);
                let mut file = tempfile::NamedTempFile::new_in(folder).map_err(unwritable)?;
                file.write_all(&key.0).and_then(|()| file.as_file().sync_all()).map_err(unwritable)?;
                if let Err(e) = file.persist_noclobber(path) {
                    // Another run was first: its key counts.
                    return if e.error.kind() == io::ErrorKind::AlreadyExists {
                        Self::of_file(path)
                    } else {
                        Err(unwritable(e.error))
                    };
                }
                Ok(key)
            }
            Err(e) => Err(unreadable(e)),
        }
    }

    /// A seed for fingerprints of texts, so that nobody can prepare texts that collide.
    pub(crate) fn seed(&self) -> u64 {
        self.hash(b"fingerprint seed", 3)
    }

    fn hash(&self, bytes: &[u8], domain: u8) -> u64 {
        let mut key = self.0;
        // Domains keep an address, an id and an agent of the same letters apart.
        key[0] ^= domain;
        SipHasher24::new_with_key(&key).hash(bytes)
    }
}

/// Turns what a line says about its user into hashes.
#[derive(Clone, Debug)]
pub(crate) struct UserHasher {
    key: UserKey,
}

impl UserHasher {
    pub(crate) fn new(key: UserKey) -> Self {
        Self { key }
    }

    /// An agent; computed once for each distinct one.
    pub(crate) fn agent(&self, agent: &[u8]) -> u64 {
        self.key.hash(agent, 0)
    }

    /// An address.
    pub(crate) fn address(&self, address: &[u8]) -> u64 {
        self.key.hash(address, 1)
    }

    /// Someone the log names: an id, a cookie, a login.
    pub(crate) fn named(&self, id: &[u8]) -> u64 {
        self.key.hash(id, 2)
    }

    /// Someone known only by address and agent: not a person, but the nearest the log has.
    pub(crate) fn address_and_agent(&self, address: u64, agent: u64) -> u64 {
        let mut both = [0; 16];
        both[..8].copy_from_slice(&address.to_le_bytes());
        both[8..].copy_from_slice(&agent.to_le_bytes());
        self.key.hash(&both, 4)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ours_users_are_hashed_by_key_and_do_not_print() {
        let (a, b) = (UserKey::from_bytes([1; 16]), UserKey::from_bytes([2; 16]));
        let (ha, hb) = (UserHasher::new(a.clone()), UserHasher::new(b));
        assert_eq!(ha.named(b"ann"), UserHasher::new(a.clone()).named(b"ann"));
        assert_ne!(ha.named(b"ann"), hb.named(b"ann"));
        assert_ne!(ha.named(b"ann"), ha.address(b"ann"));
        assert_ne!(ha.address_and_agent(1, 2), ha.address_and_agent(2, 1));
        assert!(!format!("{a:?} {ha:?}").contains('1'));
    }

    #[test]
    fn ours_the_key_file_is_made_once_and_private() {
        use std::os::unix::fs::PermissionsExt;
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("key");
        let first = UserKey::of_file(&path).unwrap();
        assert!(first == UserKey::of_file(&path).unwrap());
        assert_eq!(path.metadata().unwrap().permissions().mode() & 0o777, 0o600);
        std::fs::write(&path, "short").unwrap();
        assert!(matches!(UserKey::of_file(&path), Err(Error::NotAKey { .. })));
    }
}
