//! What does each ingredient of `blend` add, and what does exploring cost?

use trodden_report::grid::Grid;
use trodden_report::number::{NONE, area, counted, signed, spoken};
use trodden_report::text::wrapped;

use crate::report::standing::number;
use crate::result::{Comparison, PolicyResult};

/// How a policy is called that `blend` is without something.
const WITHOUT: &str = "blend-without:";

/// A row for each ingredient that was left out, the most useful first; none if none was.
pub(super) fn block(of: &Comparison, width: usize) -> Option<String> {
    let blend = of.policies.iter().find(|policy| policy.name == "blend")?;
    let mut without: Vec<(&str, &PolicyResult)> =
        of.policies.iter().filter_map(|policy| Some((policy.name.strip_prefix(WITHOUT)?, policy))).collect();
    without.sort_by(|a, b| number(a.1.auc).unwrap_or(0.0).total_cmp(&number(b.1.auc).unwrap_or(0.0)));
    let explored = explored(blend);
    if without.is_empty() {
        return explored.map(|text| wrapped(&text, width, 0));
    }
    let mut rows = vec![["blend without", "area", "adds", "cold area", "adds to cold"].map(str::to_owned).to_vec()];
    let areas =
        |policy: &PolicyResult| [policy.auc, policy.cold_auc].map(|x| number(x).map_or_else(|| NONE.to_owned(), area));
    let [all, cold] = areas(blend);
    rows.push(vec!["nothing".to_owned(), all, String::new(), cold, String::new()]);
    for (name, policy) in without {
        let [all, cold] = areas(policy);
        let adds = |ends: Option<[f64; 2]>| {
            ends.map_or_else(String::new, |ends| format!("{} to {}", signed(ends[0]), signed(ends[1])))
        };
        rows.push(vec![name.to_owned(), all, adds(policy.blend_ahead), cold, adds(policy.cold_blend_ahead)]);
    }
    let mut legend = "adds: area that blend loses without it (95 % interval over users).".to_owned();
    if let Some(explored) = explored {
        legend = format!("{legend} {explored}");
    }
    Some(format!("{}\n{}", fitting(rows, width).text(width), wrapped(&legend, width, 0)))
}

/// The rows as a grid. Where the screen is narrow, areas go before what is added to them, and cold traffic first.
fn fitting(mut rows: Vec<Vec<String>>, width: usize) -> Grid {
    let grid = |rows: &[Vec<String>]| {
        let mut grid = Grid::new(rows[0].clone());
        rows[1..].iter().for_each(|row| grid.push(row.clone()));
        grid
    };
    for least in [3, 3, 1] {
        if grid(&rows).width() > width {
            rows.iter_mut().for_each(|row| drop(row.remove(least)));
        }
    }
    grid(&rows)
}

/// What exploring cost.
fn explored(blend: &PolicyResult) -> Option<String> {
    let share = blend.explored as f64 / blend.fetched.max(1) as f64;
    let pages = counted(blend.explored, "page");
    (blend.explored > 0).then(|| format!("blend fetched {pages} ({}) to learn, not as the best.", spoken(share)))
}
