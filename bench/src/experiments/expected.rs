//! And better than the papers? Expected visits, and links where they tell more.

use anyhow::Result;

use super::chapter::Chapter;
use super::laboratory::Laboratory;
use super::number::{NONE, area, listed, percent, spoken, thousands};
use super::outcome::{Outcome, Policy};
use super::picture::{Panel, Span, picture};

const HIDDEN_SEEDS: std::ops::RangeInclusive<u64> = 1..=5;
const DEMO_SEEDS: std::ops::RangeInclusive<u64> = 1..=10;
/// Sections of the encyclopedia that are hidden together.
const SECTIONS: &str = "--hide-urls /wp/a --hide-urls /wp/s";
/// How much of the past is learnt from.
const WINDOWS: [(&str, &str); 5] = [
    ("one day", "--window 1d"),
    ("a week", "--window 7d"),
    ("a month", "--window 30d"),
    ("half a year", "--window 180d"),
    ("all of it", ""),
];
const BLEND: &str = "blend";

/// The runs of this chapter beside those of others.
struct Runs {
    whole: Outcome,
    discovery: Outcome,
    exact: Outcome,
    /// By name: URLs hidden by chance, sections, logs, made-up sites.
    others: Vec<(String, Outcome)>,
    windows: Vec<(&'static str, Outcome)>,
}

pub(super) fn chapter(laboratory: &Laboratory) -> Result<Chapter> {
    let runs = run(laboratory)?;
    let mut chapter = Chapter::new("Better than the papers: expected visits");
    chapter.paragraph(
        "`expected` orders by the visits that a URL can expect: its own, shrunk to its pattern's, or its part of what \
         goes to new URLs. `blend` adds what the crawl finds of links. How both work is in [mining.md](mining.md) and in \
         the documentation of `trodden_ordering::policy::blend`. Everything is learnt from the first half of a log and judged \
         by the second; **ahead** here is how much larger the area of `blend` is than that of the best other order that a \
         crawler can run (95 % interval over users).",
    );
    all_data(&mut chapter, &runs)?;
    ingredients(&mut chapter, &runs)?;
    discovery(&mut chapter, &runs)?;
    levels(&mut chapter, &runs)?;
    cold_start(&mut chapter, &runs)?;
    losses(&mut chapter, &runs)?;
    Ok(chapter)
}

fn run(laboratory: &Laboratory) -> Result<Runs> {
    let wikispeedia = |name: &str, options: &str| {
        let (links, visits) =
            (laboratory.data("wikispeedia/links.tsv.gz"), laboratory.data("wikispeedia/visits.tsv.gz"));
        laboratory.simulate(name, &links, Some(&visits), options)
    };
    let mut others = Vec::new();
    for seed in HIDDEN_SEEDS {
        let outcome = wikispeedia(&format!("blend-hidden-{seed}"), &format!("--hide-urls 0.3 --ablate --seed {seed}"))?;
        others.push((format!("encyclopedia, 30 % of URLs hidden, seed {seed}"), outcome));
    }
    others.push(("encyclopedia, sections a and s hidden".to_owned(), wikispeedia("blend-sections", SECTIONS)?));
    for (log, outcome) in super::own_logs::all_traffic(laboratory)? {
        others.push((log, outcome));
    }
    for seed in DEMO_SEEDS {
        others.push((format!("made-up site, seed {seed}"), laboratory.demo(&format!("demo-{seed}"), seed)?));
    }
    let window = |(name, options): (&'static str, &str)| -> Result<(&'static str, Outcome)> {
        let file = format!("blend-window-{}", name.replace(' ', "-"));
        let outcome =
            wikispeedia(&file, &format!("{options} --policy blend --policy blend-without:log --policy backlink"))?;
        Ok((name, outcome))
    };
    Ok(Runs {
        whole: wikispeedia("blend-whole", "--ablate")?,
        discovery: wikispeedia("blend-discovery", "--goal discovery --policy blend --policy breadth-first")?,
        exact: wikispeedia("blend-exact", "--exact --policy blend --policy breadth-first")?,
        others,
        windows: WINDOWS.into_iter().map(window).collect::<Result<_>>()?,
    })
}

/// Whether a policy is one that `blend` is compared with.
fn is_rival(policy: &Policy) -> bool {
    !policy.oracle && !policy.name.starts_with(BLEND)
}

/// The best other order, by an area.
fn rival(of: &Outcome, area: fn(&Policy) -> Option<f64>) -> Option<&Policy> {
    let rivals = of.policies.iter().filter(|policy| is_rival(policy) && area(policy).is_some());
    rivals.reduce(|best, next| if area(next) > area(best) { next } else { best })
}

fn signed(ends: Option<[f64; 2]>) -> String {
    ends.map_or_else(|| NONE.to_owned(), |[low, high]| format!("{low:+.4} to {high:+.4}").replace('-', "−"))
}

/// Every data set.
fn all_sets(runs: &Runs) -> Vec<(&str, &Outcome)> {
    let others = runs.others.iter().map(|(name, outcome)| (name.as_str(), outcome));
    std::iter::once(("encyclopedia", &runs.whole)).chain(others).collect()
}

fn all_data(chapter: &mut Chapter, runs: &Runs) -> Result<()> {
    chapter.heading("All data, beside the best other order");
    let mut all = Vec::new();
    let mut cold = Vec::new();
    for (name, of) in all_sets(runs) {
        let blend = of.policy(BLEND)?;
        if let Some(best) = rival(of, |p| p.auc) {
            let above = |policy: &Policy| policy.auc.map(|auc| 1.0 - auc);
            let ratio = above(blend).zip(above(best)).map_or_else(|| NONE.to_owned(), |(a, b)| format!("{:.2}", a / b));
            all.push(vec![
                name.to_owned(),
                thousands(of.pages),
                percent(blend.pages_for.four_fifths),
                area(blend.auc),
                format!("`{}` {}", best.name, area(best.auc)),
                signed(best.blend_ahead),
                ratio,
            ]);
        }
        if let Some(best) = rival(of, |p| p.cold_auc) {
            cold.push(vec![
                name.to_owned(),
                area(blend.cold_auc),
                format!("`{}` {}", best.name, area(best.cold_auc)),
                signed(best.cold_blend_ahead),
            ]);
        }
    }
    chapter
        .paragraph("All traffic. *Above*: the area above the curve of `blend` over that of the other; less is better.");
    chapter.table(&["data", "pages", "80 %", "blend", "best other", "ahead", "above"], &all);
    chapter.paragraph("Cold traffic: to URLs without a visit in training.");
    chapter.table(&["data", "blend", "best other", "ahead"], &cold);
    let ideal = runs.whole.policy("ideal")?;
    let best_of = runs.others.iter().filter(|(name, _)| name.starts_with("made-up"));
    let wins = best_of.clone().filter(|(_, of)| cold_win(of)).count();
    chapter.gist = format!(
        "On the encyclopedia {}; the ideal needs {}. On cold traffic it is ahead of every other order beyond chance on {wins} of {} made-up sites.",
        beside(&runs.whole)?,
        spoken(ideal.pages_for.four_fifths),
        best_of.count()
    );
    Ok(())
}

/// `blend` beside the best other order, in words.
pub(super) fn beside(of: &Outcome) -> Result<String> {
    let blend = of.policy(BLEND)?;
    let ours = format!("`blend` needs {} of the pages for 80 % of the traffic", spoken(blend.pages_for.four_fifths));
    let Some(best) = rival(of, |p| p.auc) else { return Ok(ours) };
    let word = match best.blend_ahead {
        Some([low, _]) if low > 0.0 => "behind it",
        Some([_, high]) if high < 0.0 => "ahead of it",
        _ => "level with it",
    };
    let theirs = spoken(best.pages_for.four_fifths);
    Ok(format!("{ours}; `{}`, the best other order, needs {theirs} and is {word} by area", best.name))
}

/// Whether `blend` is ahead of every other order on cold traffic beyond chance.
fn cold_win(of: &Outcome) -> bool {
    let mut rivals = of.policies.iter().filter(|policy| is_rival(policy));
    rivals.all(|policy| policy.cold_blend_ahead.is_some_and(|ends| ends[0] > 0.0))
}

fn ingredients(chapter: &mut Chapter, runs: &Runs) -> Result<()> {
    chapter.heading("What each ingredient adds");
    chapter.paragraph(
        "`blend` without one of its ingredients, on the encyclopedia as it is and with 30 % of its URLs hidden (seed 1): area that it \
         loses without it, 95 % interval over users. Below zero, it does better without.",
    );
    chapter.command("trodden simulate links.tsv.gz --log visits.tsv.gz --ablate");
    let hidden = &runs.others[0].1;
    let mut rows = Vec::new();
    for policy in runs.whole.policies.iter().filter(|policy| policy.name.starts_with("blend-without:")) {
        let other = hidden.policy(&policy.name)?;
        rows.push(vec![
            policy.name.replace("blend-without:", ""),
            signed(policy.blend_ahead),
            signed(policy.cold_blend_ahead),
            signed(other.blend_ahead),
            signed(other.cold_blend_ahead),
        ]);
    }
    chapter.table(&["without", "all", "cold", "all, hidden", "cold, hidden"], &rows);
    let blend = runs.whole.policy(BLEND)?;
    chapter.paragraph(&format!(
        "Exploring took {} of {} fetches.",
        thousands(blend.explored),
        thousands(blend.fetched)
    ));
    Ok(())
}

fn discovery(chapter: &mut Chapter, runs: &Runs) -> Result<()> {
    chapter.heading("Discovery");
    let needs = |name: &str| -> Result<String> { Ok(spoken(runs.discovery.policy(name)?.discovered_for.four_fifths)) };
    chapter.paragraph(&format!(
        "With `--goal discovery`, by what a page leads to: on the encyclopedia, 80 % of the traffic is found after {} of \
         the pages; breadth-first needs {}.",
        needs(BLEND)?,
        needs("breadth-first")?
    ));
    Ok(())
}

fn levels(chapter: &mut Chapter, runs: &Runs) -> Result<()> {
    chapter.heading("Levels instead of exact values");
    let [levels, exact] = [runs.whole.policy(BLEND)?.auc, runs.exact.policy(BLEND)?.auc];
    let loss = levels.zip(exact).map_or(0.0, |(levels, exact)| (1.0 - levels / exact) * 100.0);
    let loss = if loss < 0.005 { "no loss".to_owned() } else { format!("a loss of {loss:.2} %") };
    chapter.paragraph(&format!(
        "A crawl on disk cannot sort URLs one by one: values go by levels of an eighth of an octave. With levels eight times as \
         fine the area is {}, with the usual ones {}: {loss}.",
        area(exact),
        area(levels)
    ));
    Ok(())
}

fn cold_start(chapter: &mut Chapter, runs: &Runs) -> Result<()> {
    chapter.heading("From no log to all of it");
    chapter.paragraph(
        "The same test, after learning from the last day of the training half, its last week, and so on. Without a log \
         `blend` is an order by links; it gets better with every visit it learns from.",
    );
    let whole = &runs.windows.last().unwrap_or(&runs.windows[0]).1;
    let none = whole.policy("blend-without:log")?;
    let mut rows = vec![vec!["no log".to_owned(), percent(none.pages_for.four_fifths), area(none.auc)]];
    let mut curves = vec![("no log", &none.curve)];
    for (name, of) in &runs.windows {
        let blend = of.policy(BLEND)?;
        rows.push(vec![(*name).to_owned(), percent(blend.pages_for.four_fifths), area(blend.auc)]);
        curves.push((name, &blend.curve));
    }
    chapter.table(&["learnt from", "80 %", "area"], &rows);
    let panel = Panel {
        title: "blend, by how much it learnt from".to_owned(),
        y_title: "of the visits after training",
        span: Span::Rise,
        curves,
    };
    let says = "Traffic fetched by blend after learning from no log, a day, a week, a month, half a year and all";
    chapter.picture("cold-start", says, picture("cold-start", &[whole.pages], &[panel]));
    Ok(())
}

fn losses(chapter: &mut Chapter, runs: &Runs) -> Result<()> {
    chapter.heading("Where it loses");
    let mut lost = false;
    for (name, of) in all_sets(runs) {
        let behind = |ends: fn(&Policy) -> Option<[f64; 2]>| -> Vec<String> {
            let rivals = of.policies.iter().filter(|policy| is_rival(policy));
            let losses = rivals.filter(|policy| ends(policy).is_some_and(|ends| ends[1] < 0.0));
            losses.map(|policy| format!("`{}`", policy.name)).collect()
        };
        let (all, cold) = (behind(|p| p.blend_ahead), behind(|p| p.cold_blend_ahead));
        for (names, what) in [(all, "all"), (cold, "cold")] {
            if names.is_empty() {
                continue;
            }
            lost = true;
            let names: Vec<&str> = names.iter().map(String::as_str).collect();
            let cold = spoken(Some(of.cold_traffic / of.traffic.max(1.0)));
            chapter.paragraph(&format!(
                "*{name}, {what} traffic*: behind {} beyond chance (cold: {cold} of the traffic).",
                listed(&names)
            ));
        }
    }
    if !lost {
        chapter.paragraph("Nowhere in these runs, beyond chance.");
    }
    Ok(())
}
