//! What is done about an outcome: is it asked again, when, how often, and must its site wait?
//!
//! | outcome | first wait | tries | site |
//! |---|---|---|---|
//! | server-error, disconnected, malformed | 1 min | 3 | goes on |
//! | time-out | 2 min | 3 | goes on |
//! | dns, connect | 1 min | 4 | waits as long |
//! | too-many-requests, unavailable | 30 s, or as `Retry-After` says | 6 | waits as long |
//! | robots-unreachable | 10 min | 4 | waits as long |
//! | all others | – | 1 | goes on |
//!
//! A wait doubles with each try, up to [`LONGEST`].

use trodden_frontier::Span;

use super::OutcomeKind;

/// No wait is longer, whatever a server says.
pub const LONGEST: Span = Span::seconds(24 * 3600);

/// Whom a failure stops.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stops {
    /// The URL alone.
    Url,
    /// All URLs of its site.
    Site,
}

/// What is done about a failure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Retry {
    /// Before the second try; it doubles from there.
    pub wait: Span,
    /// How often a URL is asked for, the first time included.
    pub tries: u8,
    /// Who waits.
    pub stops: Stops,
}

impl Retry {
    /// How long to wait after so many tries; none if that was the last. A server may ask for more.
    #[must_use]
    pub fn after(self, tries: u8, asked: Option<Span>) -> Option<Span> {
        if tries >= self.tries {
            return None;
        }
        let own = self.wait.0.saturating_mul(1 << tries.saturating_sub(1).min(16));
        Some(Span(own.max(asked.map_or(0, |span| span.0)).min(LONGEST.0)))
    }
}

/// The table.
#[must_use]
pub fn retry(kind: OutcomeKind) -> Retry {
    let (seconds, tries, stops) = match kind {
        OutcomeKind::ServerError | OutcomeKind::Disconnected | OutcomeKind::Malformed => (60, 3, Stops::Url),
        OutcomeKind::TimeOut => (120, 3, Stops::Url),
        OutcomeKind::Dns | OutcomeKind::Connect => (60, 4, Stops::Site),
        OutcomeKind::TooMany | OutcomeKind::Unavailable => (30, 6, Stops::Site),
        OutcomeKind::RobotsUnreachable => (600, 4, Stops::Site),
        _ => (0, 1, Stops::Url),
    };
    Retry { wait: Span::seconds(seconds), tries, stops }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ours_waits_double_and_end() {
        let table = retry(OutcomeKind::ServerError);
        assert_eq!(table.after(1, None), Some(Span::seconds(60)));
        assert_eq!(table.after(2, None), Some(Span::seconds(120)));
        assert_eq!(table.after(3, None), None);
        assert_eq!(retry(OutcomeKind::NotFound).after(1, None), None);
    }

    #[test]
    fn rfc9110_a_server_may_ask_for_more_but_not_for_ever() {
        let table = retry(OutcomeKind::Unavailable);
        assert_eq!(table.after(1, Some(Span::seconds(3))), Some(Span::seconds(30)));
        assert_eq!(table.after(1, Some(Span::seconds(300))), Some(Span::seconds(300)));
        assert_eq!(table.after(1, Some(Span::seconds(1 << 40))), Some(LONGEST));
    }

    #[test]
    fn ours_what_worked_is_never_asked_again() {
        for kind in OutcomeKind::ALL.iter().filter(|kind| kind.is_success()) {
            assert_eq!(retry(*kind).after(1, None), None, "{kind}");
        }
    }
}
