//! Which hosts does the operator call one?
//!
//! Short domains, caches and old names serve the pages of another host: `--alias youtu.be=youtube.com`. Chains are
//! followed when the aliases are read, so a look-up is one step.

use rustc_hash::FxHashMap;
use thiserror::Error;

use super::host::HostKey;
use crate::UrlFault;

/// Why a list of aliases cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum AliasFault {
    /// The text is not `HOST=HOST`.
    #[error("alias `{text}` is not of the form HOST=HOST, as in youtu.be=youtube.com")]
    NotAPair {
        /// What was given.
        text: String,
    },
    /// One side is no host.
    #[error("alias `{text}`: {fault}; give two hosts without scheme or path")]
    BadHost {
        /// What was given.
        text: String,
        /// What is wrong with the side.
        fault: UrlFault,
    },
    /// One host is an alias of two others.
    #[error("`{host}` is an alias of both `{first}` and `{second}`; remove one")]
    Ambiguous {
        /// The alias.
        host: HostKey,
        /// What it stands for by one pair.
        first: HostKey,
        /// What it stands for by another.
        second: HostKey,
    },
    /// Following the aliases from this host leads back to it.
    #[error("the aliases of `{host}` lead back to itself; remove one of them")]
    Cycle {
        /// A host on the cycle.
        host: HostKey,
    },
}

/// Hosts that stand for other hosts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Aliases {
    targets: FxHashMap<HostKey, HostKey>,
}

impl Aliases {
    /// No aliases.
    #[must_use]
    pub fn none() -> Self {
        Self::default()
    }

    /// Reads pairs `HOST=HOST`: the left host stands for the right one. A pair whose sides are one host already
    /// (`www.a.com=a.com`) says nothing and is skipped.
    ///
    /// # Errors
    /// An [`AliasFault`] that names the pair to mend.
    pub fn parse<I>(pairs: I) -> Result<Self, AliasFault>
    where
        I: IntoIterator,
        I::Item: AsRef<str>,
    {
        let mut direct = FxHashMap::default();
        for pair in pairs {
            let (from, to) = read(pair.as_ref())?;
            if from == to {
                continue;
            }
            match direct.insert(from.clone(), to.clone()) {
                Some(first) if first != to => {
                    return Err(AliasFault::Ambiguous { host: from, first, second: to });
                }
                _ => {}
            }
        }
        // In the order of the hosts, so that the fault reported does not depend on the order of a hash map.
        let mut hosts: Vec<&HostKey> = direct.keys().collect();
        hosts.sort();
        let mut targets = FxHashMap::default();
        for host in hosts {
            targets.insert(host.clone(), last_of_chain(&direct, host)?.clone());
        }
        Ok(Self { targets })
    }

    /// The host that `host` stands for: itself, unless it is an alias.
    #[must_use]
    pub fn resolve<'a>(&'a self, host: &'a HostKey) -> &'a HostKey {
        self.targets.get(host).unwrap_or(host)
    }

    /// All of them, in the order of their names: a host, and what it stands for.
    pub fn iter(&self) -> impl Iterator<Item = (&HostKey, &HostKey)> {
        let mut pairs: Vec<(&HostKey, &HostKey)> = self.targets.iter().collect();
        pairs.sort_unstable();
        pairs.into_iter()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.targets.is_empty()
    }
}

fn read(text: &str) -> Result<(HostKey, HostKey), AliasFault> {
    let Some((from, to)) = text.split_once('=') else {
        return Err(AliasFault::NotAPair { text: text.to_owned() });
    };
    let side = |host: &str| HostKey::parse(host).map_err(|fault| AliasFault::BadHost { text: text.to_owned(), fault });
    Ok((side(from)?, side(to)?))
}

fn last_of_chain<'a>(direct: &'a FxHashMap<HostKey, HostKey>, host: &'a HostKey) -> Result<&'a HostKey, AliasFault> {
    let mut at = host;
    for _ in 0..=direct.len() {
        match direct.get(at) {
            None => return Ok(at),
            Some(next) => at = next,
        }
    }
    Err(AliasFault::Cycle { host: at.clone() })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn host(text: &str) -> HostKey {
        HostKey::new(text, None)
    }

    #[test]
    fn ours_aliases_are_followed_to_the_end_of_the_chain() {
        let aliases = Aliases::parse(["youtu.be=m.youtube.com", " M.YouTube.com = www.youtube.com "]).unwrap();
        assert_eq!(aliases.resolve(&host("youtu.be")), &host("youtube.com"));
        assert_eq!(aliases.resolve(&host("m.youtube.com")), &host("youtube.com"));
        assert_eq!(aliases.resolve(&host("other.com")), &host("other.com"));
        let pairs: Vec<(&str, &str)> = aliases.iter().map(|(from, to)| (from.as_str(), to.as_str())).collect();
        assert_eq!(pairs, [("m.youtube.com", "youtube.com"), ("youtu.be", "youtube.com")]);
    }

    #[test]
    fn ours_an_alias_of_itself_or_said_twice_is_harmless() {
        assert!(Aliases::parse(["www.a.com=a.com"]).unwrap().is_empty());
        assert!(Aliases::parse(["a.com=b.com", "www.a.com=b.com"]).is_ok());
    }

    #[test]
    fn ours_faulty_aliases_say_what_to_mend() {
        let message = |pairs: &[&str]| Aliases::parse(pairs).unwrap_err().to_string();
        assert_eq!(message(&["a.com"]), "alias `a.com` is not of the form HOST=HOST, as in youtu.be=youtube.com");
        assert_eq!(
            message(&["a.com="]),
            "alias `a.com=`: the URL names no host; give two hosts without scheme or path"
        );
        assert_eq!(
            message(&["a.com=b.com", "a.com=c.com"]),
            "`a.com` is an alias of both `b.com` and `c.com`; remove one"
        );
        assert!(message(&["a.com=b.com", "b.com=c.com", "c.com=b.com"]).contains("lead back to itself"));
    }
}
