//! Of what site, and learnt from what?

use trodden_mining::{MS_PER_DAY, SiteModel, TreeKind};
use trodden_report::screen::Screen;
use trodden_report::text::in_lines;

use crate::output::{counted, thousands};

/// The site and what its model was learnt from, and how large its trees are: two lines, more on a narrow screen.
pub(crate) fn heading(model: &SiteModel, screen: Screen) -> String {
    let of_site = learnt(model);
    let words = |text: &str| text.split(' ').map(str::to_owned).collect::<Vec<_>>();
    format!("{}\n{}\n", in_lines(&words(&of_site), screen.width, 2), in_lines(&words(&trees(model)), screen.width, 2))
}

fn learnt(model: &SiteModel) -> String {
    let root = &model.nodes[0];
    let mut text = format!("{}: {}, {}", model.site, counted(root.urls, "URL"), counted(root.visits, "visit"));
    // A table that nobody told anything has no users and no time.
    if model.learnt.users > 0 {
        text = format!("{text} by {}", counted(model.learnt.users, "user"));
    }
    if model.learnt.last_ms > 0 {
        text = format!("{text} in {}", counted(days(model.learnt.first_ms, model.learnt.last_ms), "day"));
    }
    text
}

/// Days from the first visit to the last, both counted.
fn days(first_ms: i64, last_ms: i64) -> u64 {
    let days = last_ms.div_euclid(MS_PER_DAY) - first_ms.div_euclid(MS_PER_DAY) + 1;
    u64::try_from(days).unwrap_or(1)
}

fn trees(model: &SiteModel) -> String {
    let leaves = |tree| u64::from(model.trees.of(tree).leaves);
    let [syn, visit, tran] = TreeKind::ALL.map(|tree| {
        let taken = if tree == model.tree { " (shown)" } else { "" };
        (thousands(leaves(tree)), taken)
    });
    format!(
        "patterns: {}{} by syntax, {}{} after the cut by visits, {}{} after the cut by transits",
        syn.0, syn.1, visit.0, visit.1, tran.0, tran.1
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ours_days_are_counted_with_both_ends() {
        assert_eq!(days(1, MS_PER_DAY - 1), 1);
        assert_eq!(days(MS_PER_DAY - 1, MS_PER_DAY), 2);
        assert_eq!(days(-1, 0), 2);
        assert_eq!(days(9 * MS_PER_DAY, 0), 1);
    }
}
