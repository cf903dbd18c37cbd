//! Where did they come from? Referrers of other sites count as one of three classes; none at all is the fourth.

/// A referrer that is not of the visit's own site.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ReferrerClass {
    /// A search engine.
    Search,
    /// A social network, a forum of links, mail on the web.
    Social,
    /// Any other site.
    OtherSite,
}

/// Search engines by a label of their host: `google` stands for google.com, www.google.de, google.co.uk.
const SEARCH_LABELS: &[&str] = &[
    "google",
    "bing",
    "duckduckgo",
    "yandex",
    "baidu",
    "ecosia",
    "startpage",
    "qwant",
    "naver",
    "seznam",
    "sogou",
    "kagi",
    "swisscows",
    "mojeek",
    "googlequicksearchbox",
];

/// Search engines by whole host.
const SEARCH_HOSTS: &[&str] = &[
    "ask.com",
    "search.aol.com",
    "search.brave.com",
    "search.yahoo.co.jp",
    "search.yahoo.com",
    "so.com",
    "daum.net",
    "search.daum.net",
    "metager.de",
    "search.seznam.cz",
    "parsijoo.ir",
    "suche.t-online.de",
    "search.t-online.de",
    "suche.web.de",
    "suche.gmx.net",
    "isearch.avg.com",
    "search.conduit.com",
    "perplexity.ai",
    "chatgpt.com",
];

/// Hosts of search engines' other services.
const NOT_SEARCH: &[&str] =
    &["mail.", "docs.", "drive.", "plus.", "groups.", "translate.", "sites.", "accounts.", "calendar.", "webcache."];

const SOCIAL_HOSTS: &[&str] = &[
    "facebook.com",
    "fb.me",
    "instagram.com",
    "twitter.com",
    "t.co",
    "x.com",
    "linkedin.com",
    "lnkd.in",
    "pinterest.com",
    "reddit.com",
    "youtube.com",
    "youtu.be",
    "vk.com",
    "ok.ru",
    "tumblr.com",
    "whatsapp.com",
    "wa.me",
    "telegram.org",
    "t.me",
    "telegram.me",
    "weibo.com",
    "quora.com",
    "medium.com",
    "stumbleupon.com",
    "digg.com",
    "delicious.com",
    "news.ycombinator.com",
    "slack.com",
    "discord.com",
    "mastodon.social",
    "bsky.app",
    "threads.net",
    "tiktok.com",
    "snapchat.com",
    "xing.com",
    "flipboard.com",
    "plus.google.com",
    "disqus.com",
];

impl ReferrerClass {
    /// By host, without `www.` and port.
    pub fn of_host(host: &str) -> Self {
        let host = host.split(':').next().unwrap_or(host);
        let is_or_below =
            |name: &str| host.strip_suffix(name).is_some_and(|rest| rest.is_empty() || rest.ends_with('.'));
        if SOCIAL_HOSTS.iter().any(|h| is_or_below(h)) {
            return Self::Social;
        }
        let searches = host.split('.').any(|label| SEARCH_LABELS.contains(&label))
            && host.contains('.')
            && !NOT_SEARCH.iter().any(|p| host.starts_with(p));
        if searches || SEARCH_HOSTS.iter().any(|h| is_or_below(h)) { Self::Search } else { Self::OtherSite }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ours_referrers_fall_into_classes() {
        for (host, class) in [
            ("google.com", ReferrerClass::Search),
            ("google.co.uk", ReferrerClass::Search),
            ("de.search.yahoo.com", ReferrerClass::Search),
            ("com.google.android.googlequicksearchbox", ReferrerClass::Search),
            ("mail.google.com", ReferrerClass::OtherSite),
            ("plus.google.com", ReferrerClass::Social),
            ("m.facebook.com", ReferrerClass::Social),
            ("t.co", ReferrerClass::Social),
            ("blot.co", ReferrerClass::OtherSite),
            ("torob.com", ReferrerClass::OtherSite),
        ] {
            assert_eq!(ReferrerClass::of_host(host), class, "{host}");
        }
    }
}
