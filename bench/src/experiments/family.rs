//! Is an order better on a family of worlds that differ by chance alone?
//!
//! A family is one experiment over several draws: which URLs are hidden, which visits are drawn. For two orders with values aᵢ and bᵢ
//! on draw i, dᵢ = aᵢ − bᵢ is paired: both saw the same draw. The 95 % interval of its mean is Student's,
//! `d̄ ± t(n − 1)·s/√n`. An order is ahead if the interval is above 0, behind if it is below, else the two are level.

use anyhow::Result;

use super::chapter::Chapter;
use super::number::{NONE, area, percent, spread};
use super::outcome::{Calibration, Outcome, Policy, Tally};

/// Our order.
pub(super) const OURS: &str = "blend";

/// A number of an order.
pub(super) type Value = fn(&Policy) -> Option<f64>;

/// The mean of a paired difference, and the ends of its 95 % interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Lead {
    pub(super) mean: f64,
    pub(super) low: f64,
    pub(super) high: f64,
}

impl Lead {
    /// Of paired values; none with fewer than two, or where one is missing.
    pub(super) fn of(ours: &[Option<f64>], theirs: &[Option<f64>]) -> Option<Self> {
        let pairs = ours.iter().zip(theirs).map(|(a, b)| Some((*a)? - (*b)?));
        let differences: Vec<f64> = pairs.collect::<Option<_>>()?;
        let n = differences.len();
        if n < 2 {
            return None;
        }
        let mean = differences.iter().sum::<f64>() / n as f64;
        let square = differences.iter().map(|d| (d - mean).powi(2)).sum::<f64>() / (n - 1) as f64;
        let half = student(n - 1) * (square / n as f64).sqrt();
        Some(Self { mean, low: mean - half, high: mean + half })
    }

    /// What to call it.
    pub(super) fn word(&self) -> &'static str {
        match self {
            Self { low, .. } if *low > 0.0 => "ahead",
            Self { high, .. } if *high < 0.0 => "**behind**",
            _ => "level",
        }
    }

    fn text(lead: Option<Self>) -> String {
        lead.map_or_else(
            || NONE.to_owned(),
            |lead| format!("{:+.4} to {:+.4}, {}", lead.low, lead.high, lead.word()).replace('-', "−"),
        )
    }
}

/// The 97.5th percentile of Student's distribution.
fn student(freedom: usize) -> f64 {
    const TABLE: [f64; 30] = [
        12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.160, 2.145, 2.131,
        2.120, 2.110, 2.101, 2.093, 2.086, 2.080, 2.074, 2.069, 2.064, 2.060, 2.056, 2.052, 2.048, 2.045, 2.042,
    ];
    TABLE.get(freedom.saturating_sub(1)).copied().unwrap_or(1.960)
}

/// The values of an order, by draw.
pub(super) fn values(runs: &[Outcome], name: &str, value: Value) -> Result<Vec<Option<f64>>> {
    runs.iter().map(|of| of.policy(name).map(value)).collect()
}

/// Orders that a crawler can run, without ours and what it is made of.
pub(super) fn rivals(runs: &[Outcome]) -> Vec<String> {
    let first = runs.first().map(|of| of.policies.as_slice()).unwrap_or_default();
    let is_rival = |policy: &&Policy| !policy.oracle && !policy.name.starts_with(OURS);
    first.iter().filter(is_rival).map(|policy| policy.name.clone()).collect()
}

/// The rival with the largest mean of a value, and how far ours is ahead of it.
pub(super) fn best_rival(runs: &[Outcome], value: Value) -> Result<Option<(String, Option<Lead>)>> {
    let mut best: Option<(String, f64)> = None;
    for name in rivals(runs) {
        let Some(mean) = spread(&values(runs, &name, value)?).map(|s| s.mean) else { continue };
        if best.as_ref().is_none_or(|(_, most)| mean > *most) {
            best = Some((name, mean));
        }
    }
    let Some((name, _)) = best else { return Ok(None) };
    let lead = Lead::of(&values(runs, OURS, value)?, &values(runs, &name, value)?);
    Ok(Some((name, lead)))
}

/// Families side by side: ours, the best other order that a crawler can run, and how far ours is ahead.
pub(super) fn table(chapter: &mut Chapter, what: &str, families: &[(String, &[Outcome])], value: Value) -> Result<()> {
    let mut rows = Vec::new();
    for (name, runs) in families {
        let ours = spread(&values(runs, OURS, value)?).map(|s| s.mean);
        let needs = spread(&values(runs, OURS, |p| p.pages_for.four_fifths)?).map(|s| s.mean);
        let Some((rival, lead)) = best_rival(runs, value)? else { continue };
        let theirs = spread(&values(runs, &rival, value)?).map(|s| s.mean);
        let rival_needs = spread(&values(runs, &rival, |p| p.pages_for.four_fifths)?).map(|s| s.mean);
        rows.push(vec![
            name.clone(),
            runs.len().to_string(),
            format!("{} ({} %)", area(ours), percent(needs)),
            format!("`{rival}` {} ({} %)", area(theirs), percent(rival_needs)),
            Lead::text(lead),
        ]);
    }
    chapter.paragraph(&format!(
        "{what}. Mean area over the draws, in brackets the pages for 80 % of all traffic; beside `{OURS}` the best other order that a \
         crawler can run, by mean area; the difference of the two with its 95 % interval over draws, paired."
    ));
    chapter.table(&["data", "draws", OURS, "best other", "difference"], &rows);
    Ok(())
}

/// Ours beside a URL's own count: area, and pages for shares of the traffic in parts of what the other needs.
pub(super) fn own_count(chapter: &mut Chapter, families: &[(String, &[Outcome])]) -> Result<()> {
    const OTHER: &str = "url-visit";
    const NEEDS: [Value; 3] =
        [|p: &Policy| p.pages_for.half, |p: &Policy| p.pages_for.four_fifths, |p: &Policy| p.pages_for.nine_tenths];
    let mut rows = Vec::new();
    for (name, runs) in families {
        let lead = Lead::of(&values(runs, OURS, |p| p.auc)?, &values(runs, OTHER, |p| p.auc)?);
        let mut row = vec![name.clone(), Lead::text(lead)];
        for needs in NEEDS {
            let [ours, theirs] = [values(runs, OURS, needs)?, values(runs, OTHER, needs)?].map(|v| spread(&v));
            let ratio = ours.zip(theirs).map(|(ours, theirs)| ours.mean / theirs.mean);
            row.push(ratio.map_or_else(|| NONE.to_owned(), |ratio| format!("{ratio:.3}")));
        }
        rows.push(row);
    }
    chapter.paragraph(&format!(
        "`{OURS}` beside a URL's own count (`{OTHER}`): difference of areas (95 % interval over draws, paired), and the pages that `{OURS}` \
         needs for 50, 80 and 90 % of all traffic in parts of what `{OTHER}` needs; below 1 is better."
    ));
    chapter.table(&["data", "area", "50 %", "80 %", "90 %"], &rows);
    Ok(())
}

/// Visits foretold by our order over visits seen, in the test and inside training, the mean over draws.
pub(super) fn calibration(chapter: &mut Chapter, families: &[(String, &[Outcome])]) -> Result<()> {
    let ratio = |tallies: Vec<&Tally>| {
        let sum = |of: fn(&Tally) -> f64| tallies.iter().map(|tally| of(tally)).sum::<f64>();
        let (foretold, seen) = (sum(|t| t.foretold), sum(|t| t.seen));
        if seen > 0.0 { format!("{:.2}", foretold / seen) } else { NONE.to_owned() }
    };
    let mut heads = vec!["data".to_owned(), "all".to_owned()];
    let mut rows = Vec::new();
    for (name, runs) in families {
        for part in ["test", "training"] {
            let of_part = |of: &&Calibration| of.policy == OURS && of.part == part;
            let found: Vec<&Calibration> = runs.iter().filter_map(|of| of.calibration.iter().find(of_part)).collect();
            let Some(first) = found.first() else { continue };
            if heads.len() == 2 {
                heads.extend(first.classes.iter().map(|class| class.group.clone()));
            }
            let mut row = vec![format!("{name}, {part}"), ratio(found.iter().map(|of| &of.all).collect())];
            row.extend((0..first.classes.len()).map(|at| ratio(found.iter().map(|of| &of.classes[at]).collect())));
            rows.push(row);
        }
    }
    chapter.paragraph(&format!(
        "Visits foretold by `{OURS}` over visits seen, all draws together: of all pages, and by how often a page was visited in what was \
         learnt from. *Test*: training foretells the test. *Training*: its first half foretells its second half."
    ));
    let heads: Vec<&str> = heads.iter().map(String::as_str).collect();
    chapter.table(&heads, &rows);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ours_a_paired_interval_by_hand() {
        let [a, b] = [[0.5, 0.6, 0.7], [0.4, 0.4, 0.4]].map(|values| values.map(Some));
        // Differences .1 .2 .3: mean .2, s = .1, t(2) = 4.303.
        let lead = Lead::of(&a, &b).unwrap();
        let half = 4.303 * 0.1 / 3_f64.sqrt();
        assert!((lead.mean - 0.2).abs() < 1e-12 && (lead.low - (0.2 - half)).abs() < 1e-12);
        assert_eq!(lead.word(), "level");
        assert_eq!(Lead::of(&b, &b).unwrap().word(), "level");
        assert_eq!(Lead { mean: 0.1, low: 0.05, high: 0.15 }.word(), "ahead");
        assert_eq!(Lead { mean: -0.1, low: -0.15, high: -0.05 }.word(), "**behind**");
        assert_eq!(Lead::of(&[Some(1.0)], &[Some(0.0)]), None);
        assert_eq!(Lead::of(&[Some(1.0), None], &[Some(0.0), Some(0.0)]), None);
    }

    #[test]
    fn ours_student_of_many_is_the_normal_distribution() {
        assert_eq!((student(1), student(9), student(19), student(500)), (12.706, 2.262, 2.093, 1.960));
    }
}
