//! What is asked for, and where? All that can be wrong with it is told before anything is written.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use super::request::Request;
use super::seeds;
use crate::args::CrawlArgs;
use crate::config::Config;
use crate::output::say;
use crate::{intake, model_file};

/// What others may do with files is masked out.
const OTHERS: u32 = 0o077;
/// A folder that is for its owner only.
const PRIVATE_FOLDER: u32 = 0o700;

/// A crawl to be begun or gone on with.
pub(super) struct Plan {
    pub(super) folder: PathBuf,
    pub(super) request: Request,
    pub(super) config: Config,
    /// Whether it is to be begun.
    pub(super) is_new: bool,
    /// Whether models are to be copied into the folder.
    copies_models: bool,
}

/// Models and visits that were named.
struct Named {
    models: Vec<PathBuf>,
    visits: Vec<String>,
}

impl Plan {
    /// By what was typed, and by what is in the folder.
    pub(super) fn of(args: &CrawlArgs) -> Result<Self> {
        let config = Config::load(&args.settings)?;
        let seeds = seeds::typed(&args.seeds)?;
        let named = named(args)?;
        let folder = match (&args.output, seeds.first(), args.models.first()) {
            (None, None, Some(model)) => {
                PathBuf::from(format!("{}.crawl", model.file_stem().unwrap_or_default().to_string_lossy()))
            }
            _ => super::request::folder(args, &seeds)?,
        };
        let is_new = !Request::is_in(&folder);
        let (request, copies_models) = if is_new {
            check_folder(&folder)?;
            if seeds.is_empty() && args.models.is_empty() && args.seed_from.is_empty() && args.sitemaps.is_empty() {
                bail!("{} holds no crawl to resume; name a URL to start from", folder.display());
            }
            let mut request = Request::new(args, &config, seeds)?;
            let copies_models = request.take(named)?;
            (request, copies_models)
        } else {
            let mut request = Request::read(&folder, args)?;
            let new: Vec<String> = seeds.into_iter().filter(|seed| !request.seeds.contains(seed)).collect();
            request.seeds.extend(new);
            say(&format!("resuming the crawl in {}", folder.display()));
            let copies_models = request.take_instead(named, &args.aliases)?;
            (request, copies_models)
        };
        if request.watch_models && request.model_files.is_empty() {
            bail!("--watch-models: there is no model to watch; name one with --model");
        }
        if !request.aliases.is_empty() && request.models.is_empty() && request.visits.is_empty() && !copies_models {
            bail!("--alias: there are no logs in which a host could have another name; see --model and --seed-from");
        }
        Ok(Self { folder, request, config, is_new, copies_models })
    }

    /// Makes the folder, and copies models into it; visits stay where they are.
    pub(super) fn prepare(&mut self) -> Result<()> {
        if self.request.is_private() {
            // Nothing of this process is for others; what it starts is nobody's business either.
            rustix::process::umask(rustix::fs::Mode::from_raw_mode(OTHERS));
        }
        fs::create_dir_all(&self.folder).with_context(|| format!("cannot make {}", self.folder.display()))?;
        if self.request.is_private() {
            // It may have been begun without visits.
            let mode = fs::Permissions::from_mode(PRIVATE_FOLDER);
            fs::set_permissions(&self.folder, mode)
                .with_context(|| format!("cannot close {}", self.folder.display()))?;
        }
        if self.copies_models { copy_models(&self.folder, &mut self.request) } else { Ok(()) }
    }
}

/// Models and visits, told apart.
fn named(args: &CrawlArgs) -> Result<Named> {
    let mut named = Named { models: args.models.clone(), visits: Vec::new() };
    for from in &args.seed_from {
        match () {
            () if intake::is_visits(from) => named.visits.push(absolute(from)?),
            () if model_file::is_one(Path::new(from)) => named.models.push(PathBuf::from(from)),
            () => bail!("--seed-from {from}: neither a model (mine -o) nor visits (ingest -o)"),
        }
    }
    if let Some(model) = named.models.iter().find(|model| !model.is_file()) {
        bail!("cannot read {}: there is no such file", model.display());
    }
    named.models = named.models.iter().map(std::path::absolute).collect::<Result<_, _>>()?;
    Ok(named)
}

/// The crawl is resumed, or reported, from any folder.
fn absolute(path: &str) -> Result<String> {
    let absolute = std::path::absolute(path).with_context(|| format!("cannot tell where {path} is"))?;
    Ok(absolute.into_os_string().into_string().unwrap_or_else(|_| path.to_owned()))
}

impl Request {
    /// Whether it goes by visits, or ever did: its order, its reports and its archive then tell what few people read.
    fn is_private(&self) -> bool {
        !self.visits.is_empty() || self.before.iter().any(|before| !before.visits.is_empty())
    }

    /// Goes by what was named; whether there are models to be copied.
    fn take(&mut self, named: Named) -> Result<bool> {
        let has_models = !named.models.is_empty();
        if has_models {
            self.model_files = named.models;
        }
        if !named.visits.is_empty() {
            self.visits = named.visits;
        }
        Ok(has_models)
    }

    /// Goes by what was named now instead of what was named before, if anything was.
    fn take_instead(&mut self, named: Named, aliases: &[String]) -> Result<bool> {
        let has_aliases = !aliases.is_empty() && aliases != self.aliases;
        let (models, visits) = (self.models.clone(), self.visits.clone());
        if !named.models.is_empty() || !named.visits.is_empty() {
            self.set_aside();
            self.model_files.clear();
        } else if has_aliases {
            self.set_aside();
            (self.models, self.visits) = (models, visits);
        }
        if has_aliases {
            self.aliases = aliases.to_vec();
        }
        self.take(named)
    }
}

/// A folder in which a crawl can be begun: there is nothing in it, or only what is left of one that never began.
fn check_folder(folder: &Path) -> Result<()> {
    let Ok(entries) = fs::read_dir(folder) else { return Ok(()) };
    let is_left = |name: &str| super::request::is_part(name) || (name.starts_with("model-") && name.contains(".jsonl"));
    for entry in entries.flatten() {
        if !is_left(&entry.file_name().to_string_lossy()) {
            bail!("{} is there and holds no crawl; name another folder with -o DIR", folder.display());
        }
    }
    Ok(())
}

/// Copies models from where they are into the folder.
pub(super) fn copy_models(folder: &Path, request: &mut Request) -> Result<()> {
    request.models.clear();
    for (number, model) in request.model_files.iter().enumerate() {
        let packed = model.extension().is_some_and(|e| e == "zst");
        let name = format!("model-{}-{number}.jsonl{}", request.model_number, if packed { ".zst" } else { "" });
        let copied = fs::copy(model, folder.join(&name));
        copied.with_context(|| format!("cannot copy {} to {}", model.display(), folder.display()))?;
        request.models.push(name);
    }
    Ok(())
}
