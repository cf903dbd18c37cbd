//! What was asked, what was measured, and was it met? Tables in Markdown.

use crate::child::Usage;

/// Which side of the bar is good.
#[derive(Clone, Copy)]
pub(super) enum Good {
    AtLeast,
    Below,
}

/// One bar.
pub(super) struct Bar {
    pub(super) what: &'static str,
    pub(super) good: Good,
    pub(super) bar: f64,
    pub(super) aim: Option<f64>,
    pub(super) unit: &'static str,
    pub(super) measured: f64,
}

impl Bar {
    pub(super) fn is_met(&self) -> bool {
        self.meets(self.bar)
    }

    fn meets(&self, limit: f64) -> bool {
        match self.good {
            Good::AtLeast => self.measured >= limit,
            Good::Below => self.measured < limit,
        }
    }

    fn verdict(&self) -> &'static str {
        match self.aim {
            Some(aim) if self.meets(aim) => "aim met",
            _ if self.is_met() => "met",
            _ => "MISSED",
        }
    }

    fn row(&self) -> String {
        let sign = match self.good {
            Good::AtLeast => "≥",
            Good::Below => "<",
        };
        let limit = |limit: f64| format!("{sign} {limit} {}", self.unit);
        let aim = self.aim.map_or_else(|| "–".to_owned(), limit);
        let (bar, measured, unit) = (limit(self.bar), self.measured, self.unit);
        format!("| {} | {bar} | {aim} | {measured:.2} {unit} | {} |", self.what, self.verdict())
    }
}

/// The table of all bars.
pub(super) fn bars(bars: &[Bar]) -> String {
    let mut table = "| work | bar | aim | measured | verdict |\n|---|---|---|---|---|\n".to_owned();
    for bar in bars {
        table.push_str(&bar.row());
        table.push('\n');
    }
    table
}

/// The head of a table of runs; rows by [`run`].
pub(super) const RUNS: &str =
    "| run | lines | CPU s | wall s | peak MiB | lines per CPU s |\n|---|--:|--:|--:|--:|--:|";

/// One measured run as a row.
pub(super) fn run(what: &str, lines: u64, usage: &Usage) -> String {
    let (cpu, wall) = (usage.cpu.as_secs_f64(), usage.wall.as_secs_f64());
    let mib = usage.peak_bytes as f64 / f64::from(1 << 20);
    format!("| {what} | {lines} | {cpu:.2} | {wall:.2} | {mib:.0} | {:.0} |", rate(lines, usage))
}

/// Lines per second of CPU time.
pub(super) fn rate(lines: u64, usage: &Usage) -> f64 {
    lines as f64 / usage.cpu.as_secs_f64().max(1e-6)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn verdict(good: Good, measured: f64) -> &'static str {
        Bar { what: "x", good, bar: 20.0, aim: Some(30.0), unit: "×", measured }.verdict()
    }

    #[test]
    fn verdicts() {
        assert_eq!(verdict(Good::AtLeast, 19.9), "MISSED");
        assert_eq!(verdict(Good::AtLeast, 20.0), "met");
        assert_eq!(verdict(Good::AtLeast, 31.0), "aim met");
        let memory = Bar { what: "m", good: Good::Below, bar: 1.3, aim: None, unit: "GiB", measured: 1.3 };
        assert!(!memory.is_met());
        assert_eq!(memory.row(), "| m | < 1.3 GiB | – | 1.30 GiB | MISSED |");
    }
}
