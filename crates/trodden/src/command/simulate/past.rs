//! What was learnt from the part of the log before the cut, and what came after it?

use std::sync::Arc;

use anyhow::{Context, Result, bail};
use trodden_lab::experiment::{Hidden, Split, SplitAt, Training, TrainingSettings, split, train};
use trodden_lab::mirror::Mirror;
use trodden_logs::visits::StoredVisits;
use trodden_mining::{DedupWindow, Trace};

use crate::args::{Hide, LogArgs, SimulateArgs, TrafficSource};
use crate::config::Config;
use crate::output::{counted, say};
use crate::{intake, machine};

/// What was learnt from the part of the log before the cut, and what came after it.
pub(super) struct Past {
    pub(super) split: Split,
    pub(super) training: Training,
    dir: tempfile::TempDir,
}

impl Past {
    /// Splits a log at the cut and learns from what is before it.
    pub(super) fn learn(args: &SimulateArgs, config: &Config, log: &intake::Visits) -> Result<Self> {
        let cut = args.train_until.map_or(SplitAt::Share(args.train_share), |until| SplitAt::Until(until.0));
        let mut hidden = Hidden { seed: args.seed, ..Hidden::default() };
        for hide in &args.hide {
            match hide {
                Hide::Share(share) => hidden.share = *share,
                Hide::Section(section) => hidden.sections.push(section.clone()),
            }
        }
        let past = Self::of(args, config, &log.paths, cut, &hidden)?;
        let split = &past.split;
        say(&format!(
            "learning from {}, judging by {}{}",
            counted(split.training_visits, "visit"),
            counted(split.test.len() as u64, "visit"),
            match split.hidden_visits {
                0 => String::new(),
                n => format!("; {} of hidden URLs are left out", counted(n, "visit")),
            }
        ));
        Ok(past)
    }

    /// The same with training alone: its first half is learnt from, its second half is the future.
    pub(super) fn rehearse(&self, args: &SimulateArgs, config: &Config) -> Result<Self> {
        let paths = [self.dir.path().to_string_lossy().into_owned()];
        Self::of(args, config, &paths, SplitAt::Share(0.5), &Hidden::default()).context("--calibrate")
    }

    /// Who read what before the cut, by the pages of a mirror.
    pub(super) fn trace(&self, mirror: &Mirror) -> Result<Arc<Trace>> {
        let visits = StoredVisits::find(&[self.dir.path().to_string_lossy().into_owned()])?;
        let trace = trodden_logs::traces::trace(&visits, |visit| mirror.page_of_visit(visit.url))?;
        Ok(Arc::new(trace))
    }

    fn of(args: &SimulateArgs, config: &Config, paths: &[String], cut: SplitAt, hidden: &Hidden) -> Result<Self> {
        let scratch = args.resources.scratch.clone().unwrap_or_else(std::env::temp_dir);
        let dir = tempfile::Builder::new().prefix("trodden-training-").tempdir_in(&scratch);
        let dir = dir.with_context(|| format!("cannot make a scratch folder in {}", scratch.display()))?;
        let visits = StoredVisits::find(paths)?;
        let split = split(&visits, cut, hidden, dir.path())?;
        let settings = TrainingSettings {
            mining: config.mining.clone(),
            min_users: match args.min_users {
                Some(n) => n,
                None => u32::try_from(config.privacy.min_users).context("privacy.min_users is too large")?,
            },
            window_days: DedupWindow::DEFAULT_DAYS,
            last_days: args.window,
            memory: args.resources.memory.map_or_else(machine::half_of_memory, |m| m.0),
            threads: args.resources.threads.unwrap_or_else(machine::cores),
            scratch,
        };
        let training = train(&dir.path().to_string_lossy(), &settings)?;
        Ok(Self { split, training, dir })
    }
}

/// The visits that policies learn from and are judged by.
pub(super) fn log_of(args: &SimulateArgs, config: &Config) -> Result<Option<intake::Visits>> {
    if args.logs.is_empty() {
        for (given, flag) in [
            (!args.hide.is_empty(), "--hide-urls"),
            (args.train_until.is_some(), "--train-until"),
            (args.calibrate, "--calibrate"),
            (args.traffic != TrafficSource::Unique, "--traffic"),
        ] {
            if given {
                bail!("{flag} needs a log to learn from; say it with --log LOG");
            }
        }
        return Ok(None);
    }
    let logs = LogArgs { logs: args.logs.clone(), reading: args.reading.clone() };
    intake::visits(&logs, &args.resources, config).map(Some)
}
