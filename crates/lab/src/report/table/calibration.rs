//! Was as much read as was foretold? A block a policy and part, on a terminal.

use trodden_report::grid::Grid;
use trodden_report::number::{NONE, amount, thousands};
use trodden_report::text::{safe, wrapped};

use crate::metric::calibration::{Calibration, CalibrationTally, Part};
use crate::result::Comparison;

/// Blocks of the policies that foretell; those that `blend` is without something are in the JSON only.
pub(super) fn blocks(of: &Comparison, width: usize) -> Vec<String> {
    let shown = of.calibration.iter().filter(|of| !of.policy.contains("without"));
    let mut blocks: Vec<String> = shown.map(|of| block(of, width)).collect();
    if !blocks.is_empty() {
        let legend = "predicted: visits that the policy expected at the end of its crawl; ratio: predicted over seen; tenths: the same ratio for \
                      pages with a tenth of all that was predicted each, the most promising first.";
        blocks.push(wrapped(legend, width, 0));
    }
    blocks
}

/// What foretold what.
pub(in crate::report) fn title(of: &Calibration) -> String {
    let part = match of.part {
        Part::Test => "in the test",
        Part::Training => "inside training: its first half predicts its second half",
    };
    format!("{}: visits predicted and seen, {part}", safe(&of.policy))
}

/// Foretold over seen.
pub(in crate::report) fn ratio(tally: &CalibrationTally) -> String {
    if tally.seen > 0.0 { format!("{:.2}", tally.foretold / tally.seen) } else { NONE.to_owned() }
}

fn block(of: &Calibration, width: usize) -> String {
    let head = ["visits in training", "pages", "predicted", "seen", "ratio"];
    let mut grid = Grid::new(head.map(str::to_owned).to_vec());
    for tally in of.classes.iter().chain([&of.all]) {
        let (pages, foretold, seen) = (thousands(tally.pages), amount(tally.foretold), amount(tally.seen));
        grid.push(vec![tally.group.clone(), pages, foretold, seen, ratio(tally)]);
    }
    let tenths: Vec<String> = of.tenths.iter().map(ratio).collect();
    let tenths = wrapped(&format!("tenths: {}", tenths.join(" ")), width, 8);
    format!("{}\n{}\n{tenths}", wrapped(&title(of), width, 2), grid.text(width))
}
