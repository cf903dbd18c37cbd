//! How soon did the policies find the pages of the topic?

use trodden_report::grid::Grid;
use trodden_report::number::{counted, percent};
use trodden_report::text::{safe, wrapped};

use super::decimals;
use crate::metric::harvest::{Harvest, SHARES};
use crate::result::{Comparison, PolicyResult};

/// The block for a terminal: the best at a tenth of the pages first.
pub(super) fn block(of: &Comparison, width: usize) -> Option<String> {
    let satisfying = of.satisfying?;
    let mut found: Vec<(&PolicyResult, &Harvest)> =
        of.policies.iter().filter_map(|policy| Some((policy, policy.harvest.as_ref()?))).collect();
    found.sort_by(|a, b| b.1.found[1].total_cmp(&a.1.found[1]));
    let heads = SHARES.map(|share| format!("found by {} %", share * 100.0));
    let mut grid = Grid::new(["by topic".to_owned()].into_iter().chain(heads).chain(["lift".to_owned()]).collect());
    for (policy, harvest) in &found {
        let name = if policy.oracle { format!("{} *", safe(&policy.name)) } else { safe(&policy.name) };
        let shares = harvest.found.map(|share| percent(share, decimals(of.pages)));
        grid.push([name].into_iter().chain(shares).chain([format!("{:.2}", harvest.lift[1])]).collect());
    }
    let meaning = format!(
        "found by: share of the {} that satisfy the topic, in %, after so many of all pages; lift: how many times as many as by chance, \
         after 10 %.",
        counted(satisfying, "page")
    );
    (!found.is_empty()).then(|| format!("{}\n{}", grid.text(width), wrapped(&meaning, width, 0)))
}
