//! The curves of a crawl: what people read, and pages, as they came in.

use super::collect::SettledUrl;
use super::{CrawlTraffic, MAX_POINTS};
use crate::crawl::analysis::VisitCounts;

/// Points of a curve.
type Curve = Vec<[f64; 2]>;

/// How much of what people read came in; none without logs.
pub(super) fn traffic(settled: &[SettledUrl], visits: &VisitCounts) -> Option<CrawlTraffic> {
    if visits.total() == 0 {
        return None;
    }
    let total = visits.total() as f64;
    let of = |row: &SettledUrl| visits.of(row.key) as f64;
    let got: Vec<&SettledUrl> = settled.iter().filter(|row| row.kind.is_success()).collect();
    let fetched: f64 = got.iter().map(|row| of(row)).sum();
    // A page is a step to the right; what leads to it is none, but may be visited.
    let steps = |value: &dyn Fn(&SettledUrl) -> f64| -> Vec<(bool, f64)> {
        got.iter().map(|row| (row.is_page(), value(row))).collect()
    };
    let hoped = |row: &SettledUrl| f64::from(row.expected).max(0.0);
    let expected: f64 = got.iter().map(|row| hoped(row)).sum();
    let mut best = steps(&of);
    best.sort_by(|a, b| b.1.total_cmp(&a.1));
    Some(CrawlTraffic {
        visits: total,
        fetched,
        curve: curve(&steps(&of), total),
        expected: if expected > 0.0 && expected.is_finite() && fetched > 0.0 {
            curve(&steps(&hoped), expected * total / fetched)
        } else {
            Curve::new()
        },
        best: curve(&best, total),
    })
}

/// Share of the pages, share of the whole.
fn curve(steps: &[(bool, f64)], whole: f64) -> Curve {
    let pages = steps.iter().filter(|step| step.0).count();
    let (mut page, mut sum) = (0_usize, 0.0);
    let mut points = vec![[0.0, 0.0]];
    for (is_page, value) in steps {
        page += usize::from(*is_page);
        sum += value;
        points.push([page as f64 / pages.max(1) as f64, sum / whole]);
    }
    thinned(points)
}

/// Share of the time, share of the pages; and how long that is.
pub(super) fn pace(pages: &[&SettledUrl]) -> (Curve, u64) {
    let (Some(first), Some(last)) =
        (pages.iter().map(|row| row.time_ms).min(), pages.iter().map(|row| row.time_ms).max())
    else {
        return (Curve::new(), 0);
    };
    let span = last - first;
    if span == 0 {
        return (Curve::new(), 0);
    }
    let mut times: Vec<u64> = pages.iter().map(|row| row.time_ms - first).collect();
    times.sort_unstable();
    let points = (1..).zip(&times).map(|(n, time)| [*time as f64 / span as f64, f64::from(n) / pages.len() as f64]);
    (thinned(std::iter::once([0.0, 0.0]).chain(points).collect()), span)
}

/// Evenly as many as may be shown, the last one always.
fn thinned(points: Curve) -> Curve {
    let step = points.len().div_ceil(MAX_POINTS).max(1);
    let last = points.len().saturating_sub(1);
    let kept = |at: &usize| at.is_multiple_of(step) || *at == last;
    points.into_iter().enumerate().filter(|(at, _)| kept(at)).map(|(_, point)| point).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::outcome::OutcomeKind;
    use trodden_frontier::UrlId;

    fn row(order: u64, kind: OutcomeKind, expected: f32) -> SettledUrl {
        SettledUrl {
            order,
            time_ms: 1_000 + 10 * order,
            key: UrlId(order as u32),
            kind,
            status: 200,
            bytes: 1,
            took_ms: 1,
            queue: 0,
            expected,
        }
    }

    #[test]
    fn ours_the_curve_ends_where_the_tally_does() {
        let rows = [
            row(0, OutcomeKind::Page, 1.0),
            row(1, OutcomeKind::Redirect, 0.0),
            row(2, OutcomeKind::NotFound, 9.0),
            row(3, OutcomeKind::Page, 3.0),
        ];
        let visits = VisitCounts::by_key((0..4).map(|url| (UrlId(url), u64::from(url + 1))));
        let traffic = traffic(&rows, &visits).unwrap();
        assert_eq!(traffic.fetched, 7.0);
        assert_eq!(traffic.curve, [[0.0, 0.0], [0.5, 0.1], [0.5, 0.3], [1.0, 0.7]]);
        assert_eq!(traffic.best, [[0.0, 0.0], [0.5, 0.4], [0.5, 0.6], [1.0, 0.7]]);
        assert_eq!(traffic.expected.first(), Some(&[0.0, 0.0]));
        assert!((traffic.expected.last().unwrap()[1] - 0.7).abs() < 1e-9);
        let pages: Vec<&SettledUrl> = rows.iter().filter(|row| row.is_page()).collect();
        assert_eq!(pace(&pages), (vec![[0.0, 0.0], [0.0, 0.5], [1.0, 1.0]], 30));
    }

    #[test]
    fn ours_long_curves_are_thinned_and_keep_their_ends() {
        let long = thinned((0..10_000).map(|i| [f64::from(i), 0.0]).collect());
        assert!(long.len() <= MAX_POINTS + 1 && long.last() == Some(&[9_999.0, 0.0]));
        assert!(super::traffic(&[], &VisitCounts::default()).is_none());
        assert_eq!(pace(&[]), (Vec::new(), 0));
    }
}
