//! The thresholds of cleaning, all of them settings.

use serde::{Deserialize, Serialize};

use super::BotRule;

/// Which address is the client's.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ClientField {
    /// The peer; the forwarded one if one peer has more than [`Cleaning::proxy_share`] of all lines.
    #[default]
    Auto,
    /// Always the peer.
    Peer,
    /// The forwarded one wherever a line has it.
    Forwarded,
}

/// What cleaning goes by. Defaults are those of the published method where it gives any.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Cleaning {
    /// Drop bots that say so: a switch, or further words that tell them.
    pub bots: BotRule,
    /// Drop addresses that ask more than a person can.
    pub groups: bool,
    /// An address with more accesses than this in a day (UTC) is no person.
    pub group_day: u64,
    /// Nor one with more than this in a minute.
    pub group_minute: u64,
    /// An address with more than this share of all lines is a proxy in front of the log.
    pub proxy_share: f64,
    /// Which address is the client's.
    pub client_field: ClientField,
    /// Drop assets by content type, else by extension.
    pub assets: bool,
    /// Drop what is meant for programs: feeds, robots.txt, sitemaps, APIs, raw logs.
    pub machine: bool,
    /// Drop login forms and back rooms.
    pub login_admin: bool,
    /// Drop what pages load.
    pub embedded: bool,
    /// A URL is embedded if at least this share of its requests with a referrer come while that is loading …
    pub embedded_share: f64,
    /// … which ends when nothing was asked from it for so many seconds …
    pub embedded_seconds: u32,
    /// … and it is itself a referrer in less than this share of cases.
    pub embedded_referrer_share: f64,
    /// URLs with fewer requests with a referrer are judged by their shape.
    pub embedded_min_requests: u64,
    /// Drop users that behave like no browser.
    pub scanners: bool,
    /// Whoever loads no asset is dropped on sites where more than this share of users load some.
    pub scanner_site_share: f64,
    /// Whoever draws more than this share of errors is dropped.
    pub scanner_error_share: f64,
    /// Both need this many requests of the user.
    pub scanner_min_requests: u32,
}

impl Default for Cleaning {
    fn default() -> Self {
        Self {
            bots: BotRule::Dropped(Vec::new()),
            groups: true,
            group_day: 2_000,
            group_minute: 100,
            proxy_share: 0.30,
            client_field: ClientField::Auto,
            assets: true,
            machine: true,
            login_admin: true,
            embedded: true,
            embedded_share: 0.60,
            embedded_seconds: 5,
            embedded_referrer_share: 0.02,
            embedded_min_requests: 20,
            scanners: true,
            scanner_site_share: 0.50,
            scanner_error_share: 0.50,
            scanner_min_requests: 1,
        }
    }
}
