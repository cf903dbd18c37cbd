//! How are charts of the same lines put side by side, with one legend?

use std::fmt::Write as _;

use trodden_report::chart::{Look, Tint, Weight, swatch};
use trodden_report::text::Escaped;

use crate::report::standing::Standing;

/// How a line looks, given where its policy stands.
pub(super) fn look(standing: Standing) -> Look {
    let (tint, dashes, weight): (Tint, &'static [u8], Weight) = match standing {
        Standing::Best => (Tint::Blue, &[], Weight::Heaviest),
        Standing::BreadthFirst => (Tint::Vermilion, &[9, 4], Weight::Important),
        Standing::PageRank => (Tint::Green, &[3, 3], Weight::Important),
        Standing::Behavior => (Tint::Purple, &[11, 3, 2, 3], Weight::Important),
        Standing::UrlVisit => (Tint::Orange, &[16, 3], Weight::Important),
        Standing::Ideal => (Tint::Ink, &[], Weight::Important),
        Standing::Random => (Tint::Gray, &[2, 5], Weight::Important),
        Standing::Other(n) => return Look::thin(n),
    };
    Look { tint, dashes, weight }
}

/// An entry of a legend: which line, its name, how it looks.
pub(super) struct Entry<'a> {
    pub(super) line: usize,
    pub(super) name: &'a str,
    pub(super) standing: Standing,
}

/// How panels stand beside each other where there is room.
#[derive(Clone, Copy)]
pub(super) enum Layout {
    /// Each as wide as the others.
    Even,
    /// Two, the second wider by the names at its right.
    NamesAtRight,
}

/// Panels, already drawn, under a caption and above their legend.
pub(super) fn push(out: &mut String, layout: Layout, caption: &str, panels: &[String], entries: &mut [Entry<'_>]) {
    let class = match (layout, panels.len()) {
        (Layout::NamesAtRight, _) => "two",
        (Layout::Even, 1) => "single",
        (Layout::Even, _) => "pair",
    };
    let _ = writeln!(out, "<figure>\n<figcaption>{}</figcaption>\n<div class=\"panels {class}\">", Escaped(caption));
    for panel in panels {
        let _ = writeln!(out, "<div>{panel}</div>");
    }
    out.push_str("</div>\n<ul class=\"legend\">\n");
    entries.sort_by_key(|entry| entry.standing);
    let mut important = true;
    for entry in entries.iter() {
        if important && !entry.standing.is_important() {
            important = false;
            out.push_str("<li class=\"break\" aria-hidden=\"true\"></li>\n");
        }
        let class = if important { " class=\"important\"" } else { "" };
        let _ = writeln!(
            out,
            "<li{class} data-line=\"{}\">{}{}</li>",
            entry.line,
            swatch(look(entry.standing)),
            Escaped(entry.name)
        );
    }
    out.push_str("</ul>\n</figure>\n");
}
