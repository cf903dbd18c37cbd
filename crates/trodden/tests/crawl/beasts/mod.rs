//! What do bad servers come to? The client has a zoo of its own, where each beast is met alone; here the whole crawl meets them,
//! one by one, and goes on.
//!
//! | file | beasts |
//! |---|---|
//! | `heads` | what is wrong before the body: silence, drips, floods, noise, half-closed sockets |
//! | `bodies` | bodies without end, bombs, lies about lengths, broken chunks |
//! | `roads` | what leads astray: redirects, addresses, names, certificates |
//! | `sites` | what is well-formed and endless, or says something else than it means |
//!
//! Where a beast is one page of a site, the site is always the same ([`meet`]): home leads to the beast and then to a good page.

mod bodies;
mod heads;
mod roads;
mod sites;

use std::io::{Read as _, Write as _};
use std::net::{Shutdown, TcpStream};
use std::sync::Arc;
use std::time::Duration;

use crate::run::{Folder, Told};
use crate::server::{Reply, Server, html, linking};

/// A link that a beast may have among its words.
const LEADS_ON: &[u8] = b"<title>Beast</title><a href=/from-beast>on</a>";

/// What a beast comes to.
#[derive(Clone, Copy)]
enum Comes {
    /// For good.
    To(&'static str),
    /// For now: it will be asked again.
    Later(&'static str),
}

/// A crawl that met a beast.
struct Met {
    folder: Folder,
    server: Server,
    told: Told,
}

impl Met {
    /// Why the archive has not all of what the beast said.
    fn cut(&self) -> Option<String> {
        self.folder.cut(&self.server.url("/beast"))
    }

    fn has_asked(&self, path: &str) -> bool {
        self.server.asked().contains(&path.to_owned())
    }
}

/// Crawls a site with a beast in it. It comes to what it should, the good pages are got, and the archive is sound.
#[track_caller]
fn meet(beast: Reply, comes: Comes, settings: &[&str]) -> Met {
    let server = Server::of(&[
        ("/", linking("Home", &["/beast", "/good"])),
        ("/beast", beast),
        ("/good", html("<title>good</title>")),
        ("/from-beast", html("<title>further</title>")),
    ]);
    let folder = Folder::new();
    let home = server.url("/");
    let mut args = vec![home.as_str(), "--policy", "breadth-first"];
    settings.iter().for_each(|setting| args.extend(["--set", setting]));
    let told = folder.crawl(&args).told();
    let mut met = Met { folder, server, told };
    let mut outcomes = vec![("page", if met.has_asked("/from-beast") { 3 } else { 2 })];
    match comes {
        Comes::To("page") => outcomes[0].1 += 1,
        Comes::To(kind) => outcomes.push((kind, 1)),
        Comes::Later(_) => {}
    }
    met.told.came_to(&outcomes);
    match comes {
        Comes::To(_) => {
            met.told.deferred(&[]);
            met.told.ended("drained");
        }
        Comes::Later(kind) => {
            met.told.deferred(&[(kind, 1)]);
            met.told.ended("later");
        }
    }
    met.is_sound();
    met
}

impl Met {
    /// The beast was met before the good page, which was got, and each answer is in the archive once.
    #[track_caller]
    fn is_sound(&mut self) {
        let asked = self.server.asked();
        let place = |path: &str| asked.iter().position(|asked| asked == path);
        assert!(place("/beast").is_some() && place("/beast") < place("/good"), "{asked:?}");
        let archived = self.folder.archived();
        assert!(archived.values().all(|n| *n == 1), "{archived:?}");
        assert!(archived.contains_key(&self.server.url("/good")), "{archived:?}");
    }
}

fn raw(bytes: impl AsRef<[u8]>) -> Reply {
    Reply::Bytes(bytes.as_ref().to_vec())
}

fn beast(acts: impl Fn(&mut TcpStream) + Send + Sync + 'static) -> Reply {
    Reply::Beast(Arc::new(acts))
}

/// Says something, and then a piece after each pause, for as long as anybody listens.
fn goes_on(at_once: &[u8], piece: Vec<u8>, pause: Duration) -> Reply {
    let at_once = at_once.to_vec();
    beast(move |stream| {
        if stream.write_all(&at_once).is_ok() {
            while stream.write_all(&piece).is_ok() {
                std::thread::sleep(pause);
            }
        }
    })
}

/// Says something, says that it will say no more, and stays until the other side goes.
fn half_closes(said: &[u8]) -> Reply {
    let said = said.to_vec();
    beast(move |stream| {
        if stream.write_all(&said).is_ok() && stream.shutdown(Shutdown::Write).is_ok() {
            stays(stream);
        }
    })
}

/// Says something, and then nothing.
fn falls_silent(said: &[u8]) -> Reply {
    let said = said.to_vec();
    beast(move |stream| {
        if stream.write_all(&said).is_ok() {
            stays(stream);
        }
    })
}

fn stays(stream: &mut TcpStream) {
    let mut sink = [0; 256];
    while matches!(stream.read(&mut sink), Ok(n) if n > 0) {}
}

/// Runs a server of the client's zoo for as long as the test runs.
pub(crate) fn caged<T: Send + 'static>(cage: impl Future<Output = T> + Send + 'static) -> T {
    let (open, opened) = std::sync::mpsc::channel();
    std::thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            open.send(cage.await).unwrap();
            std::future::pending::<()>().await;
        });
    });
    opened.recv().unwrap()
}

#[test]
fn ours_deferred_tries_are_still_counted_when_the_crawl_is_resumed() {
    let met = meet(raw("HELLO\r\n\r\n"), Comes::Later("malformed"), &[]);
    let requests = met.server.requests();
    let again = met.folder.crawl(&[]).told();
    again.deferred(&[("malformed", 1)]);
    again.came_to(&[("page", 2)]);
    assert_eq!(met.server.requests(), requests, "it is not asked again before its time");
    let report = std::fs::read_to_string(met.folder.path("c/report.html")).unwrap();
    assert!(report.contains(">deferred</th>") && report.contains("malformed"));
}
