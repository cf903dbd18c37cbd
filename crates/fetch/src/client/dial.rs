//! Who answers first? One address after the other, the next while the last still tries (RFC 8305, "happy eyeballs").

use std::io;
use std::net::IpAddr;
use std::time::Duration;

use tokio::net::TcpStream;
use tokio::task::JoinSet;
use tokio::time::{Instant, timeout_at};

use super::ConnectFault;
use crate::address::CheckedAddress;

/// Connects to one of these addresses, and says to which.
pub(super) async fn dial(
    addresses: &[CheckedAddress],
    attempt_delay: Duration,
    until: Instant,
) -> Result<(TcpStream, IpAddr), ConnectFault> {
    let connected = match addresses {
        [one] => timeout_at(until, attempt(*one)).await,
        many => timeout_at(until, race(many, attempt_delay)).await,
    };
    connected.unwrap_or(Err(ConnectFault::Timeout))
}

async fn race(addresses: &[CheckedAddress], attempt_delay: Duration) -> Result<(TcpStream, IpAddr), ConnectFault> {
    let mut waiting = addresses.iter();
    let mut attempts = JoinSet::new();
    let mut last = ConnectFault::Other;
    loop {
        let next = waiting.next();
        if let Some(&address) = next {
            attempts.spawn(attempt(address));
        }
        // Waits for an attempt to end; while others wait for their turn, not longer than the delay.
        let ended = match waiting.len() {
            0 => attempts.join_next().await,
            _ => match tokio::time::timeout(attempt_delay, attempts.join_next()).await {
                Ok(ended) => ended,
                Err(_) => continue,
            },
        };
        match ended {
            Some(Ok(Ok(connected))) => return Ok(connected),
            Some(Ok(Err(fault))) => last = fault,
            Some(Err(_)) => last = ConnectFault::Other,
            None if next.is_none() => return Err(last),
            None => {}
        }
    }
}

async fn attempt(address: CheckedAddress) -> Result<(TcpStream, IpAddr), ConnectFault> {
    let stream = TcpStream::connect(address.get()).await.map_err(|error| fault_of(&error))?;
    // A request is one small packet; it need not wait for more.
    let _ = stream.set_nodelay(true);
    Ok((stream, address.get().ip()))
}

fn fault_of(error: &io::Error) -> ConnectFault {
    match error.kind() {
        io::ErrorKind::ConnectionRefused => ConnectFault::Refused,
        io::ErrorKind::TimedOut => ConnectFault::Timeout,
        io::ErrorKind::HostUnreachable | io::ErrorKind::NetworkUnreachable | io::ErrorKind::AddrNotAvailable => {
            ConnectFault::Unreachable
        }
        _ => ConnectFault::Other,
    }
}
