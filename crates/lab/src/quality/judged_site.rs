//! What came of judging a site: a table beside the numbers that were published, or JSON.

use std::fmt::Write as _;

use serde::Serialize;
use trodden_mining::SiteModel;
use trodden_mining::model::LearntFrom;
use trodden_mining::quality::periods::moment;
use trodden_mining::quality::{LayoutQuality, PatternCoverage, PerTree, SiteQuality, TreeQuality};
use trodden_report::number::{share_of as percent, thousands};

use super::census::{Census, CountedSite, JudgedBy, Period};
use super::pages::ShelfTally;
use super::summary::QualitySummary;
use super::verdict::ModelJudgment;

/// CIKM 2011, tables 3 and 4: means over nine sites.
#[derive(Debug, Serialize)]
struct Published {
    leaves: PerTree<f64>,
    url_coverage: PerTree<f64>,
    divergence: PerTree<f64>,
    layout: PerTree<f64>,
    random_layout: f64,
}

const PUBLISHED: Published = Published {
    leaves: PerTree { syn: 283.7, visit: 60.9, tran: 51.1 },
    url_coverage: PerTree { syn: 0.912, visit: 0.991, tran: 0.999 },
    divergence: PerTree { syn: 0.165, visit: 0.166, tran: 0.166 },
    layout: PerTree { syn: 0.915, visit: 0.889, tran: 0.881 },
    random_layout: 0.322,
};

/// All that was judged, for programs.
#[derive(Debug, Serialize)]
pub struct QualityReport {
    /// By site.
    pub sites: Vec<JudgedSite>,
    /// All of them together, where there are several.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub summary: Option<QualitySummary>,
    sites_without_model: u64,
    visits_without_model: u64,
    pages: ShelfTally,
    published: Published,
}

impl QualityReport {
    /// Nothing judged yet.
    pub fn new(census: &Census<'_>, pages: ShelfTally) -> Self {
        Self {
            sites: Vec::new(),
            summary: None,
            sites_without_model: census.without_model.len() as u64,
            visits_without_model: census.without_model.values().sum(),
            pages,
            published: PUBLISHED,
        }
    }
}

/// A site and how good its patterns are.
#[derive(Debug, Serialize)]
pub struct JudgedSite {
    site: String,
    learnt: LearntFrom,
    judged_by: JudgedBy,
    judged: Period,
    left_out_as_training: u64,
    #[serde(skip_serializing_if = "is_zero")]
    left_out_as_excluded: u64,
    #[serde(flatten)]
    quality: SiteQuality,
    layout: Option<LayoutQuality>,
    /// What the trees cover of the URLs of a mirror.
    #[serde(skip_serializing_if = "Option::is_none")]
    mirror: Option<PerTree<PatternCoverage>>,
    #[serde(flatten)]
    judgment: ModelJudgment,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "as serde calls it")]
fn is_zero(n: &u64) -> bool {
    *n == 0
}

impl JudgedSite {
    pub(super) fn new(
        model: &SiteModel,
        counted: &CountedSite,
        quality: SiteQuality,
        layout: Option<LayoutQuality>,
        mirror: Option<PerTree<PatternCoverage>>,
    ) -> Self {
        Self {
            judgment: ModelJudgment::of(model, counted.judged_by(), &quality),
            left_out_as_excluded: counted.excluded,
            site: model.site.clone(),
            learnt: model.learnt.clone(),
            judged_by: counted.judged_by(),
            judged: counted.judged(),
            left_out_as_training: counted.left_out(),
            quality,
            layout,
            mirror,
        }
    }

    /// The measures.
    pub(super) fn quality(&self) -> &SiteQuality {
        &self.quality
    }

    /// What the trees cover of the URLs of a mirror; none without one.
    pub(super) fn mirror(&self) -> Option<&PerTree<PatternCoverage>> {
        self.mirror.as_ref()
    }

    /// The site, and what it comes to.
    pub fn judgment(&self) -> (String, ModelJudgment) {
        (self.site.clone(), self.judgment.clone())
    }

    /// For people.
    pub fn table(&self) -> String {
        let mut out = self.heading();
        self.measures(&mut out);
        self.reliability(&mut out);
        // Columns are padded; lines are not.
        out.lines().map(|line| line.trim_end().to_owned() + "\n").chain(["\n".to_owned()]).collect()
    }

    fn heading(&self) -> String {
        let Self { site, learnt, judged, quality, .. } = self;
        let between = |first_ms, last_ms| format!("{} to {}", moment(first_ms), moment(last_ms));
        let mut out = format!("{site}\n");
        let _ = writeln!(out, "learnt from  {}, {}", visits(learnt.visits), between(learnt.first_ms, learnt.last_ms));
        let _ = writeln!(
            out,
            "judged by    {} to {} URLs, {}",
            visits(quality.visits),
            thousands(quality.urls),
            between(judged.first_ms, judged.last_ms)
        );
        let _ = match self.judged_by {
            JudgedBy::Later if self.left_out_as_training == 0 => Ok(()),
            JudgedBy::Later => {
                writeln!(out, "left out     {} of the time of training", visits(self.left_out_as_training))
            }
            JudgedBy::Training => {
                writeln!(out, "             none is later: this is the training log itself, and says little")
            }
        };
        if self.left_out_as_excluded > 0 {
            let _ = writeln!(out, "left out     {} to URLs that the model excludes", visits(self.left_out_as_excluded));
        }
        out
    }

    fn measures(&self, out: &mut String) {
        let trees = &self.quality.trees;
        let of_tree = |f: fn(&TreeQuality) -> String| trees.each().map(f);
        let published = |of: &PerTree<f64>, f: fn(f64) -> String| of.each().map(|x| f(*x));
        let none = || [(); 3].map(|()| NONE.to_owned());
        let _ = writeln!(out, "\n{:<53}CIKM 2011, mean of nine sites", "");
        let mut row = |name: &str, own: [String; 3], theirs: [String; 3]| {
            let [a, b, c] = own;
            let [d, e, f] = theirs;
            let _ = writeln!(out, "{name:<22}{a:>9}{b:>9}{c:>9}    {d:>9}{e:>9}{f:>9}");
        };
        let heads = ["T_SYN", "T_VISIT", "T_TRAN"].map(str::to_owned);
        row("", heads.clone(), heads);
        row("leaves", of_tree(|t| t.size.leaves.to_string()), published(&PUBLISHED.leaves, |x| format!("{x:.1}")));
        row("height", of_tree(|t| t.size.height.to_string()), none());
        let covered = || published(&PUBLISHED.url_coverage, |x| format!("{:.1} %", x * 100.0));
        // The paper covers the URLs of a mirror; without one, those of later visits are next to it.
        let beside = if self.mirror.is_some() { none() } else { covered() };
        row("URL coverage", of_tree(|t| percent(t.coverage.located_urls, t.coverage.urls)), beside);
        if let Some(mirror) = &self.mirror {
            row("mirror coverage", mirror.each().map(|of| percent(of.located_urls, of.urls)), covered());
        }
        row("traffic coverage", of_tree(|t| percent(t.coverage.located_visits, t.coverage.visits)), none());
        row(
            "divergence, bits",
            of_tree(|t| decimal(t.divergence)),
            published(&PUBLISHED.divergence, |x| decimal(Some(x))),
        );
        if let Some(layout) = &self.layout {
            let own = layout.trees.each().map(|tree| decimal(tree.map(|tree| tree.likeness)));
            row("layout in patterns", own, published(&PUBLISHED.layout, |x| decimal(Some(x))));
            let alone = |x: Option<f64>| [decimal(x), String::new(), String::new()];
            row("layout of any pages", alone(layout.random), alone(Some(PUBLISHED.random_layout)));
        }
    }

    fn reliability(&self, out: &mut String) {
        let noun = self.quality.period;
        let width = self.quality.reliability.first().map_or(0, |row| row.period.len()).max(noun.len());
        let _ = writeln!(out, "\n{:<width$}{:>9}{:<30}{:>9}{:<30}", "", "", "  URL coverage", "", "  traffic coverage");
        let heads = format!("{:>9}{:>9}{:>9}", "T_SYN", "T_VISIT", "T_TRAN");
        let _ = writeln!(out, "{noun:<width$}{:>9}{heads}{:>12}{heads}", "URLs", "visits");
        for row in &self.quality.reliability {
            let of = |f: fn(&PatternCoverage) -> String| {
                row.coverage.each().map(f).map(|cell| format!("{cell:>9}")).concat()
            };
            let urls = of(|c| percent(c.located_urls, c.urls));
            let visits = of(|c| percent(c.located_visits, c.visits));
            let all = row.coverage.tran;
            let (n_urls, n_visits) = (thousands(all.urls), thousands(all.visits));
            let _ = writeln!(out, "{:<width$}{n_urls:>9}{urls}{n_visits:>12}{visits}", row.period);
        }
    }
}

/// What nobody measured.
const NONE: &str = "-";

fn visits(n: u64) -> String {
    if n == 1 { "1 visit".to_owned() } else { format!("{} visits", thousands(n)) }
}

fn decimal(x: Option<f64>) -> String {
    x.map_or_else(|| NONE.to_owned(), |x| format!("{x:.3}"))
}
