//! The URLs that models name, by the visits that they can expect ([`trodden_mining::listing`]).

use std::fmt::Write as _;
use std::path::PathBuf;

use anyhow::{Context, Result};
use trodden_logs::NamedSite;
use trodden_logs::privacy::has_removed_values;
use trodden_mining::SiteModel;
use trodden_mining::listing::{BestUrls, RankedUrl, listed_urls};
use trodden_mining::model::NamedUrl;
use trodden_urls::UrlGlobs;

use super::sitemap::sitemap;
use crate::args::{UrlFormat, UrlsArgs};
use crate::model_file;
use crate::output::{self, data, number, say, thousands};

/// Prints the first URLs of models.
pub(super) fn run(args: &UrlsArgs) -> Result<()> {
    let (goal, order) = args.rank.checked()?;
    let only = args.site.as_deref().map(NamedSite::parse).transpose()?;
    let exclude = UrlGlobs::new(&args.exclude).context("--exclude")?;
    let paths: Vec<PathBuf> = args.inputs.iter().map(PathBuf::from).collect();
    let mut best = BestUrls::new(args.top);
    let min_users = args.min_users.unwrap_or(0);
    let mut excluded = 0;
    let mut counted = Counted { min_users: u32::MAX, ..Counted::default() };
    model_file::each(&paths, only.as_ref().map(|site| site.host().as_str()), |model| {
        counted.add(&model);
        let is_listed = |named: &NamedUrl| named.users >= min_users && !has_removed_values(&named.url);
        for row in listed_urls(&model, goal, order, is_listed) {
            if exclude.matches_url(&row.url) {
                excluded += 1;
            } else {
                best.push(row);
            }
        }
        Ok(())
    })?;
    let rows = best.sorted();
    let listed = rows.len() as u64;
    match args.format {
        UrlFormat::List => {
            say(&format!("    visits      users  {:>12}  url", order.unit(goal).unwrap_or("score")));
            data(&list(&rows))?;
        }
        UrlFormat::Sitemap => data(&sitemap(rows.into_iter().map(|row| row.url))?)?,
        UrlFormat::Json => data(&(serde_json::to_string_pretty(&rows)? + "\n"))?,
    }
    if excluded > 0 {
        say(&format!("not listed: {} that --exclude fits", output::counted(excluded, "URL")));
    }
    say(&counted.sentence(listed));
    Ok(())
}

fn list(rows: &[RankedUrl]) -> String {
    let mut out = String::new();
    for row in rows {
        let _ = writeln!(out, "{:>10} {:>10}  {:>12}  {}", row.visits, row.users, number(row.score, 4), row.url);
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
    use trodden_mining::{Goal, Order, Strategy};

    use super::*;
    use crate::sample;

    const BEHAVIOR: Order = Order::Pattern(Strategy::Behavior);

    fn rows(model: &SiteModel, goal: Goal, order: Order, min_users: u64) -> Vec<RankedUrl> {
        listed_urls(model, goal, order, |named| named.users >= min_users && !has_removed_values(&named.url))
    }

    #[test]
    fn ours_urls_come_by_score_of_their_pattern_then_visits_then_text() {
        let model = sample::shop();
        let mut rows = rows(&model, Goal::Fetch, BEHAVIOR, 0);
        assert_eq!(rows.len(), model.urls.len());
        rows.sort_by(RankedUrl::order);
        assert!(rows.is_sorted_by(|a, b| {
            (b.score, b.visits).partial_cmp(&(a.score, a.visits)).unwrap().then(a.url.cmp(&b.url)).is_le()
        }));
        assert!(rows.iter().all(|row| row.url.starts_with("https://www.a.com/")), "{rows:?}");
    }

    #[test]
    fn ours_urls_come_by_the_visits_that_they_can_expect_not_by_the_size_of_their_kind() {
        let model = sample::shop();
        let mut rows = rows(&model, Goal::Fetch, Order::Expected, 0);
        rows.sort_by(RankedUrl::order);
        assert_eq!(rows[0].url, "https://www.a.com/", "300 of 1,000 visits: {:?}", &rows[..3]);
        assert!(rows.is_sorted_by(|a, b| a.score >= b.score));
        let day = 300.0 / model.days();
        assert!((rows[0].score / day - 1.0).abs() < 0.1, "{} against {day} a day", rows[0].score);
    }

    #[test]
    fn ours_a_small_site_does_not_come_before_a_large_one() {
        let large = sample::shop();
        let mut small = sample::shop();
        small.site = "b.com".to_owned();
        small.nodes[0].visits = 10;
        let mut all = rows(&small, Goal::Fetch, BEHAVIOR, 0);
        all.extend(rows(&large, Goal::Fetch, BEHAVIOR, 0));
        all.sort_by(RankedUrl::order);
        assert_eq!(all[0].site, "a.com");
    }

    #[test]
    fn ours_only_the_best_are_kept_and_rare_ones_left_out() {
        let model = sample::shop();
        let all = || rows(&model, Goal::Fetch, BEHAVIOR, 0);
        let mut best = BestUrls::new(3);
        for _ in 0..20 {
            all().into_iter().for_each(|row| best.push(row));
        }
        assert!(best.held() <= 1024);
        let most = all().into_iter().map(|row| row.score).fold(0.0, f64::max);
        let best = best.sorted();
        assert_eq!((best.len(), best[0].score, best[2].score), (3, most, most));
        assert!(rows(&model, Goal::Fetch, BEHAVIOR, 6).iter().all(|row| row.users >= 6));
    }

    #[test]
    fn ours_what_cannot_be_fetched_is_left_out() {
        let mut model = sample::shop();
        model.urls[0].url = format!("a.com/?token={}", trodden_urls::REMOVED_VALUE);
        assert_eq!(rows(&model, Goal::Fetch, BEHAVIOR, 0).len(), model.urls.len() - 1);
    }
}
