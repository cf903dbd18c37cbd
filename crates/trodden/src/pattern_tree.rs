//! Patterns as the tree that they are leaves of.
//!
//! Every line is a branch: the condition that leads there, then what splits the node, or its pattern. What people
//! visit most comes first. Nothing below the cut of the model is drawn.

use std::fmt::Write as _;

use trodden_mining::SiteModel;
use trodden_mining::model::{Node, Way};
use trodden_report::screen::Screen;
use trodden_report::text::width;

use crate::output::counted;

/// Deeper nodes are not drawn: no screen is as wide, and no tree that was mined as deep.
const MAX_DEPTH: usize = 256;

/// The fewest columns that a pattern keeps.
const MIN_PATTERN: usize = 16;

/// The tree down to these patterns; others are counted where they branch off.
pub(crate) fn tree(model: &SiteModel, patterns: &[u32], screen: Screen) -> String {
    let forest = Forest::of(model, patterns);
    let mut out = String::new();
    let mut waiting = vec![Waiting { drawn: Drawn::Node(0), rails: String::new(), last: true, depth: 0 }];
    while let Some(Waiting { drawn, rails, last, depth }) = waiting.pop() {
        let (joint, rail) = match (depth, last) {
            (0, _) => ("", ""),
            (_, true) => ("└─ ", "   "),
            (_, false) => ("├─ ", "│  "),
        };
        match drawn {
            Drawn::Node(number) => {
                let line = forest.line(number, screen, width(&rails) + width(joint));
                let _ = writeln!(out, "{rails}{joint}{line}");
                let below = if depth < MAX_DEPTH { forest.below(number) } else { Vec::new() };
                let rails = format!("{rails}{rail}");
                for (at, drawn) in below.into_iter().rev().enumerate() {
                    waiting.push(Waiting { drawn, rails: rails.clone(), last: at == 0, depth: depth + 1 });
                }
            }
            Drawn::Rest { patterns, urls, visits } => {
                let more = counted(patterns, "pattern").replacen(' ', " more ", 1);
                let _ = writeln!(out, "{rails}{joint}… {more} ({})", counts(urls, visits));
            }
        }
    }
    out
}

/// What is drawn on a line.
enum Drawn {
    Node(u32),
    /// Patterns that are not asked for.
    Rest {
        patterns: u64,
        urls: u64,
        visits: u64,
    },
}

/// A line that waits for those above it.
struct Waiting {
    drawn: Drawn,
    rails: String,
    last: bool,
    depth: usize,
}

/// The nodes down to the cut, by parent.
struct Forest<'m> {
    model: &'m SiteModel,
    children: Vec<Vec<u32>>,
    /// By node: whether a pattern that is asked for is there or below.
    wanted: Vec<bool>,
    /// By node: the patterns there and below.
    patterns: Vec<u64>,
}

impl<'m> Forest<'m> {
    fn of(model: &'m SiteModel, asked: &[u32]) -> Self {
        let nodes = model.nodes.len();
        let mut forest =
            Self { model, children: vec![Vec::new(); nodes], wanted: vec![false; nodes], patterns: vec![0; nodes] };
        for pattern in asked {
            forest.wanted[*pattern as usize] = true;
        }
        for (number, node) in (0..).zip(&model.nodes) {
            forest.patterns[number as usize] = u64::from(node.is_leaf_of(model.tree));
            if number > 0 && !model.nodes[node.parent as usize].is_leaf_of(model.tree) {
                forest.children[node.parent as usize].push(number);
            }
        }
        // Children come after their parents. Below the cut nothing is anybody's child.
        for number in (0..nodes).rev() {
            for at in 0..forest.children[number].len() {
                let child = forest.children[number][at] as usize;
                forest.wanted[number] |= forest.wanted[child];
                forest.patterns[number] += forest.patterns[child];
            }
            forest.children[number]
                .sort_by_key(|child| (std::cmp::Reverse(model.nodes[*child as usize].visits), *child));
        }
        forest
    }

    /// What hangs from a node: what is asked for, then the rest in one line.
    fn below(&self, number: u32) -> Vec<Drawn> {
        let children = &self.children[number as usize];
        let (wanted, others): (Vec<u32>, Vec<u32>) =
            children.iter().copied().partition(|child| self.wanted[*child as usize]);
        let mut below: Vec<Drawn> = wanted.into_iter().map(Drawn::Node).collect();
        if !others.is_empty() {
            let sum = |of: &dyn Fn(u32) -> u64| others.iter().map(|child| of(*child)).sum();
            below.push(Drawn::Rest {
                patterns: sum(&|child| self.patterns[child as usize]),
                urls: sum(&|child| self.node(child).urls),
                visits: sum(&|child| self.node(child).visits),
            });
        }
        below
    }

    fn node(&self, number: u32) -> &'m Node {
        &self.model.nodes[number as usize]
    }

    fn line(&self, number: u32, screen: Screen, indent: usize) -> String {
        let node = self.node(number);
        let condition = match &node.way {
            Way::Root => String::new(),
            _ => format!("{}: ", screen.whole(&self.condition(node))),
        };
        let counts = counts(node.urls, node.visits);
        let taken = indent + width(&condition) + width(&counts) + 3;
        let room = if screen.told { screen.width.saturating_sub(taken).max(MIN_PATTERN) } else { usize::MAX };
        match &node.split {
            _ if node.is_leaf_of(self.model.tree) => {
                format!("{condition}{} ({counts})", screen.show(&node.pattern, room))
            }
            Some(key) => format!("{condition}split {} ({counts})", screen.whole(&key.to_string())),
            None => format!("{condition}single pages ({counts})"),
        }
    }

    /// What leads to a node, in words.
    fn condition(&self, node: &Node) -> String {
        let key = self.node(node.parent).split.as_ref().map_or_else(String::new, ToString::to_string);
        match &node.way {
            Way::Root => String::new(),
            Way::Kept(value) => format!("{key} = {value}"),
            Way::Absent => format!("{key} absent"),
            Way::Other => "other".to_owned(),
            Way::Page(_) => "page".to_owned(),
        }
    }
}

fn counts(urls: u64, visits: u64) -> String {
    format!("{}, {}", counted(urls, "URL"), counted(visits, "visit"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample;

    const SCREEN: Screen = Screen { width: 100, told: true, isolates: false };

    #[test]
    fn ours_the_tree_is_drawn_down_to_the_cut_of_the_model() {
        let model = sample::by_hand();
        let all: Vec<u32> = model.patterns().map(|(id, _)| id).collect();
        let drawn = "\
split path[0] (60 URLs, 1,000 visits)
├─ path[0] = item: /item/# (30 URLs, 600 visits)
├─ path[0] = list: split ?page (21 URLs, 250 visits)
│  ├─ ?page absent: /list (1 URL, 150 visits)
│  └─ other: /list?page=# (20 URLs, 100 visits)
├─ page: / (1 URL, 100 visits)
└─ other: /{word} (8 URLs, 50 visits)
";
        assert_eq!(tree(&model, &all, SCREEN), drawn);
    }

    #[test]
    fn ours_what_is_not_asked_for_is_counted_where_it_branches_off() {
        let drawn = "\
split path[0] (60 URLs, 1,000 visits)
├─ path[0] = list: split ?page (21 URLs, 250 visits)
│  ├─ ?page absent: /list (1 URL, 150 visits)
│  └─ … 1 more pattern (20 URLs, 100 visits)
└─ … 3 more patterns (39 URLs, 750 visits)
";
        assert_eq!(tree(&sample::by_hand(), &[sample::LIST], SCREEN), drawn);
    }

    #[test]
    fn ours_a_site_of_one_pattern_is_one_line() {
        let mut model = sample::by_hand();
        model.nodes[0].leaf_of = vec![model.tree];
        model.nodes[0].pattern = "/**".to_owned();
        assert_eq!(tree(&model, &[0], SCREEN), "/** (60 URLs, 1,000 visits)\n");
    }

    #[test]
    fn ours_long_patterns_are_cut_for_a_screen_and_whole_in_a_file() {
        let mut model = sample::by_hand();
        let long = "/item/".to_owned() + &"x".repeat(200);
        model.nodes[sample::ITEM as usize].pattern = long.clone();
        let all: Vec<u32> = model.patterns().map(|(id, _)| id).collect();
        assert!(tree(&model, &all, SCREEN).lines().all(|line| width(line) <= 100));
        assert!(tree(&model, &all, Screen { told: false, ..SCREEN }).contains(&long));
    }

    #[test]
    fn ours_a_tree_deeper_than_any_that_is_mined_does_no_harm() {
        let mut model = sample::by_hand();
        let inner = Node { leaf_of: Vec::new(), ..model.nodes[2].clone() };
        let deep = 20_000;
        model.nodes.truncate(1);
        model.nodes.extend((0..deep).map(|parent| Node { parent, ..inner.clone() }));
        assert_eq!(tree(&model, &[deep], SCREEN).lines().count(), MAX_DEPTH + 1);
    }
}
