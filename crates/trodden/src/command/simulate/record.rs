//! What was run, so that it can be run again?

use std::collections::BTreeMap;

use anyhow::Result;
use trodden_lab::inputs::hash_of_inputs;
use trodden_lab::mirror::Mirror;
use trodden_lab::result::Record;
use trodden_mining::Goal;

use super::past::Past;
use super::time::has_clock;
use crate::args::{Hide, HistorySource, SimulateArgs, TrafficSource, file_name};

/// Files, settings and the seed.
pub(super) fn record(args: &SimulateArgs, mirror: &Mirror, starts: &[u32], past: Option<&Past>) -> Result<Record> {
    let mut inputs: Vec<String> = match mirror.entry {
        // Visits and logs are named as they were typed, so that those that are learnt from, too, are one input.
        Some(_) => args.mirror.clone(),
        None => mirror.files.iter().map(|file| file.to_string_lossy().into_owned()).collect(),
    };
    inputs.extend(args.logs.iter().cloned());
    if let TrafficSource::File(path) = &args.traffic {
        inputs.push(path.to_string_lossy().into_owned());
    }
    if let Some(HistorySource::File(path)) = &args.history {
        inputs.push(path.to_string_lossy().into_owned());
    }
    inputs.sort();
    inputs.dedup();
    let mut settings = BTreeMap::new();
    let mut set = |name: &str, value: String| settings.insert(name.to_owned(), value);
    set("goal", Goal::from(args.goal).name().to_owned());
    set("rerank", args.rerank.to_string());
    set("hot", args.hot.to_string());
    set("buffer", args.buffer.to_string());
    set("order", if args.exact { "exact" } else { "levels" }.to_owned());
    if let Some(history) = &args.history {
        set("history", history.to_string());
    }
    if has_clock(args) {
        set("request time", format!("{} ms", args.request_time.0));
        set("delay", format!("{} ms", args.delay.0));
        set("at once", args.at_once.to_string());
    }
    set("starts", starts.iter().map(|page| mirror.urls.name(*page)).collect::<Vec<_>>().join(" "));
    if let Some(pages) = args.pages {
        set("pages", pages.to_string());
    }
    if let Some(topic) = &args.topic {
        set("topic", topic.clone());
    }
    if let Some(labels) = &args.labels {
        set("labels", file_name(labels));
    }
    if let Some(past) = past {
        set("training visits", past.split.training_visits.to_string());
        set(
            "training ends",
            match past.split.cut_ms {
                i64::MAX => "with the log".to_owned(),
                time => trodden_logs::visits::time_text(time),
            },
        );
        set("hidden", args.hide.iter().map(Hide::to_string).collect::<Vec<_>>().join(" "));
        set("traffic", args.traffic.to_string());
    }
    let hashes = hash_of_inputs(&inputs)?;
    Ok(Record { version: env!("CARGO_PKG_VERSION").to_owned(), seed: args.seed, inputs: hashes, settings })
}
