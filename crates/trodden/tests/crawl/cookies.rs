//! Cookies are taken and sent only if that is asked for.

use crate::run::Folder;
use crate::server::{Server, linking, status};

/// A site that shows its second page only to those who come with the cookie of the first.
fn site() -> Server {
    Server::by_head("127.0.0.1:0", |head| {
        let knows_us = head.contains("\r\nCookie: seen=yes");
        match head.split(' ').nth(1)? {
            "/" => Some(linking("Home", &["/members"]).header("Set-Cookie", "seen=yes; Path=/")),
            "/members" if knows_us => Some(linking("Members", &[])),
            "/members" => Some(status(403)),
            _ => None,
        }
    })
}

#[test]
fn ours_cookies_are_off_until_they_are_asked_for_and_archives_do_not_show_them() {
    let (server, folder) = (site(), Folder::new());
    folder.crawl(&[&server.url("/")]).told().came_to(&[("page", 1), ("forbidden", 1)]);

    let folder = Folder::new();
    folder.crawl(&[&server.url("/"), "--cookies"]).told().came_to(&[("page", 2)]);
    let sent = folder.requests();
    assert!(sent.iter().any(|head| head.contains("\r\nCookie: ***\r\n")), "{sent:?}");
    assert!(!sent.iter().any(|head| head.contains("seen=yes")), "{sent:?}");
}
