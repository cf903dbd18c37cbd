//! What can the operator type to go on?
//!
//! Libraries say what is wrong in values: so much memory, another site, no topic. The flags that set these values are this
//! program's, so the line that names them is written here.

use trodden_lab::Error as LabError;
use trodden_lab::result::LeftOut;
use trodden_logs::input::FileKind;
use trodden_logs::views::{RowFault, WithoutViews};
use trodden_logs::{Error as LogsError, SpaceFor};
use trodden_ordering::policy::CannotRun;

/// What to type after an error; none where its message says all.
pub(crate) fn advice(error: &anyhow::Error) -> Option<String> {
    error
        .chain()
        .find_map(|cause| {
            if let Some(error) = cause.downcast_ref::<LogsError>() {
                return of_logs(error);
            }
            if let Some(error) = cause.downcast_ref::<LabError>() {
                return of_lab(error);
            }
            if let Some(why) = cause.downcast_ref::<CannotRun>() {
                return of_policy(why).map(|flags| format!("give {flags}"));
            }
            if let Some(error) = cause.downcast_ref::<trodden_fetch::crawl::Error>() {
                return of_crawl(error);
            }
            None
        })
        .or_else(|| of_space(error))
}

/// Policies that were left out for lack of something: says by which flag it is given.
pub(crate) fn name_flags(left_out: &mut [LeftOut]) {
    for left in left_out {
        if let Some(flags) = left.cause.as_ref().and_then(of_policy) {
            left.why = format!("{} ({flags})", left.why);
        }
    }
}

fn of_logs(error: &LogsError) -> Option<String> {
    Some(match error {
        LogsError::Scratch(_) => "name a folder with --scratch, or give more --memory".to_owned(),
        LogsError::NoSpace { what: SpaceFor::Visits, .. } => "name a directory on another disk with -o".to_owned(),
        LogsError::NoSpace { what: SpaceFor::Scratch, .. } => {
            "name a folder on another disk with --scratch (with TMPDIR where there is no such option)".to_owned()
        }
        LogsError::TooManyHosts { megabytes, .. } => format!("give --memory {megabytes}MB"),
        LogsError::TooLarge { megabytes, .. } | LogsError::TooManySites { megabytes, .. } => {
            format!("give --memory {megabytes}MB")
        }
        LogsError::TooManyBins { megabytes, .. } => format!("give --memory {megabytes}MB, or longer bins with --bin"),
        LogsError::TakenBefore { .. } => "--replace puts the new ones in their place".to_owned(),
        LogsError::NoLog { files, .. } => return of_no_log(files),
        LogsError::NoViews { why: WithoutViews::Fault(RowFault::NoSite), .. } => "name it with --site URL".to_owned(),
        LogsError::NoViews { why: WithoutViews::Fault(RowFault::OtherSite), .. } => {
            "name another --site, or leave it out".to_owned()
        }
        LogsError::OtherSite { named, site, origin, .. } => format!(
            "say --site {origin}, or add --force if {named} is right all the same (--alias {site}={named} if both are the same \
             site)"
        ),
        LogsError::AmbiguousSite { .. } => "name it with --site".to_owned(),
        _ => return None,
    })
}

fn of_no_log(files: &[(String, FileKind)]) -> Option<String> {
    let keys = files.iter().find_map(|(_, kind)| match kind {
        FileKind::JsonLines(keys) if !keys.guessed.is_empty() => Some(&keys.guessed),
        _ => None,
    });
    if let Some(guessed) = keys {
        let fields: Vec<String> = guessed.iter().map(|(field, path)| format!("--field {field}={path}")).collect();
        return Some(format!("as in {}", fields.join(" ")));
    }
    if let Some((name, _)) = files.iter().find(|(_, kind)| *kind == FileKind::Model) {
        return Some(format!("see it with: trodden patterns {name}"));
    }
    files
        .iter()
        .any(|(_, kind)| kind.is_of_no_known_format())
        .then(|| "as in --log-format combined or --log-format '$remote_addr …' (see --help)".to_owned())
}

fn of_lab(error: &LabError) -> Option<String> {
    match error {
        LabError::Visits(error) => of_logs(error),
        LabError::NoTrainingVisits => Some("set it with --train-share or --train-until".to_owned()),
        LabError::NothingRan { cause, .. } => of_policy(cause.as_ref()?).map(|flags| format!("give {flags}")),
        LabError::CannotMeasure { metric, .. } => Some(format!(
            "--importance {metric} takes them from --topic 'WORD…', and texts from WARC files or a folder of HTML"
        )),
        _ => None,
    }
}

fn of_policy(why: &CannotRun) -> Option<&'static str> {
    match why {
        CannotRun::NoTopic => Some("--topic 'WORD…'"),
        CannotRun::NoLog | CannotRun::NoTraffic => Some("--log LOG"),
        _ => None,
    }
}

fn of_crawl(error: &trodden_fetch::crawl::Error) -> Option<String> {
    use trodden_fetch::crawl::Error as CrawlError;

    let can_be_mended = match error {
        CrawlError::Damaged { .. } => true,
        CrawlError::Session(error) => matches!(error, trodden_session::Error::Lost { .. }),
        _ => false,
    };
    can_be_mended.then(|| "resume with --mend to fetch again what is missing".to_owned())
}

/// A full disk that no message named.
fn of_space(error: &anyhow::Error) -> Option<String> {
    let is_said = error.chain().any(|cause| cause.to_string().contains("no space is left"));
    let is_full = error.chain().any(trodden_logs::is_disk_full);
    (is_full && !is_said)
        .then(|| "no space is left on that disk: free some, or choose another (-o, --scratch or TMPDIR)".to_owned())
}
