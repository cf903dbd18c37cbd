//! Was as much read as was foretold? A curve that lies on the diagonal if it was, and the numbers.

use std::fmt::Write as _;

use trodden_report::chart::{Axis, Chart, Labels, Line, draw};
use trodden_report::number::{amount, thousands};
use trodden_report::text::Escaped;

use super::figure::{self, Entry, Layout, look};
use crate::metric::calibration::{Calibration, Part};
use crate::report::standing::{Standing, Standings};
use crate::report::table::calibration::{ratio, title};
use crate::result::{Comparison, Curve};

/// What the diagonal is called.
const DIAGONAL: &str = "as predicted";

/// Curves and tables, as far as anything was foretold.
pub(super) fn push(out: &mut String, of: &Comparison, standings: &Standings) {
    let shown: Vec<&Calibration> = of.calibration.iter().filter(|of| !of.policy.contains("without")).collect();
    if shown.is_empty() {
        return;
    }
    out.push_str("<h2>Predicted and seen</h2>\n");
    for (part, id, titled) in
        [(Part::Test, "calibration-test", "In the test"), (Part::Training, "calibration-training", "Inside training")]
    {
        let of_part: Vec<&Calibration> = shown.iter().copied().filter(|of| of.part == part).collect();
        if !of_part.is_empty() {
            push_figure(out, standings, id, titled, &of_part);
        }
    }
    shown.iter().for_each(|of| push_table(out, of));
}

/// Visits seen by visits foretold, both in parts of the larger of the two totals, tenth by tenth.
fn curve(of: &Calibration) -> Curve {
    let all = of.all.foretold.max(of.all.seen).max(f64::MIN_POSITIVE);
    let mut curve = vec![[0.0, 0.0]];
    let mut at = [0.0, 0.0];
    for tenth in &of.tenths {
        at = [at[0] + tenth.foretold / all, at[1] + tenth.seen / all];
        curve.push(at);
    }
    curve
}

fn push_figure(out: &mut String, standings: &Standings, id: &str, titled: &str, of: &[&Calibration]) {
    let curves: Vec<Curve> = of.iter().map(|of| curve(of)).collect();
    let diagonal: Curve = vec![[0.0, 0.0], [1.0, 1.0]];
    let standing = |of: &Calibration| standings.by_traffic(&of.policy);
    let mut lines: Vec<Line<'_>> = of
        .iter()
        .zip(&curves)
        .map(|(of, points)| Line {
            name: &of.policy,
            remark: format!("{} predicted, {} seen", amount(of.all.foretold), amount(of.all.seen)),
            points,
            look: look(standing(of)),
        })
        .collect();
    lines.push(Line { name: DIAGONAL, remark: String::new(), points: &diagonal, look: look(Standing::Ideal) });
    let mut entries: Vec<Entry<'_>> =
        of.iter().enumerate().map(|(line, of)| Entry { line, name: &of.policy, standing: standing(of) }).collect();
    entries.push(Entry { line: lines.len() - 1, name: DIAGONAL, standing: Standing::Ideal });
    let chart = Chart {
        id,
        title: titled,
        x_title: "visits predicted, the most promising pages first",
        y_title: "visits seen",
        until: 1.0,
        axis: Axis::Linear,
        labels: Labels::Inside,
        lines,
    };
    let caption = "Pages by what was predicted for them, in ten steps. Above the diagonal more was read than predicted, below it less; where a \
                   curve ends is what was predicted and seen in all.";
    figure::push(out, Layout::Even, caption, &[draw(&chart)], &mut entries);
}

fn push_table(out: &mut String, of: &Calibration) {
    let _ = write!(
        out,
        "<p class=\"soft\">{}.</p>\n<div class=\"scroll\"><table>\n<thead><tr><th scope=\"col\">visits in training</th>\
         <th scope=\"col\">pages</th><th scope=\"col\">predicted</th><th scope=\"col\">when fetched</th><th scope=\"col\">seen</th>\
         <th scope=\"col\">ratio</th></tr></thead>\n<tbody>\n",
        Escaped(&title(of))
    );
    for tally in of.classes.iter().chain([&of.all]) {
        let _ = writeln!(
            out,
            "<tr><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td></tr>",
            Escaped(&tally.group),
            thousands(tally.pages),
            amount(tally.foretold),
            amount(tally.foretold_at_fetch),
            amount(tally.seen),
            ratio(tally)
        );
    }
    out.push_str("</tbody></table></div>\n");
}
