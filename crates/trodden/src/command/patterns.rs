//! `trodden patterns`: the patterns of a model, ranked.

use anyhow::Result;
use trodden_logs::NamedSite;
use trodden_mining::SiteModel;
use trodden_mining::listing::PatternListing;
use trodden_mining::model::Ranked;

use crate::args::{PatternFormat, PatternsArgs};
use crate::output::data;
use crate::pattern_table::{heading, push_legend};
use crate::pattern_tree::tree;
use crate::screen;
use crate::{model_file, pattern_table};

/// Prints the patterns of all sites, one site after another.
pub(crate) fn run(args: &PatternsArgs) -> Result<()> {
    let (goal, order) = args.rank.checked()?;
    let only = args.site.as_deref().map(NamedSite::parse).transpose()?;
    let mut first = true;
    model_file::each(&args.models, only.as_ref().map(|site| site.host().as_str()), |model| {
        let ranking = model.ranking_by(goal, order);
        let text = match args.format {
            PatternFormat::Table => pattern_table::table(&model, &ranking, args.top, (goal, order)),
            PatternFormat::Tree => drawn(&model, shown(&ranking, args.top)),
            PatternFormat::Json => {
                serde_json::to_string_pretty(&PatternListing::of(&model, shown(&ranking, args.top)))?
            }
        };
        data(between(args.format, first))?;
        first = false;
        data(&text)
    })?;
    data(if args.format == PatternFormat::Json { "\n]\n" } else { "" })
}

/// What stands before a site: it is printed as it is read, so the list of all is never in memory.
fn between(format: PatternFormat, first: bool) -> &'static str {
    match (format, first) {
        (PatternFormat::Json, true) => "[\n",
        (PatternFormat::Json, false) => ",\n",
        (_, true) => "",
        (_, false) => "\n",
    }
}

fn shown(ranking: &[Ranked], top: Option<usize>) -> &[Ranked] {
    &ranking[..top.unwrap_or(usize::MAX).min(ranking.len())]
}

fn drawn(model: &SiteModel, ranking: &[Ranked]) -> String {
    let screen = screen::of_stdout();
    let ids: Vec<u32> = ranking.iter().map(|ranked| ranked.id).collect();
    let mut out = format!("{}\n{}", heading(model, screen), tree(model, &ids, screen));
    push_legend(&mut out, ids.iter().map(|id| model.nodes[*id as usize].pattern.as_str()), screen);
    out
}

#[cfg(test)]
mod tests {
    use trodden_mining::{Goal, Strategy};

    use super::*;
    use crate::sample;

    #[test]
    fn ours_the_json_of_a_site_has_the_names_that_scripts_rely_on() {
        let model = sample::shop();
        let ranking = model.ranking(Goal::Fetch, Strategy::OverallVisit);
        let json = serde_json::to_string(&PatternListing::of(&model, shown(&ranking, Some(1)))).unwrap();
        assert!(json.starts_with(r#"{"site":"a.com","urls":"#), "{json}");
        let names = |json: &str| -> Vec<String> { json.split('"').skip(1).step_by(2).map(str::to_owned).collect() };
        let expected = "site a.com urls visits trees syn visit tran patterns id pattern PATTERN urls visits referrals \
            auth hub fetch discovery score rounds residual tree tran heights syn visit tran";
        let pattern = &model.nodes[ranking[0].id as usize].pattern;
        assert_eq!(names(&json).join(" "), expected.replace("PATTERN", pattern));
        let json: serde_json::Value = serde_json::from_str(&json).unwrap();
        let first = &json["patterns"][0];
        assert_eq!(first["score"], first["visits"].as_u64().unwrap() as f64);
        let half = (first["auth"].as_f64().unwrap() + first["hub"].as_f64().unwrap()) / 2.0;
        assert!((first["fetch"].as_f64().unwrap() - half).abs() < 1e-12);
        assert_eq!(first["discovery"], first["hub"]);
    }

    #[test]
    fn ours_no_more_are_shown_than_there_are() {
        let ranking = sample::shop().ranking(Goal::Fetch, Strategy::Behavior);
        assert_eq!(shown(&ranking, None).len(), ranking.len());
        assert_eq!(shown(&ranking, Some(2)).len(), 2);
        assert_eq!(shown(&ranking, Some(9_999)).len(), ranking.len());
    }
}
