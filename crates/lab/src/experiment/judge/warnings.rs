//! What must the reader know before believing the numbers?

use super::Judge;
use crate::result::FEW_PAGES;

/// Shares of traffic that is not judged, or that hangs on the entry page, above which the reader is warned.
const MUCH: f64 = 0.2;

impl Judge<'_> {
    pub(super) fn warnings(&self) -> Vec<String> {
        let mut warnings = Vec::new();
        if u64::from(self.pages) < FEW_PAGES {
            warnings.push(format!(
                "only {} can be reached from the start; fewer than {FEW_PAGES} prove little",
                if self.pages == 1 { "1 page".to_owned() } else { format!("{} pages", self.pages) }
            ));
        }
        for measure in &self.measures {
            let hot = measure.standing.hot(measure.threshold);
            if hot > self.pages / 2 {
                warnings.push(format!(
                    "by {}, {hot} of {} pages are hot: more than half tell little",
                    measure.name, self.pages
                ));
            }
        }
        if let Some(traffic) = self.experiment.traffic {
            let all = traffic.total() + traffic.elsewhere + traffic.unreachable;
            for (part, what) in [
                (traffic.elsewhere, "is to URLs that are not in the mirror"),
                (traffic.unreachable, "is to pages that no link leads to from the start"),
            ] {
                if part > MUCH * all {
                    warnings.push(format!("{:.0} % of the test traffic {what}", 100.0 * part / all));
                }
            }
        }
        warnings.extend(self.leaning_on_entry());
        warnings.extend(self.few_unread());
        warnings
    }

    /// A mirror made of a log has a page that nobody read in training because somebody read it later: by how much, if that is much.
    fn few_unread(&self) -> Option<String> {
        let (mirror, traffic) = (self.experiment.mirror, self.experiment.traffic?);
        let entry = mirror.entry?;
        let unread: Vec<&f64> = (0..)
            .zip(self.trained.iter().zip(&traffic.all))
            .filter(|(page, (trained, _))| *page != entry && **trained == 0.0)
            .map(|(_, (_, seen))| seen)
            .collect();
        let share = unread.iter().filter(|seen| ***seen > 0.0).count() as f64 / unread.len().max(1) as f64;
        (share > MUCH).then(|| {
            format!(
                "{:.0} % of the pages that nobody had read are read in the test: a mirror made of a log has few pages that nobody reads, and \
                 orders that take unread pages soon gain by that",
                100.0 * share
            )
        })
    }

    /// How much of the traffic hangs on the artificial entry page alone, if that is much.
    fn leaning_on_entry(&self) -> Option<String> {
        let (mirror, traffic) = (self.experiment.mirror, self.experiment.traffic?);
        let entry = mirror.entry.filter(|entry| self.experiment.starts.contains(entry))?;
        let backward = mirror.graph.backward();
        let on_entry = (0..).zip(&traffic.all).filter(|(page, _)| backward.of(*page) == [entry]);
        let share = on_entry.map(|(_, visits)| visits).sum::<f64>() / traffic.total().max(1.0);
        (share > MUCH).then(|| {
            format!(
                "{:.0} % of the test traffic is to pages that only the artificial entry page links to: these results lean on it; links \
                 tell nothing about such pages, and all are discovered with the first request",
                100.0 * share
            )
        })
    }
}
