//! Who made the request? Each part of the answer is worked out once, and remembered for the lines that follow.

use super::cache::{Last, TextCache, TextKey};
use super::shared::ScanShared;

/// Agents that are remembered; more are an attack on memory, and are worked out again.
const MAX_AGENTS: usize = 1 << 16;

/// The visitors that one worker sees.
pub(crate) struct Visitors {
    /// Hash of an agent, and whether it is a declared bot.
    agents: TextCache<(u64, bool)>,
    last_agent: Last<(u64, bool)>,
    last_address: Last<u64>,
    /// The last user known by address and agent, with these.
    last_user: (u64, u64, u64),
}

impl Visitors {
    pub(crate) fn new() -> Self {
        Self { agents: TextCache::new(), last_agent: Last::new(), last_address: Last::new(), last_user: (0, 0, 0) }
    }

    /// The hash of an agent, and whether it says that it is a program.
    pub(crate) fn agent(&mut self, agent: &[u8], shared: &ScanShared) -> (u64, bool) {
        if let Some(known) = self.last_agent.get(agent) {
            return known;
        }
        let key = TextKey::of(agent, shared.seed ^ 0x0061_6765_6e74);
        let known = self.agents.get(key).unwrap_or_else(|| {
            if self.agents.len() >= MAX_AGENTS {
                self.agents.clear();
            }
            let worked_out = (shared.hasher.agent(agent), shared.bots.declared(agent));
            self.agents.insert(key, worked_out);
            worked_out
        });
        self.last_agent.set(agent, known);
        known
    }

    /// The hash of an address.
    pub(crate) fn address(&mut self, address: &[u8], shared: &ScanShared) -> u64 {
        self.last_address.get(address).unwrap_or_else(|| {
            let hash = shared.hasher.address(address);
            self.last_address.set(address, hash);
            hash
        })
    }

    /// The hash of a user: by id if the log has one, else by address and agent.
    pub(crate) fn user(&mut self, id: &[u8], address: u64, agent: u64, shared: &ScanShared) -> u64 {
        if !id.is_empty() {
            return shared.hasher.named(id);
        }
        if (self.last_user.0, self.last_user.1) != (address, agent) {
            self.last_user = (address, agent, shared.hasher.address_and_agent(address, agent));
        }
        self.last_user.2
    }
}
