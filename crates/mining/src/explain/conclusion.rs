//! So what? One sentence.

use super::Explanation;
use crate::model::Order;
use crate::rank::Goal;

/// One sentence: so what?
pub(super) fn conclusion(explanation: &Explanation, goal: Goal, order: Order) -> String {
    let what = match goal {
        Goal::Fetch => "fetch it",
        Goal::Discovery => "look there for new links",
    };
    let better = match (order, goal) {
        (Order::Expected, Goal::Fetch) => "can expect more visits".to_owned(),
        (Order::Expected, Goal::Discovery) => "can expect to lead further".to_owned(),
        (Order::UrlVisit, _) => "have more visits".to_owned(),
        (Order::Pattern(_), _) => format!("are in patterns before its own by {}", order.name()),
    };
    if explanation.score <= 0.0 && explanation.urls_before > 0 {
        return format!("so: {what} last, for the log says nothing in favor of URLs like it");
    }
    if explanation.urls_before == 0 {
        return format!("so: {what} first: no URLs of the site {better}");
    }
    let when = match (explanation.urls_before * 100) / explanation.site_urls.max(1) {
        0..10 => "early",
        10..50 => "in the first half",
        50..90 => "in the second half",
        _ => "late",
    };
    let share = 100.0 * explanation.urls_before as f64 / explanation.site_urls.max(1) as f64;
    let share = if share < 0.05 { "<0.1".to_owned() } else { format!("{share:.1}") };
    format!("so: {what} {when}: {share} % of the site's URLs {better}")
}
