//! Is `blend` ahead on a whole family of draws? Means over draws, and intervals of paired differences.
//!
//! A family is one experiment repeated with other chance. By draw i the difference is `d_i = area of blend − area of the other order`, on the
//! same draw. The 95 % interval is Student's: `mean(d) ± t·s/√n`, s the standard deviation of the n differences and t the 97.5th percentile
//! of Student's distribution with n − 1 degrees of freedom. The other order is the one with the largest mean area of those that a crawler can
//! run. Ahead and behind mean that the interval leaves out 0; else the two are level.

use anyhow::{Context, Result};

use super::chapter::Chapter;
use super::number::{NONE, area, percent, spoken, spread};
use super::outcome::{Outcome, Policy};

/// Our order.
pub(super) const BLEND: &str = "blend";

/// One experiment with other chance each time.
pub(super) struct Family {
    pub(super) name: String,
    pub(super) runs: Vec<Outcome>,
}

/// Which area.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Judged {
    All,
    Cold,
}

impl Judged {
    fn of(self, policy: &Policy) -> Option<f64> {
        match self {
            Self::All => policy.auc,
            Self::Cold => policy.cold_auc,
        }
    }

    fn needs(self, policy: &Policy) -> Option<f64> {
        match self {
            Self::All => policy.pages_for.four_fifths,
            Self::Cold => policy.cold_pages_for.four_fifths,
        }
    }
}

/// Who came out ahead.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    Ahead,
    Level,
    Behind,
}

impl Verdict {
    pub(super) fn of([low, high]: [f64; 2]) -> Self {
        if low > 0.0 {
            Self::Ahead
        } else if high < 0.0 {
            Self::Behind
        } else {
            Self::Level
        }
    }

    pub(super) fn word(self) -> &'static str {
        match self {
            Self::Ahead => "ahead",
            Self::Level => "level",
            Self::Behind => "**behind**",
        }
    }
}

impl Family {
    /// The mean of a number of a policy; none if it is missing in one draw.
    pub(super) fn mean(&self, name: &str, value: impl Fn(&Policy) -> Option<f64>) -> Result<Option<f64>> {
        let values = self.runs.iter().map(|of| of.policy(name).map(&value)).collect::<Result<Vec<_>>>()?;
        Ok(spread(&values).map(|spread| spread.mean))
    }

    /// The orders that a crawler can run, without ours, the largest mean area first.
    pub(super) fn rivals(&self, judged: Judged) -> Result<Vec<String>> {
        let first = self.runs.first().with_context(|| format!("{} has no draws", self.name))?;
        let mut rivals = Vec::new();
        for policy in first.policies.iter().filter(|p| !p.oracle && !p.name.starts_with(BLEND)) {
            if let Some(mean) = self.mean(&policy.name, |p| judged.of(p))? {
                rivals.push((mean, policy.name.clone()));
            }
        }
        rivals.sort_by(|a, b| b.0.total_cmp(&a.0));
        Ok(rivals.into_iter().map(|(_, name)| name).collect())
    }

    /// How far `blend` is ahead of another, over draws; none with fewer than two.
    pub(super) fn ahead(&self, other: &str, judged: Judged) -> Result<Option<[f64; 2]>> {
        let mut differences = Vec::new();
        for of in &self.runs {
            let (ours, theirs) = (judged.of(of.policy(BLEND)?), judged.of(of.policy(other)?));
            differences.extend(ours.zip(theirs).map(|(ours, theirs)| ours - theirs));
        }
        Ok(interval(&differences))
    }

    fn row(&self, judged: Judged) -> Result<Vec<String>> {
        let rivals = self.rivals(judged)?;
        let best = rivals.first().with_context(|| format!("{}: nothing ran beside blend", self.name))?;
        let ends = self.ahead(best, judged)?;
        let mean = |name: &str, value: fn(Judged, &Policy) -> Option<f64>| self.mean(name, |p| value(judged, p));
        Ok(vec![
            self.name.clone(),
            self.runs.len().to_string(),
            area(mean(BLEND, Judged::of)?),
            percent(mean(BLEND, Judged::needs)?),
            format!("`{best}`"),
            area(mean(best, Judged::of)?),
            percent(mean(best, Judged::needs)?),
            ends.map_or_else(|| NONE.to_owned(), |[low, high]| format!("{low:+.4} to {high:+.4}").replace('-', "−")),
            ends.map_or(NONE, |ends| Verdict::of(ends).word()).to_owned(),
        ])
    }
}

/// Student's 95 % interval of a mean; none with fewer than two values.
pub(super) fn interval(values: &[f64]) -> Option<[f64; 2]> {
    let n = values.len();
    let t = student(n.checked_sub(1)?)?;
    let mean = values.iter().sum::<f64>() / n as f64;
    let variance = values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / (n - 1) as f64;
    let half = t * (variance / n as f64).sqrt();
    Some([mean - half, mean + half])
}

/// The 97.5th percentile of Student's distribution; from 30 degrees of freedom on by an expansion that is right to three decimals.
fn student(degrees: usize) -> Option<f64> {
    const TABLE: [f64; 29] = [
        12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.160, 2.145, 2.131,
        2.120, 2.110, 2.101, 2.093, 2.086, 2.080, 2.074, 2.069, 2.064, 2.060, 2.056, 2.052, 2.048, 2.045,
    ];
    match degrees {
        0 => None,
        1..=29 => Some(TABLE[degrees - 1]),
        // z + (z³ + z)/(4ν), z = 1.96 (Cornish and Fisher).
        _ => Some(1.959_964 + 2.372_27 / degrees as f64),
    }
}

/// Families beside each other: ours and the best other order.
pub(super) fn table(chapter: &mut Chapter, families: &[Family], judged: Judged) -> Result<()> {
    let rows = families.iter().map(|family| family.row(judged)).collect::<Result<Vec<_>>>()?;
    let heads = [
        "data",
        "draws",
        "blend: area",
        "80 %",
        "best other",
        "its area",
        "80 %",
        "difference, 95 % over draws",
        "blend is",
    ];
    chapter.table(&heads, &rows);
    Ok(())
}

/// Against whom `blend` is not ahead, family by family.
pub(super) fn not_ahead(families: &[Family], judged: Judged) -> Result<String> {
    let mut lines = Vec::new();
    for family in families {
        let mut named = Vec::new();
        for other in family.rivals(judged)? {
            if let Some(verdict) = family.ahead(&other, judged)?.map(Verdict::of).filter(|v| *v != Verdict::Ahead) {
                named.push(format!("{} `{other}`", if verdict == Verdict::Level { "level with" } else { "behind" }));
            }
        }
        if !named.is_empty() {
            lines.push(format!("{}: {}", family.name, named.join(", ")));
        }
    }
    Ok(if lines.is_empty() {
        "It is ahead of every other order in each family.".to_owned()
    } else {
        format!("Not ahead: {}.", lines.join("; "))
    })
}

/// How a family came out, in a sentence.
pub(super) fn gist(family: &Family, judged: Judged) -> Result<String> {
    let rivals = family.rivals(judged)?;
    let best = rivals.first().with_context(|| format!("{}: nothing ran beside blend", family.name))?;
    let verdict = family.ahead(best, judged)?.map(Verdict::of);
    let word = match verdict {
        Some(Verdict::Ahead) => "ahead of",
        Some(Verdict::Behind) => "behind",
        Some(Verdict::Level) => "level with",
        None => "beside",
    };
    let needs = |name: &str| -> Result<String> { Ok(spoken(family.mean(name, |p| judged.needs(p))?)) };
    Ok(format!(
        "{}: `blend` is {word} `{best}`, the best other order ({} and {} by area; {} and {} of the pages for 80 %)",
        family.name,
        area(family.mean(BLEND, |p| judged.of(p))?),
        area(family.mean(best, |p| judged.of(p))?),
        needs(BLEND)?,
        needs(best)?,
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ours_an_interval_over_draws_is_students() {
        // Mean 3, standard deviation √2.5, n = 5: 3 ± 2.776·√(2.5/5).
        let [low, high] = interval(&[1.0, 2.0, 3.0, 4.0, 5.0]).unwrap();
        assert!((low - 1.037).abs() < 1e-3 && (high - 4.963).abs() < 1e-3, "{low} {high}");
        assert_eq!((interval(&[]), interval(&[1.0])), (None, None));
        assert!((student(60).unwrap() - 2.000).abs() < 1e-3 && (student(30).unwrap() - 2.042).abs() < 4e-3);
    }

    #[test]
    fn ours_what_reaches_over_zero_is_level() {
        assert_eq!(
            [[0.1, 0.2], [-0.1, 0.2], [-0.2, -0.1]].map(Verdict::of),
            [Verdict::Ahead, Verdict::Level, Verdict::Behind]
        );
    }
}
