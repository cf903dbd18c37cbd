//! Patterns as a table that fits a terminal.
//!
//! Rank, number, pattern, URLs, visits, their share as a number and as a bar, score. What goes to a file or a pipe is
//! never cut. On a screen long patterns lose their middle; where the screen is too narrow for that, the bar goes, and a pattern
//! has lines of its own above its numbers.

mod heading;

use std::fmt::Write as _;

use trodden_mining::model::Ranked;
use trodden_mining::pattern::legend;
use trodden_mining::{Goal, Order, SiteModel};
use trodden_report::screen::{Screen, bar};
use trodden_report::text::{in_lines, padded, width};

use crate::output::{percent, thousands};
use crate::screen;
pub(crate) use heading::heading;

/// The columns of the longest bar.
const BAR: usize = 12;

/// The fewest columns of the pattern; below, the bar goes, and then the pattern gets lines of its own.
const MIN_PATTERN: usize = 24;

/// What a ranking is by.
type By = (Goal, Order);

/// Between two columns.
const GAP: &str = "  ";

/// The first `top` patterns of a ranking (all, if none is given), with bars for visits and a legend.
pub(crate) fn table(model: &SiteModel, ranking: &[Ranked], top: Option<usize>, by: By) -> String {
    draw(model, ranking, top, by, screen::of_stdout())
}

/// The texts of a row, without its pattern and its bar.
struct Row<'m> {
    rank: String,
    id: String,
    pattern: &'m str,
    urls: String,
    visits: String,
    share: String,
    counted: u64,
    score: String,
}

/// The widths of the columns.
struct Widths {
    rank: usize,
    id: usize,
    pattern: usize,
    urls: usize,
    visits: usize,
    share: usize,
    bar: usize,
    score: usize,
    /// Whether patterns have lines of their own.
    stacked: bool,
}

fn draw(model: &SiteModel, ranking: &[Ranked], top: Option<usize>, by: By, screen: Screen) -> String {
    let (first, others) = ranking.split_at(top.unwrap_or(usize::MAX).min(ranking.len()));
    let all = model.nodes[0].visits;
    let mut rows = vec![head(by)];
    let score = score_format(first);
    rows.extend((1..).zip(first).map(|(rank, ranked)| row(model, rank, ranked, all, &score)));
    let rest = (!others.is_empty()).then(|| rest(model, others, all));
    let widths = Widths::of(&rows, rest.as_ref(), if screen.told { screen.width } else { usize::MAX });
    let mut out = heading(model, screen);
    out.push('\n');
    for row in rows.iter().chain(&rest) {
        out.push_str(widths.line(row, rows.iter().map(|row| row.counted).max().unwrap_or(0), screen).trim_end());
        out.push('\n');
    }
    push_legend(&mut out, rows.iter().skip(1).map(|row| row.pattern), screen);
    out
}

/// A legend of the signs that occur, if any does.
pub(crate) fn push_legend<'p>(out: &mut String, patterns: impl IntoIterator<Item = &'p str>, screen: Screen) {
    let signs = legend(patterns);
    if let Some(last) = signs.len().checked_sub(1) {
        let mark = |at| if at < last { "," } else { "" };
        let words: Vec<String> =
            signs.iter().enumerate().map(|(at, (sign, meaning))| format!("{sign} {meaning}{}", mark(at))).collect();
        let _ = writeln!(out, "\n{}", in_lines(&words, screen.width, 0));
    }
}

fn head((goal, order): By) -> Row<'static> {
    let score = match (order, goal) {
        (Order::Expected, Goal::Fetch) => "visits/URL/day".to_owned(),
        (Order::Expected, Goal::Discovery) => "steps/URL/day".to_owned(),
        (Order::UrlVisit, _) => "visits/URL".to_owned(),
        (Order::Pattern(_), goal) => format!("{} score", goal.name()),
    };
    Row {
        rank: "#".to_owned(),
        id: "id".to_owned(),
        pattern: "pattern",
        urls: "URLs".to_owned(),
        visits: "visits".to_owned(),
        share: "share".to_owned(),
        counted: 0,
        score,
    }
}

fn row<'m>(model: &'m SiteModel, rank: usize, ranked: &Ranked, all: u64, score: &dyn Fn(f64) -> String) -> Row<'m> {
    let node = &model.nodes[ranked.id as usize];
    Row {
        rank: rank.to_string(),
        id: ranked.id.to_string(),
        pattern: &node.pattern,
        urls: thousands(node.urls),
        visits: thousands(node.visits),
        share: percent(node.visits, all),
        counted: node.visits,
        score: score(ranked.score),
    }
}

/// What is not shown, in one row.
fn rest(model: &SiteModel, others: &[Ranked], all: u64) -> Row<'static> {
    let of = |count: fn(&trodden_mining::model::Node) -> u64| -> u64 {
        others.iter().map(|ranked| count(&model.nodes[ranked.id as usize])).sum()
    };
    let visits = of(|node| node.visits);
    Row {
        rank: "…".to_owned(),
        id: String::new(),
        pattern: if others.len() == 1 { "one more pattern" } else { "all further patterns" },
        urls: thousands(of(|node| node.urls)),
        visits: thousands(visits),
        share: percent(visits, all),
        // No bar: it would dwarf those of single patterns, or be cut by them.
        counted: 0,
        score: String::new(),
    }
}

/// How the scores of a ranking are written: whole numbers as such, others with as many decimals as the smallest needs to
/// show two digits, but no more than six.
fn score_format(ranking: &[Ranked]) -> impl Fn(f64) -> String + use<> {
    let scores = || ranking.iter().map(|ranked| ranked.score);
    let largest = scores().fold(0.0, f64::max);
    let is_whole = largest > 1.0 && scores().all(|score| score.fract() == 0.0);
    let smallest = scores().filter(|score| *score > 0.0).fold(f64::INFINITY, f64::min);
    let decimals = if smallest.is_finite() { (1 - smallest.log10().floor() as i32).clamp(1, 6) } else { 1 };
    move |score| {
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "counts, written as they are")]
        if is_whole { thousands(score as u64) } else { format!("{score:.*}", decimals as usize) }
    }
}

impl Widths {
    fn of(rows: &[Row<'_>], rest: Option<&Row<'_>>, screen: usize) -> Self {
        let widest = |text: for<'r> fn(&'r Row<'_>) -> &'r str| {
            rows.iter().chain(rest).map(|row| width(text(row))).max().unwrap_or(0)
        };
        let mut widths = Self {
            rank: widest(|row| &row.rank),
            id: widest(|row| &row.id),
            pattern: widest(|row| row.pattern),
            urls: widest(|row| &row.urls),
            visits: widest(|row| &row.visits),
            share: widest(|row| &row.share),
            bar: BAR,
            score: widest(|row| &row.score),
            stacked: false,
        };
        let room = |widths: &Self| screen.saturating_sub(widths.without_pattern());
        let fewest = widths.pattern.min(MIN_PATTERN);
        if room(&widths) < fewest {
            widths.bar = 0;
        }
        widths.stacked = room(&widths) < fewest;
        widths.pattern = widths.pattern.min(room(&widths)).max(1);
        widths
    }

    fn without_pattern(&self) -> usize {
        let columns = [self.rank, self.id, self.urls, self.visits, self.share, self.score];
        let bar = if self.bar > 0 { GAP.len() + self.bar } else { 0 };
        columns.iter().sum::<usize>() + columns.len() * GAP.len() + bar
    }

    fn line(&self, row: &Row<'_>, most: u64, screen: Screen) -> String {
        let mut line = String::new();
        let right = |line: &mut String, text: &str, columns: usize| {
            line.push_str(&" ".repeat(columns.saturating_sub(width(text))));
            line.push_str(text);
            line.push_str(GAP);
        };
        right(&mut line, &row.rank, self.rank);
        right(&mut line, &row.id, self.id);
        if self.stacked {
            let indent = width(&line);
            line.push_str(&cut_in_lines(&screen.whole(row.pattern), screen.width.saturating_sub(indent), indent));
            line.push('\n');
            line.push_str(&" ".repeat(indent));
        } else {
            line.push_str(&padded(&screen.show(row.pattern, self.pattern), self.pattern));
            line.push_str(GAP);
        }
        right(&mut line, &row.urls, self.urls);
        right(&mut line, &row.visits, self.visits);
        right(&mut line, &row.share, self.share);
        if self.bar > 0 {
            line.push_str(&padded(&bar(row.counted, most, self.bar), self.bar));
            line.push_str(GAP);
        }
        right(&mut line, &row.score, self.score);
        line
    }
}

/// A text in lines of so many columns at most, cut where it must be, those after the first indented.
fn cut_in_lines(text: &str, columns: usize, indent: usize) -> String {
    let mut lines = String::new();
    let mut used = 0;
    for c in text.chars() {
        let wide = width(c.encode_utf8(&mut [0; 4]));
        if used + wide > columns.max(1) {
            lines.push('\n');
            lines.push_str(&" ".repeat(indent));
            used = 0;
        }
        lines.push(c);
        used += wide;
    }
    lines
}

#[cfg(test)]
mod tests;
