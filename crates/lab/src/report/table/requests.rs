//! URLs, requests and changes, where time passes: three numbers that are one otherwise.

use trodden_report::grid::Grid;
use trodden_report::number::thousands;
use trodden_report::text::{safe, wrapped};

use crate::result::{Comparison, PolicyResult};

/// The heads of the columns.
pub(in crate::report) const HEADS: [&str; 5] = ["policy", "URLs", "requests", "changed", "virtual time"];

/// What they mean.
pub(in crate::report) const MEANING: &str = "URLs: pages fetched, each once; requests: also for pages fetched again, moved or gone; \
     changed: requests that found another page than the one before.";

/// What stands in them.
pub(in crate::report) fn cells(policy: &PolicyResult) -> [String; 5] {
    let counts = [policy.fetched, policy.requests, policy.changed].map(thousands);
    let [urls, requests, changed] = counts;
    [safe(&policy.name), urls, requests, changed, lasting(policy.seconds)]
}

/// The rows, if time passed.
pub(super) fn block(of: &Comparison, width: usize) -> Option<String> {
    if of.assumed.is_empty() {
        return None;
    }
    let mut grid = Grid::new(HEADS.map(str::to_owned).to_vec());
    of.policies.iter().for_each(|policy| grid.push(cells(policy).to_vec()));
    Some(format!("{}\n{}", grid.text(width), wrapped(MEANING, width, 0)))
}

/// A length of time in the unit that suits it.
fn lasting(seconds: f64) -> String {
    match seconds {
        s if s < 120.0 => format!("{s:.1} s"),
        s if s < 7_200.0 => format!("{:.1} min", s / 60.0),
        s if s < 172_800.0 => format!("{:.1} h", s / 3_600.0),
        s => format!("{:.1} d", s / 86_400.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::{sample, table};

    #[test]
    fn ours_urls_requests_and_changes_are_three_numbers_where_time_passes() {
        let mut comparison = sample::comparison();
        assert_eq!(block(&comparison, 100), None);
        comparison.assumed = vec!["a request takes 200 ms".to_owned()];
        let blend = sample::of(&mut comparison, "blend");
        (blend.fetched, blend.requests, blend.changed, blend.seconds) = (1_200, 4_321, 17, 86_400.0 * 3.5);
        let text = table(&comparison, 100);
        assert!(text.contains("assumed: a request takes 200 ms"), "{text}");
        let row = text.lines().find(|line| line.starts_with("blend") && line.contains("4,321")).unwrap();
        let cells: Vec<&str> = row.split_whitespace().collect();
        assert_eq!(cells, ["blend", "1,200", "4,321", "17", "3.5", "d"]);
    }

    #[test]
    fn ours_lengths_of_time_have_the_unit_that_suits_them() {
        assert_eq!(
            [0.0, 119.9, 120.0, 7_200.0, 172_800.0].map(lasting).join(", "),
            "0.0 s, 119.9 s, 2.0 min, 2.0 h, 2.0 d"
        );
    }
}
