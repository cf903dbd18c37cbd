//! Does it speak of the topic? The topical experiments' own yes or no (WWW 1998, §5): a topic word in the title, or ten in the body.

use trodden_ordering::PageText;
use trodden_ordering::policy::similarity::HOT_WORDS;
use trodden_ordering::topic::Topic;

use super::QueryTexts;

/// By page: 1 or 0.
pub(super) fn of(pages: u32, texts: &QueryTexts<'_, '_>) -> Vec<f64> {
    let topic = Topic::parse(texts.query).unwrap_or_default();
    let speaks_of_it = |page| {
        let PageText { title, body } = (texts.text)(page);
        topic.is_in(title) || topic.count_in(body, HOT_WORDS) >= HOT_WORDS
    };
    (0..pages).map(|page| f64::from(u8::from(speaks_of_it(page)))).collect()
}
