//! Which pages are important? One measure a file (WWW 1998, §2).
//!
//! | name | measure |
//! |---|---|
//! | `similarity` | IS: likeness of the page's text to a query |
//! | `backlinks` | IB: how many pages link to it |
//! | `pagerank` | IR: where somebody ends up who follows links at random |
//! | `forward-links` | IF: how many pages it links to |
//! | `location` | IL: what its URL looks like |
//! | `topical` | IS where it is a yes or no: a topic word in the title, or ten times in the body |
//! | `combined:backlinks=1,location=0.5` | IC: a weighted sum of those |
//!
//! Higher is more important; only `combined` compares the values of different measures, and scales them first.

mod backlinks;
mod combined;
mod forward_links;
mod location;
mod metric;
mod pagerank;
mod similarity;
mod topical;

use thiserror::Error;

pub use combined::{Weighted, WeightedMetric};
pub use metric::{Metric, MetricFault, Plain};
pub use pagerank::of as pagerank_of;
pub use similarity::QueryTexts;

use crate::graph::{LinkGraph, PageId};

/// What importance can be measured from.
#[derive(Clone, Copy)]
pub struct Importance<'a, 't> {
    /// The links.
    pub graph: &'a LinkGraph,
    /// The URL of a page.
    pub urls: &'a dyn Fn(PageId) -> &'t str,
    /// Query and texts, if there are any.
    pub texts: Option<QueryTexts<'a, 't>>,
}

/// A measure that cannot be taken here.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum CannotMeasure {
    /// Similarity without texts or a query.
    #[error("it needs query words and a mirror with the text of pages")]
    NoTexts,
}

impl Importance<'_, '_> {
    /// The importance of every page.
    ///
    /// # Errors
    /// If what a page says is asked for and there are no texts.
    pub fn of(&self, metric: &Metric) -> Result<Vec<f64>, CannotMeasure> {
        match metric {
            Metric::Plain(plain) => self.of_plain(*plain),
            Metric::Combined(weighted) => combined::of(self, weighted),
        }
    }

    fn of_plain(&self, metric: Plain) -> Result<Vec<f64>, CannotMeasure> {
        Ok(match metric {
            Plain::Similarity => similarity::of(self.graph.pages(), self.texts.as_ref().ok_or(CannotMeasure::NoTexts)?),
            Plain::Backlinks => backlinks::of(self.graph),
            Plain::PageRank => pagerank::of(self.graph),
            Plain::ForwardLinks => forward_links::of(self.graph),
            Plain::Topical => {
                topical::of(self.graph.pages(), self.texts.as_ref().ok_or(CannotMeasure::NoTexts)?, self.urls)
            }
            Plain::Location => location::of(self.graph.pages(), self.urls),
        })
    }
}

#[cfg(test)]
mod tests {
    use trodden_ordering::{PageLabels, PageText, Predicate};

    use super::*;
    use crate::graph::LinkGraphBuilder;

    const URLS: [&str; 4] = ["http://a.org/", "http://a.org/home", "http://a.com/x/y", "http://a.org/x/y/z"];

    fn measured(metric: &str, texts: Option<QueryTexts<'_, 'static>>) -> Result<Vec<f64>, CannotMeasure> {
        let mut links = LinkGraphBuilder::default();
        [(0, 1), (0, 2), (1, 2), (2, 0), (3, 2)].into_iter().for_each(|(from, to)| links.link(from, to));
        let (graph, _) = links.finish().unwrap();
        Importance { graph: &graph, urls: &|page| URLS[page as usize], texts }.of(&metric.parse().unwrap())
    }

    #[test]
    fn www98_each_measure_by_hand() {
        assert_eq!(measured("backlinks", None).unwrap(), [1.0, 1.0, 3.0, 0.0]);
        assert_eq!(measured("forward-links", None).unwrap(), [2.0, 1.0, 1.0, 1.0]);
        assert_eq!(measured("location", None).unwrap(), [1.0, 1.5, 0.75, 1.0 / 3.0]);
    }

    #[test]
    fn www98_pagerank_satisfies_its_own_equation() {
        let scores = measured("pagerank", None).unwrap();
        let [a, b, c, d] = scores[..] else { panic!("four pages") };
        for (score, expected) in [(a, 0.1 + 0.9 * c), (b, 0.1 + 0.45 * a), (c, 0.1 + 0.9 * (a / 2.0 + b + d)), (d, 0.1)]
        {
            assert!((score - expected).abs() < 1e-9, "{scores:?}");
        }
    }

    #[test]
    fn www98_a_combination_adds_up_scaled_measures() {
        let combined = measured("combined:backlinks=1,location=0.5", None).unwrap();
        let by_hand = [1.0 / 3.0 + 0.5 / 1.5, 1.0 / 3.0 + 0.5, 1.0 + 0.25, 0.5 / 4.5];
        assert!(combined.iter().zip(by_hand).all(|(a, b)| (a - b).abs() < 1e-12), "{combined:?}");
    }

    #[test]
    fn www98_a_page_is_on_topic_by_its_title_or_by_ten_words() {
        let often = ["fish "; 10].concat();
        let seldom = ["fish "; 9].concat();
        let pages: [(&'static str, &str); 4] = [("A fish", ""), ("A hat", &often), ("A hat", &seldom), ("", "")];
        let pages: Vec<(&'static str, &'static str)> =
            pages.map(|(title, body)| (title, &*body.to_owned().leak())).to_vec();
        let text = |page: PageId| PageText { title: pages[page as usize].0, body: pages[page as usize].1 };
        let fish = Predicate::parse("fish").unwrap();
        assert_eq!(
            measured("topical", Some(QueryTexts { topic: &fish, labels: &PageLabels::default(), text: &text }))
                .unwrap(),
            [1.0, 1.0, 0.0, 0.0]
        );
        assert_eq!(measured("topical", None), Err(CannotMeasure::NoTexts));
    }

    #[test]
    fn similarity_needs_texts() {
        assert_eq!(measured("similarity", None), Err(CannotMeasure::NoTexts));
        assert_eq!(measured("combined:location=1,similarity=1", None), Err(CannotMeasure::NoTexts));
        let pages = ["fish", "red fish", "hat", ""];
        let (topic, labels) = (Predicate::parse("fish").unwrap(), PageLabels::default());
        let text = |page: PageId| PageText { title: pages[page as usize], body: "" };
        let texts = QueryTexts { topic: &topic, labels: &labels, text: &text };
        let scores = measured("similarity", Some(texts)).unwrap();
        // idf: fish ln 2, red ln 4 = 2 ln 2.
        assert_eq!((scores[0], scores[2], scores[3]), (1.0, 0.0, 0.0));
        assert!((scores[1] - 1.0 / 5.0_f64.sqrt()).abs() < 1e-12);
    }
}
