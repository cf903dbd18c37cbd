//! What is printed: a table with one sentence of conclusion, or JSON.

use std::fmt::Write as _;

use anyhow::Result;
use serde::Serialize;
use trodden_logs::visits::time_text;
use trodden_mining::interest::{AnalysisSettings, GroupScore, ListQuality};

use super::findings::Findings;
use crate::args::TemporalArgs;
use crate::output::{counted, data, say, thousands};

#[derive(Serialize)]
struct Json<'f> {
    bin_seconds: i64,
    window_days: f64,
    rule: JsonRule,
    weights: [f64; 2],
    pages: Vec<JsonPage<'f>>,
    folders: Vec<JsonGroup>,
    patterns: Vec<JsonGroup>,
    sites: Vec<JsonSite>,
    /// Pages that are judged, and why others are not.
    judged: usize,
    left_out: std::collections::BTreeMap<&'static str, u64>,
    /// Pages that are judged and may not be named.
    unnamed: usize,
    quality: ListQuality,
    #[serde(skip_serializing_if = "Option::is_none")]
    compared: Option<ListQuality>,
    windows: Vec<JsonStep>,
}

#[derive(Serialize)]
struct JsonRule {
    days: f64,
    share: f64,
}

/// Times in days, `mu` and `sigma` of the logarithm of days.
#[derive(Serialize)]
struct JsonPage<'f> {
    url: &'f str,
    a: f64,
    birth: String,
    mu: f64,
    sigma: f64,
    phi: f64,
    phi1: f64,
    temporal: bool,
    flat: bool,
    views: f64,
    half_life_days: f64,
    activation: String,
    dormancy: String,
    r_squared: f64,
    explained: f64,
}

#[derive(Serialize)]
struct JsonGroup {
    name: String,
    #[serde(flatten)]
    score: JsonScore,
}

#[derive(Serialize)]
struct JsonSite {
    site: String,
    #[serde(flatten)]
    score: JsonScore,
    revisit_seconds: Option<u64>,
}

#[derive(Serialize)]
struct JsonScore {
    score: f64,
    score1: f64,
    score2: f64,
    pages: u64,
    temporal_pages: u64,
    views: f64,
}

#[derive(Serialize)]
struct JsonStep {
    from: String,
    temporal: usize,
    judged: usize,
    joined: Vec<String>,
    left: Vec<String>,
}

/// A time of the window: a date if the table has dates, else days from its start.
fn moment(found: &Findings<'_>, bin: f64) -> String {
    let bin = bin + found.window.start as f64;
    match found.table.first_ms {
        #[expect(clippy::cast_possible_truncation, clippy::cast_precision_loss, reason = "times are far below 2^53")]
        Some(first) => time_text(first.saturating_add((bin * found.table.bin_ms as f64) as i64)),
        None => format!("{:.3}", bin / found.table.bins_a_day()),
    }
}

pub(super) fn json(found: &Findings<'_>, settings: &AnalysisSettings) -> Result<String> {
    let bins_a_day = found.table.bins_a_day();
    let score = |score: &GroupScore| JsonScore {
        score: score.score(found.weights),
        score1: score.score1(),
        score2: score.score2(),
        pages: score.pages,
        temporal_pages: score.temporal_pages,
        views: score.views,
    };
    let named = found.named_pages();
    let judged = found.judged.pages.iter().filter(|page| page.interest.is_ok()).count();
    let unnamed = judged - named.len();
    let pages = named.into_iter().filter_map(|place| {
        let page = &found.judged.pages[place];
        let interest = page.interest.ok()?;
        let fitted = interest.fitted();
        let curve = &fitted.curve;
        Some(JsonPage {
            url: &found.table.pages[place].page,
            a: curve.amount,
            birth: moment(found, curve.birth),
            mu: curve.mu - bins_a_day.ln(),
            sigma: curve.sigma,
            phi: curve.share_within(settings.rule.days * bins_a_day),
            phi1: curve.share_within(bins_a_day),
            temporal: page.is_temporal,
            flat: !interest.is_curve(),
            views: page.views,
            half_life_days: curve.half_life() / bins_a_day,
            activation: moment(found, curve.activation()),
            dormancy: moment(found, curve.dormancy()),
            r_squared: fitted.r_squared,
            explained: fitted.explained,
        })
    });
    let groups = |kind: &str| -> Vec<JsonGroup> {
        let others = found.groups.others.iter().filter(|(own, _, _)| *own == kind);
        let scores = others.flat_map(|(_, names, of)| found.scores_of(names, of));
        scores.map(|(name, own)| JsonGroup { name, score: score(&own) }).collect()
    };
    let name = |site: &usize| {
        let name = &found.groups.sites.names()[*site];
        if found.site_may_be_named(*site) { name.clone() } else { "(not named)".to_owned() }
    };
    let order = trodden_mining::interest::rank(&found.judged.groups, found.weights);
    let sites = order.into_iter().filter(|site| found.judged.groups[*site].pages > 0 && found.site_may_be_named(*site));
    let document = Json {
        bin_seconds: found.table.bin_ms / 1_000,
        window_days: found.window.len() as f64 / bins_a_day,
        rule: JsonRule { days: settings.rule.days, share: settings.rule.share },
        weights: [found.weights.pages(), found.weights.views()],
        pages: pages.collect(),
        folders: groups("folder"),
        patterns: groups("pattern"),
        sites: sites
            .map(|site| JsonSite {
                site: found.groups.sites.names()[site].clone(),
                score: score(&found.judged.groups[site]),
                #[expect(
                    clippy::cast_possible_truncation,
                    clippy::cast_sign_loss,
                    reason = "between minutes and a week"
                )]
                revisit_seconds: (found.judged.groups[site].temporal_pages > 0)
                    .then(|| (found.revisit_days(site) * 86_400.0) as u64),
            })
            .collect(),
        judged,
        left_out: found.judged.left_out().into_iter().map(|(fault, n)| (fault.as_str(), n)).collect(),
        unnamed,
        quality: found.quality,
        compared: found.compared.map(|(_, quality)| quality),
        windows: found
            .history
            .iter()
            .map(|step| JsonStep {
                from: moment(found, step.window.start as f64 - found.window.start as f64),
                temporal: step.temporal,
                judged: step.judged,
                joined: step.change.joined.iter().map(name).collect(),
                left: step.change.left.iter().map(name).collect(),
            })
            .collect(),
    };
    Ok(serde_json::to_string_pretty(&document)?)
}

pub(super) fn table(found: &Findings<'_>, settings: &AnalysisSettings, args: &TemporalArgs) -> Result<()> {
    let bins_a_day = found.table.bins_a_day();
    let judged = found.judged.pages.iter().filter(|page| page.interest.is_ok()).count();
    let mut out = String::new();
    let _ = writeln!(out, " score score1 score2  temporal     pages  again in  site");
    let mut unnamed = 0;
    for site in &found.listed {
        let score = &found.judged.groups[*site];
        let name = &found.groups.sites.names()[*site];
        if !found.site_may_be_named(*site) {
            unnamed += 1;
            continue;
        }
        let _ = writeln!(
            out,
            "{:>6.3} {:>6.3} {:>6.3} {:>9} {:>9} {:>9}  {}",
            score.score(found.weights),
            score.score1(),
            score.score2(),
            thousands(score.temporal_pages),
            thousands(score.pages),
            span(found.revisit_days(*site)),
            if name.is_empty() { "(the table names no sites)" } else { name },
        );
    }
    for (kind, names, of) in &found.groups.others {
        let _ = writeln!(out, "\n score score1 score2  temporal     pages  {kind}");
        for (name, score) in found.scores_of(names, of).into_iter().take(args.top) {
            let _ = writeln!(
                out,
                "{:>6.3} {:>6.3} {:>6.3} {:>9} {:>9}  {name}",
                score.score(found.weights),
                score.score1(),
                score.score2(),
                thousands(score.temporal_pages),
                thousands(score.pages),
            );
        }
    }
    let named = found.named_pages();
    let hidden = judged - named.len();
    let _ = writeln!(out, "\n     Φ({:.0})     Φ(1)      half  views  page", settings.rule.days);
    for place in named.into_iter().take(args.top) {
        let page = &found.judged.pages[place];
        let Ok(interest) = page.interest else { continue };
        let curve = &interest.fitted().curve;
        let kind = if page.is_temporal {
            "temporal"
        } else if interest.is_curve() {
            ""
        } else {
            "flat"
        };
        let _ = writeln!(
            out,
            "{:>9.3} {:>8.3} {:>9} {:>6.0}  {} {kind}",
            curve.share_within(settings.rule.days * bins_a_day),
            curve.share_within(bins_a_day),
            span(curve.half_life() / bins_a_day),
            page.views,
            found.table.pages[place].page,
        );
    }
    data(&out)?;
    tell(found, settings, args, judged, hidden, unnamed);
    Ok(())
}

/// What else to know, and one sentence: so what?
fn tell(
    found: &Findings<'_>,
    settings: &AnalysisSettings,
    args: &TemporalArgs,
    judged: usize,
    hidden: usize,
    unnamed: u64,
) {
    let left_out: Vec<String> =
        found.judged.left_out().iter().map(|(fault, n)| format!("{} {}", fault.as_str(), thousands(*n))).collect();
    if !left_out.is_empty() {
        say(&format!("pages that nothing can be said of: {} (--min-views)", left_out.join(", ")));
    }
    if hidden > 0 || unnamed > 0 {
        say(&format!(
            "not named, as too few users are known to have read them: {}, {} (--public names all)",
            counted(hidden as u64, "page"),
            counted(unnamed, "site")
        ));
    }
    if found.history.len() > 1 {
        for step in &found.history {
            let names = |sites: &[usize]| {
                let named = sites.iter().filter(|site| found.site_may_be_named(**site));
                named.map(|site| found.groups.sites.names()[*site].clone()).collect::<Vec<_>>().join(" ")
            };
            say(&format!(
                "from {}: {} of {} temporal; joined: {}; left: {}",
                moment(found, step.window.start as f64 - found.window.start as f64),
                thousands(step.temporal as u64),
                counted(step.judged as u64, "page"),
                names(&step.change.joined),
                names(&step.change.left),
            ));
        }
    }
    let quality = |quality: &ListQuality| {
        format!("precision {:.3}, recall {:.3}, F {:.3}", quality.precision, quality.recall, quality.f)
    };
    say(&format!("these sites as a list of what is temporal: {}", quality(&found.quality)));
    if let Some((known, compared)) = &found.compared {
        say(&format!(
            "the list to compare, of which {} are known here: {}",
            counted(*known as u64, "site"),
            quality(compared)
        ));
    }
    let temporal = found.judged.pages.iter().filter(|page| page.is_temporal).count();
    let views: f64 = found.judged.groups.iter().map(|group| group.views).sum();
    let temporal_views: f64 = found.judged.groups.iter().map(|group| group.temporal_views).sum();
    let share = |part: f64, whole: f64| if whole > 0.0 { 100.0 * part / whole } else { 0.0 };
    say(&format!(
        "so: {} of {} ({:.1} %), with {:.1} % of the views, get over {:.0} % of their interest within {} days of birth \
         (bins of {}): {}",
        thousands(temporal as u64),
        counted(judged as u64, "page"),
        share(temporal as f64, judged as f64),
        share(temporal_views, views),
        100.0 * settings.rule.share,
        settings.rule.days,
        args.bin.in_words(),
        if temporal == 0 {
            "nothing here has to be fetched in a hurry"
        } else {
            "fetch what is new on the sites above first"
        },
    ));
}

/// Days as people say them.
fn span(days: f64) -> String {
    match days {
        d if d < 1.0 / 24.0 => format!("{:.0} min", d * 1_440.0),
        d if d < 2.0 => format!("{:.1} h", d * 24.0),
        d => format!("{d:.1} d"),
    }
}
