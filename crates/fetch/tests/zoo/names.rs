//! Name servers: one that changes its mind, one that never answers, and one that speaks DNS.

use std::collections::BTreeMap;
use std::net::{IpAddr, SocketAddr};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use tokio::net::UdpSocket;
use tokio::task::JoinHandle;
use trodden_fetch::dns::{DnsFault, Resolve, Resolving};

/// Gives another answer each time; the last one for ever.
#[derive(Debug)]
pub struct Fickle {
    answers: Mutex<Vec<Vec<IpAddr>>>,
    asked: AtomicUsize,
}

impl Fickle {
    pub fn new(answers: &[&[IpAddr]]) -> Self {
        let answers = answers.iter().rev().map(|answer| answer.to_vec()).collect();
        Self { answers: Mutex::new(answers), asked: AtomicUsize::new(0) }
    }

    /// How often it was asked.
    pub fn asked(&self) -> usize {
        self.asked.load(Ordering::SeqCst)
    }
}

impl Resolve for Fickle {
    fn resolve<'a>(&'a self, _: &'a str) -> Resolving<'a> {
        self.asked.fetch_add(1, Ordering::SeqCst);
        let mut answers = self.answers.lock().unwrap();
        let answer = if answers.len() > 1 { answers.pop() } else { answers.last().cloned() };
        Box::pin(std::future::ready(answer.ok_or(DnsFault::NotFound)))
    }
}

/// Never answers.
#[derive(Debug)]
pub struct Mute;

impl Resolve for Mute {
    fn resolve<'a>(&'a self, _: &'a str) -> Resolving<'a> {
        Box::pin(std::future::pending())
    }
}

/// A name server on loopback.
pub struct NameServer {
    pub address: SocketAddr,
    asked: Arc<Mutex<Vec<String>>>,
    keeper: JoinHandle<()>,
}

/// What it says of a name. An address is good for no time at all.
pub enum Said {
    Address([u8; 4]),
    NoSuchName,
    Failure,
    Nothing,
}

const TYPE_A: u16 = 1;
const SERVFAIL: u8 = 2;
const NXDOMAIN: u8 = 3;

impl NameServer {
    /// `a.example` is 127.0.0.1; `broken.example` fails, `mute.example` is not answered, and other names do not exist.
    pub async fn new() -> Self {
        Self::saying(|name, _| match name {
            "a.example" => Said::Address([127, 0, 0, 1]),
            "broken.example" => Said::Failure,
            "mute.example" => Said::Nothing,
            _ => Said::NoSuchName,
        })
        .await
    }

    /// Says this of a name that was asked for its address so many times before.
    pub async fn saying(say: impl Fn(&str, usize) -> Said + Send + 'static) -> Self {
        let socket = UdpSocket::bind("127.0.0.1:0").await.unwrap();
        let address = socket.local_addr().unwrap();
        let asked = Arc::new(Mutex::new(Vec::new()));
        let noted = asked.clone();
        let keeper = tokio::spawn(async move {
            let (mut packet, mut times) = ([0; 1500], BTreeMap::new());
            while let Ok((n, from)) = socket.recv_from(&mut packet).await {
                let (name, kind, end) = question(&packet[..n]);
                noted.lock().unwrap().push(name.clone());
                let before = times.entry(name.clone()).or_insert(0_usize);
                let said = say(&name, *before);
                *before += usize::from(kind == TYPE_A);
                let answer = match said {
                    Said::Nothing => continue,
                    Said::Address(address) => reply(&packet[..end], 0, (kind == TYPE_A).then_some(address)),
                    Said::Failure => reply(&packet[..end], SERVFAIL, None),
                    Said::NoSuchName => reply(&packet[..end], NXDOMAIN, None),
                };
                socket.send_to(&answer, from).await.unwrap();
            }
        });
        Self { address, asked, keeper }
    }

    /// How often it was asked for a name, of whatever type.
    pub fn asked(&self, name: &str) -> usize {
        self.asked.lock().unwrap().iter().filter(|asked| *asked == name).count()
    }
}

impl Drop for NameServer {
    fn drop(&mut self) {
        self.keeper.abort();
    }
}

/// Name and type of the one question of a packet, and where it ends.
fn question(packet: &[u8]) -> (String, u16, usize) {
    let (mut labels, mut at) = (Vec::new(), 12);
    while packet[at] != 0 {
        let end = at + 1 + usize::from(packet[at]);
        labels.push(String::from_utf8(packet[at + 1..end].to_vec()).unwrap().to_ascii_lowercase());
        at = end;
    }
    (labels.join("."), u16::from_be_bytes([packet[at + 1], packet[at + 2]]), at + 5)
}

/// The question again, with a code, and an address or word of who would know.
fn reply(question: &[u8], code: u8, address: Option<[u8; 4]>) -> Vec<u8> {
    let mut packet = question.to_vec();
    let is_answered = u8::from(address.is_some());
    packet[2..12].copy_from_slice(&[0x81, 0x80 | code, 0, 1, 0, is_answered, 0, 1 - is_answered, 0, 0]);
    match address {
        Some(address) => {
            packet.extend_from_slice(&[0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 0, 0, 4]);
            packet.extend_from_slice(&address);
        }
        None => {
            // A start of authority with two empty names and five numbers, all zero: to be kept for no time.
            packet.extend_from_slice(&[0, 0, 6, 0, 1, 0, 0, 0, 0, 0, 22]);
            packet.extend_from_slice(&[0; 22]);
        }
    }
    packet
}
