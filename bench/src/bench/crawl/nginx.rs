//! nginx from the Debian archive serves a folder on a free port of this machine, and counts what is asked for.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::Child;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

use super::cores::Cores;

/// How long it may take to start.
const START: Duration = Duration::from_secs(10);

/// nginx, until it is dropped.
pub(super) struct Nginx {
    child: Child,
    log: PathBuf,
    port: u16,
}

/// What was asked for.
pub(super) struct Asked {
    /// Different pages that were there.
    pub(super) pages: BTreeSet<String>,
    /// All requests.
    pub(super) requests: u64,
}

impl Nginx {
    /// Serves a folder; its own files go to another.
    pub(super) fn serve(site: &Path, scratch: &Path, cores: Cores) -> Result<Self> {
        let root = format!("root {};", site.display());
        Self::start(scratch, cores, |port| format!("  server {{ listen 127.0.0.1:{port}; {root} }}"))
    }

    /// Answers by these blocks of its configuration.
    pub(super) fn start(scratch: &Path, cores: Cores, servers: impl Fn(u16) -> String) -> Result<Self> {
        std::fs::create_dir_all(scratch)?;
        let port = TcpListener::bind("127.0.0.1:0")?.local_addr()?.port();
        let (config, log) = (scratch.join("nginx.conf"), scratch.join("access.log"));
        std::fs::write(&config, configuration(scratch, &log, &servers(port))?)?;
        let program = if Path::new("/usr/sbin/nginx").is_file() { "/usr/sbin/nginx" } else { "nginx" };
        let child = cores
            .command(program)
            .arg("-c")
            .arg(&config)
            .arg("-p")
            .arg(scratch)
            .spawn()
            .context("could not start nginx; apt-get install -y nginx-light")?;
        let mut server = Self { child, log, port };
        let start = Instant::now();
        while TcpStream::connect(("127.0.0.1", port)).is_err() {
            if let Some(status) = server.child.try_wait()? {
                bail!("nginx ended at once ({status}); its messages are above");
            }
            if start.elapsed() > START {
                bail!("nginx does not answer on port {port}");
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        Ok(server)
    }

    /// The URL of a path.
    pub(super) fn url(&self, path: &str) -> String {
        format!("http://127.0.0.1:{}{path}", self.port)
    }

    /// What was asked for since the last look.
    pub(super) fn asked(&self) -> Result<Asked> {
        let lines = std::fs::read(&self.log).context("nginx wrote no access log")?;
        // nginx appends: what comes next is written at the new end.
        std::fs::write(&self.log, "")?;
        Ok(read(&String::from_utf8_lossy(&lines)))
    }
}

impl Drop for Nginx {
    fn drop(&mut self) {
        // Its only process: it was told to have no master.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn configuration(scratch: &Path, log: &Path, servers: &str) -> Result<String> {
    let (at, log) = (scratch.display(), log.display());
    let mut text = String::new();
    writeln!(text, "daemon off;\nmaster_process off;\npid {at}/nginx.pid;\nerror_log {at}/error.log crit;")?;
    writeln!(text, "events {{ worker_connections 4096; }}\nhttp {{")?;
    for kind in ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"] {
        writeln!(text, "  {kind}_temp_path {at}/{kind};")?;
    }
    writeln!(text, "  log_format asked '$status\t$sent_http_content_type\t$host$uri';\n  access_log {log} asked;")?;
    writeln!(
        text,
        "  types {{ text/html htm html; text/plain txt; }}\n  sendfile on;\n  keepalive_requests 10000000;"
    )?;
    writeln!(text, "{servers}\n}}")?;
    Ok(text)
}

/// Lines of the access log.
fn read(lines: &str) -> Asked {
    let mut asked = Asked { pages: BTreeSet::new(), requests: 0 };
    for line in lines.lines() {
        asked.requests += 1;
        let mut fields = line.splitn(3, '\t');
        if let (Some("200"), Some("text/html"), Some(path)) = (fields.next(), fields.next(), fields.next()) {
            asked.pages.insert(path.to_owned());
        }
    }
    asked
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_are_counted_once_and_only_if_they_were_there() {
        let asked = read("200\ttext/html\t/a\n200\ttext/html\t/a\n404\ttext/html\t/b\n200\ttext/plain\t/robots.txt\n");
        assert_eq!(asked.requests, 4);
        assert_eq!(asked.pages.into_iter().collect::<Vec<_>>(), ["/a"]);
    }
}
