//! The URLs that models name, by the score of their pattern.
//!
//! Among URLs of one pattern those with more visits of their own come first, then the texts decide. **\[ours\]** Scores
//! of the behavior graph have unit length in every site, so across sites each counts as its share of the site's sum,
//! times the site's visits: else a site with one pattern and five visits would come before all others.

use std::cmp::Ordering;
use std::fmt::Write as _;
use std::path::PathBuf;

use anyhow::Result;
use serde::Serialize;
use trodden_logs::NamedSite;
use trodden_logs::privacy::has_removed_values;
use trodden_mining::{Goal, SiteModel, Strategy};

use super::sitemap::sitemap;
use crate::args::{UrlFormat, UrlsArgs};
use crate::model_file;
use crate::output::{data, say, thousands};

/// Prints the first URLs of models.
pub(super) fn run(args: &UrlsArgs) -> Result<()> {
    let (goal, strategy) = args.rank.checked()?;
    let only = args.site.as_deref().map(NamedSite::parse).transpose()?;
    let paths: Vec<PathBuf> = args.inputs.iter().map(PathBuf::from).collect();
    let mut best = Best { rows: Vec::new(), top: args.top };
    let mut counted = Counted { min_users: u32::MAX, ..Counted::default() };
    model_file::each(&paths, only.as_ref().map(|site| site.host().as_str()), |model| {
        counted.add(&model);
        for row in rows(&model, goal, strategy, args.min_users.unwrap_or(0)) {
            best.push(row);
        }
        Ok(())
    })?;
    let rows = best.sorted();
    let listed = rows.len() as u64;
    match args.format {
        UrlFormat::List => {
            say("    visits      users       score  url");
            data(&list(&rows))?;
        }
        UrlFormat::Sitemap => data(&sitemap(rows.into_iter().map(|row| row.url))?)?,
        UrlFormat::Json => data(&(serde_json::to_string_pretty(&rows)? + "\n"))?,
    }
    say(&counted.sentence(listed));
    Ok(())
}

/// A URL, as `--format json` prints it.
#[derive(Debug, Serialize)]
struct Row {
    url: String,
    visits: u64,
    users: u64,
    referrals: u64,
    /// Of its pattern.
    score: f64,
    pattern: String,
    pattern_id: u32,
    site: String,
    #[serde(skip)]
    weight: f64,
}

/// The URLs of a model that can be fetched.
fn rows(model: &SiteModel, goal: Goal, strategy: Strategy, min_users: u64) -> Vec<Row> {
    let ranking = model.ranking(goal, strategy);
    let weigh = match strategy {
        Strategy::Behavior => {
            let sum: f64 = ranking.iter().map(|ranked| ranked.score).sum();
            if sum > 0.0 { model.nodes[0].visits as f64 / sum } else { 0.0 }
        }
        _ => 1.0,
    };
    let mut scores = vec![0.0; model.nodes.len()];
    for ranked in ranking {
        scores[ranked.id as usize] = ranked.score;
    }
    let row = |named: &trodden_mining::model::NamedUrl| {
        let score = scores[named.pattern as usize];
        Row {
            url: model.fetchable(&named.url),
            visits: named.visits,
            users: named.users,
            referrals: named.referrals,
            score,
            pattern: model.nodes[named.pattern as usize].pattern.clone(),
            pattern_id: named.pattern,
            site: model.site.clone(),
            weight: score * weigh,
        }
    };
    let fetched =
        |named: &&trodden_mining::model::NamedUrl| named.users >= min_users && !has_removed_values(&named.url);
    model.urls.iter().filter(fetched).map(row).collect()
}

impl Row {
    /// The order of the list.
    fn order(&self, other: &Self) -> Ordering {
        other.weight.total_cmp(&self.weight).then(other.visits.cmp(&self.visits)).then_with(|| self.url.cmp(&other.url))
    }
}

/// The first so many of all rows, without keeping many more.
struct Best {
    rows: Vec<Row>,
    top: usize,
}

impl Best {
    fn push(&mut self, row: Row) {
        self.rows.push(row);
        if self.rows.len() > self.top.saturating_mul(2).max(1024) {
            self.cut();
        }
    }

    fn cut(&mut self) {
        self.rows.sort_by(Row::order);
        self.rows.truncate(self.top);
    }

    fn sorted(mut self) -> Vec<Row> {
        self.cut();
        self.rows
    }
}

fn list(rows: &[Row]) -> String {
    let mut out = String::new();
    for row in rows {
        let _ = writeln!(out, "{:>10} {:>10} {:>11.6}  {}", row.visits, row.users, row.score, row.url);
    }
    out
}

/// What the models have.
#[derive(Default)]
struct Counted {
    urls: u64,
    named: u64,
    min_users: u32,
}

impl Counted {
    fn add(&mut self, model: &SiteModel) {
        self.urls += model.nodes[0].urls;
        self.named += model.urls.len() as u64;
        self.min_users = self.min_users.min(model.min_users);
    }

    fn sentence(&self, listed: u64) -> String {
        format!(
            "{} of {} URLs have a name, for at least {} users visited them; listed: {}",
            thousands(self.named),
            thousands(self.urls),
            self.min_users,
            thousands(listed)
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample;

    #[test]
    fn ours_urls_come_by_score_of_their_pattern_then_visits_then_text() {
        let model = sample::shop();
        let mut rows = rows(&model, Goal::Fetch, Strategy::Behavior, 0);
        assert_eq!(rows.len(), model.urls.len());
        rows.sort_by(Row::order);
        assert!(rows.is_sorted_by(|a, b| {
            (b.score, b.visits).partial_cmp(&(a.score, a.visits)).unwrap().then(a.url.cmp(&b.url)).is_le()
        }));
        assert!(rows.iter().all(|row| row.url.starts_with("https://www.a.com/")), "{rows:?}");
    }

    #[test]
    fn ours_a_small_site_does_not_come_before_a_large_one() {
        let large = sample::shop();
        let mut small = sample::shop();
        small.site = "b.com".to_owned();
        small.nodes[0].visits = 10;
        let mut all = rows(&small, Goal::Fetch, Strategy::Behavior, 0);
        all.extend(rows(&large, Goal::Fetch, Strategy::Behavior, 0));
        all.sort_by(Row::order);
        assert_eq!(all[0].site, "a.com");
    }

    #[test]
    fn ours_only_the_best_are_kept_and_rare_ones_left_out() {
        let model = sample::shop();
        let all = || rows(&model, Goal::Fetch, Strategy::Behavior, 0);
        let mut best = Best { rows: Vec::new(), top: 3 };
        for _ in 0..20 {
            all().into_iter().for_each(|row| best.push(row));
        }
        assert!(best.rows.len() <= 1024);
        let most = all().into_iter().map(|row| row.weight).fold(0.0, f64::max);
        let best = best.sorted();
        assert_eq!((best.len(), best[0].weight, best[2].weight), (3, most, most));
        assert!(rows(&model, Goal::Fetch, Strategy::Behavior, 6).iter().all(|row| row.users >= 6));
    }

    #[test]
    fn ours_what_cannot_be_fetched_is_left_out() {
        let mut model = sample::shop();
        model.urls[0].url = format!("a.com/?token={}", trodden_urls::REMOVED_VALUE);
        assert_eq!(rows(&model, Goal::Fetch, Strategy::Behavior, 0).len(), model.urls.len() - 1);
    }
}
