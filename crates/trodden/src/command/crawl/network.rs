//! Who is asked, how long is waited, and what is shown to whom? From settings and flags to those of the client.

use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use trodden_fetch::client::{ClientSettings, Credentials, Secret};
use trodden_fetch::dns::{FixedResolver, Resolve, SystemResolver};

use super::request::Request;
use crate::args::CrawlArgs;
use crate::config::Config;

/// A larger file is none of certificates; the public issuers of the whole web have a quarter of it.
const MAX_CERTIFICATE_BYTES: u64 = 1 << 20;

/// What the client is told.
pub(super) fn client_settings(
    args: &CrawlArgs,
    config: &Config,
    request: &Request,
    user_agent: &str,
) -> Result<ClientSettings> {
    let mut settings = ClientSettings::new(user_agent);
    settings.guard.allow_private = request.allow_private;
    settings.guard.allowed = request.crawl.allow_addresses.iter().map(|network| network.get()).collect();
    settings.times = request.crawl.times();
    settings.address_delay = Duration::from_millis(request.crawl.address_delay_ms);
    settings.cookies = request.crawl.cookies;
    settings.dns.servers.clone_from(&request.crawl.name_servers);
    for path in &request.crawl.ca_files {
        settings.extra_roots.push(certificates(path)?);
    }
    // As many as are used at once are kept, or each page would be a connection.
    settings.idle.per_origin = settings.idle.per_origin.max(request.crawl.at_once_per_host as usize);
    for header in &args.headers {
        let (name, value) =
            header.split_once(':').with_context(|| format!("--header {header:?}: write it as 'Name: value'"))?;
        settings.headers.push((name.trim().to_owned(), Secret::new(value.trim())));
    }
    for (origin, password) in &config.auth {
        settings.credentials.insert(origin.clone(), credentials(origin, &password.0)?);
    }
    if let Some(proxy) = &request.proxy {
        settings.proxy = Some(Secret::new(proxy));
    }
    if !request.resolve.is_empty() {
        let mut table = FixedResolver::new();
        for resolve in &request.resolve {
            table = table.with_typed(resolve)?;
        }
        let rest: Arc<dyn Resolve> = Arc::new(SystemResolver::new(&settings.dns)?);
        settings.resolver = Some(Arc::new(table.or(rest)));
    }
    Ok(settings)
}

/// `basic USER:PASSWORD` or `bearer TOKEN`.
fn credentials(origin: &str, text: &str) -> Result<Credentials> {
    match text.split_once(' ') {
        Some((kind, rest)) if kind.eq_ignore_ascii_case("bearer") => Ok(Credentials::Bearer(Secret::new(rest.trim()))),
        Some((kind, rest)) if kind.eq_ignore_ascii_case("basic") && rest.contains(':') => {
            let (user, password) = rest.trim().split_once(':').unwrap_or_default();
            Ok(Credentials::Basic { user: user.to_owned(), password: Secret::new(password) })
        }
        _ => bail!("settings: auth of {origin}: write it as 'basic USER:PASSWORD' or 'bearer TOKEN'"),
    }
}

/// A file of certificates.
fn certificates(path: &Path) -> Result<Vec<u8>> {
    let size = fs::metadata(path).map(|file| file.len());
    let size = size.with_context(|| format!("crawl.ca_files: cannot read {}", path.display()))?;
    if size > MAX_CERTIFICATE_BYTES {
        bail!("crawl.ca_files: {} has {size} bytes; at most {MAX_CERTIFICATE_BYTES} are read", path.display());
    }
    fs::read(path).with_context(|| format!("crawl.ca_files: cannot read {}", path.display()))
}
