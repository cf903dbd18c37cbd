//! How are numbers written in the document?

pub(super) use trodden_report::thousands;

/// What stands where there is no number.
pub(super) const NONE: &str = "–";

/// A share in percent, without the sign: one decimal, two below one percent.
pub(super) fn percent(share: Option<f64>) -> String {
    share.map_or_else(
        || NONE.to_owned(),
        |share| {
            let percent = share * 100.0;
            if percent < 0.995 { format!("{percent:.2}") } else { format!("{percent:.1}") }
        },
    )
}

/// A share in percent within a sentence.
pub(super) fn spoken(share: Option<f64>) -> String {
    share.map_or_else(|| "never".to_owned(), |_| format!("{} %", percent(share)))
}

/// An area: three decimals.
pub(super) fn area(x: Option<f64>) -> String {
    x.map_or_else(|| NONE.to_owned(), |x| format!("{x:.3}"))
}

/// A list in a sentence: `a, b and c`.
pub(super) fn listed(words: &[&str]) -> String {
    match words {
        [] => "none".to_owned(),
        [one] => (*one).to_owned(),
        [most @ .., last] => format!("{} and {last}", most.join(", ")),
    }
}

/// Mean, least and most of what several seeds gave.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Spread {
    pub(super) mean: f64,
    pub(super) least: f64,
    pub(super) most: f64,
}

/// None if one of them is missing: a mean of the rest would flatter.
pub(super) fn spread(values: &[Option<f64>]) -> Option<Spread> {
    let values: Vec<f64> = values.iter().copied().collect::<Option<_>>()?;
    let least = values.iter().copied().reduce(f64::min)?;
    let most = values.iter().copied().reduce(f64::max)?;
    Some(Spread { mean: values.iter().sum::<f64>() / values.len() as f64, least, most })
}

/// `5.0 (4.9–5.1)`, in percent.
pub(super) fn spread_percent(spread: Option<Spread>) -> String {
    spread.map_or_else(
        || NONE.to_owned(),
        |s| format!("{} ({}–{})", percent(Some(s.mean)), percent(Some(s.least)), percent(Some(s.most))),
    )
}

/// `0.950 (0.940–0.960)`.
pub(super) fn spread_area(spread: Option<Spread>) -> String {
    spread.map_or_else(|| NONE.to_owned(), |s| format!("{:.3} ({:.3}–{:.3})", s.mean, s.least, s.most))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ours_shares_and_spreads_are_written_alike_everywhere() {
        assert_eq!(
            (percent(Some(0.0049)), percent(Some(0.0496)), percent(None)),
            ("0.49".into(), "5.0".into(), "–".into())
        );
        assert_eq!(spread_percent(spread(&[Some(0.1), Some(0.3)])), "20.0 (10.0–30.0)");
        assert_eq!(spread(&[Some(0.1), None]), None);
        assert_eq!(listed(&["a", "b", "c"]), "a, b and c");
    }
}
