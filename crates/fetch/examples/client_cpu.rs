//! What does a request cost us? CPU time of the client alone, over keep-alive, against the simplest server there is.
//!
//! `cargo run --release -p trodden-fetch --example client_cpu [requests] [body bytes]`. Linux only: the time is read
//! from `/proc/thread-self/schedstat`, which counts nanoseconds on the processor for this thread, in user and kernel.

#![allow(clippy::print_stdout, clippy::unwrap_used)]

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};

use trodden_fetch::address::Guard;
use trodden_fetch::client::{Ask, Client, ClientSettings};

fn main() {
    let mut numbers = std::env::args().skip(1).map(|typed| typed.parse::<usize>().unwrap());
    let requests = numbers.next().unwrap_or(20_000);
    let bytes = numbers.next().unwrap_or(40_000);
    let url = format!("http://{}/", serve(bytes));

    let settings = ClientSettings { guard: Guard::with_private(), ..ClientSettings::new("client-cpu") };
    let client = Client::new(settings).unwrap();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        ask(&client, &url, bytes, requests / 10).await;
        let begun = cpu();
        ask(&client, &url, bytes, requests).await;
        println!("client:   {:.1} us of CPU a request of {bytes} bytes", per(cpu() - begun, requests));
    });
    let begun = cpu();
    bare(url["http://".len()..].trim_end_matches('/').parse().unwrap(), bytes, requests);
    println!("syscalls: {:.1} us, of which the same bytes cost by blocking reads", per(cpu() - begun, requests));
}

async fn ask(client: &Client, url: &str, bytes: usize, requests: usize) {
    for _ in 0..requests {
        let answer = client.get(&Ask::new(url)).await.answer.unwrap();
        assert_eq!((answer.status, answer.body.len()), (200, bytes));
    }
}

/// The least that it can cost.
fn bare(address: SocketAddr, bytes: usize, requests: usize) {
    let mut stream = TcpStream::connect(address).unwrap();
    let mut buffer = vec![0; 1 << 16];
    for _ in 0..requests {
        stream.write_all(b"GET / HTTP/1.1\r\nHost: a\r\n\r\n").unwrap();
        let mut left = bytes + head(bytes).len();
        while left > 0 {
            left -= stream.read(&mut buffer).unwrap();
        }
    }
}

fn head(bytes: usize) -> String {
    format!("HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\nServer: x\r\nContent-Length: {bytes}\r\n\r\n")
}

/// A server in a thread of its own.
fn serve(bytes: usize) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let answer = [head(bytes).into_bytes(), vec![b'x'; bytes]].concat();
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let (mut stream, answer) = (stream.unwrap(), answer.clone());
            std::thread::spawn(move || {
                let mut buffer = [0; 4096];
                while stream.read(&mut buffer).is_ok_and(|n| n > 0) {
                    if stream.write_all(&answer).is_err() {
                        return;
                    }
                }
            });
        }
    });
    address
}

fn cpu() -> f64 {
    let line = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap();
    line.split_whitespace().next().unwrap().parse::<f64>().unwrap() / 1e3
}

#[allow(clippy::cast_precision_loss)]
fn per(microseconds: f64, requests: usize) -> f64 {
    microseconds / requests as f64
}
