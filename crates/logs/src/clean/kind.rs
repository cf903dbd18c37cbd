//! What a path or a content type says about what is behind it, before anybody has asked for it.

/// What a URL is, by its name alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Kind {
    /// Nothing speaks against a page.
    Page,
    /// Loaded by pages.
    Asset,
    /// For programs.
    Machine,
    /// A login form or a back room.
    LoginAdmin,
    /// A page of another kind: it loads nothing.
    Document,
    /// A check of a server's health if a program asks for it, else a page: `/health` is a section of many a site.
    Check,
}

impl Kind {
    /// What it is on a line, where it depends on how it is asked for: programs send no referrer, and do not call themselves
    /// browsers.
    pub(crate) fn as_asked(self, agent: &[u8], referrer: &[u8]) -> Self {
        match self {
            Self::Check if referrer.is_empty() && !is_browser(agent) => Self::Machine,
            Self::Check => Self::Page,
            kind => kind,
        }
    }
}

/// Whether an agent has the name that all browsers of people have.
fn is_browser(agent: &[u8]) -> bool {
    [&b"mozilla/"[..], b"opera/"]
        .iter()
        .any(|name| agent.get(..name.len()).is_some_and(|start| start.eq_ignore_ascii_case(name)))
}

/// Extensions of what pages load, or what nobody reads in a browser. Documents (pdf, txt, doc) are pages: people
/// read them, and a crawler wants them.
const ASSET_EXTENSIONS: &[&str] = &[
    "7z",
    "aac",
    "aif",
    "apk",
    "apng",
    "asf",
    "avi",
    "avif",
    "bmp",
    "bz2",
    "cab",
    "css",
    "cur",
    "deb",
    "dmg",
    "eot",
    "eps",
    "exe",
    "flac",
    "flv",
    "gif",
    "gz",
    "ico",
    "img",
    "iso",
    "jar",
    "jfif",
    "jp2",
    "jpe",
    "jpeg",
    "jpg",
    "js",
    "less",
    "m3u",
    "m3u8",
    "m4a",
    "m4s",
    "m4v",
    "map",
    "mid",
    "midi",
    "mjs",
    "mkv",
    "mov",
    "mp3",
    "mp4",
    "mpeg",
    "mpg",
    "msi",
    "oga",
    "ogg",
    "ogv",
    "opus",
    "otf",
    "pkg",
    "png",
    "psd",
    "rar",
    "rpm",
    "scss",
    "svg",
    "svgz",
    "swf",
    "tar",
    "tgz",
    "tif",
    "tiff",
    "ts",
    "ttf",
    "wasm",
    "wav",
    "webm",
    "webmanifest",
    "webp",
    "wma",
    "wmf",
    "wmv",
    "woff",
    "woff2",
    "xz",
    "zip",
    "zst",
];

const DOCUMENT_EXTENSIONS: &[&str] =
    &["doc", "docx", "epub", "md", "odp", "ods", "odt", "pdf", "ppt", "pptx", "ps", "rtf", "tex", "txt", "xls", "xlsx"];

const MACHINE_EXTENSIONS: &[&str] = &[
    "asmx", "atom", "cfg", "conf", "csv", "dat", "env", "ics", "ini", "json", "jsonld", "log", "ndjson", "pac", "rdf",
    "rss", "sql", "bak", "vcf", "wsdl", "xml", "yaml", "yml",
];

/// Whole last segments, without regard to case.
const MACHINE_FILES: &[&str] = &[
    "ads.txt",
    "app-ads.txt",
    "autodiscover.xml",
    "browserconfig.xml",
    "crossdomain.xml",
    "humans.txt",
    "llms.txt",
    "robots.txt",
    "security.txt",
    "sw.js",
    "wp-cron.php",
    "wp-comments-post.php",
    "wp-trackback.php",
    "xmlrpc.php",
    "admin-ajax.php",
    "wlwmanifest.xml",
    "osd.xml",
];

/// Whole last segments as programs write them. Words that may be a title are no title in lower case: `/wiki/Trackback` is an
/// article.
const MACHINE_WORDS: &[&str] = &[
    "apple-touch-icon",
    "favicon",
    "health-check",
    "health_check",
    "healthcheck",
    "healthz",
    "livez",
    "nginx_status",
    "readyz",
    "server-status",
    "trackback",
];

/// Whole last segments that are a check if a program asks for them.
const CHECK_WORDS: &[&str] = &["health", "ping"];

/// What is for programs with any extension of an image.
const ICON_STEMS: &[&str] = &["apple-touch-icon", "favicon"];

/// Segments anywhere on the path as programs write them: `/feed/`, but `/wiki/Atom` is an article.
const FEED_SEGMENTS: &[&str] = &["atom", "feed", "feeds", "rss", "rss2"];

/// Segments anywhere on the path, without regard to case.
const MACHINE_SEGMENTS: &[&str] = &[
    ".well-known",
    ".git",
    ".svn",
    ".env",
    "cgi-sys",
    "graphql",
    "oembed",
    "rsd",
    "wp-json",
    "xmlrpc",
    "apache-log",
    "__utm.gif",
];

const LOGIN_SEGMENTS: &[&str] = &[
    "admin",
    "administration",
    "administrator",
    "adminer",
    "auth",
    "cpanel",
    "forgot-password",
    "forgotpassword",
    "lostpassword",
    "log-in",
    "login",
    "logon",
    "logout",
    "myadmin",
    "oauth",
    "oauth2",
    "password-reset",
    "phpmyadmin",
    "pma",
    "recover-password",
    "register",
    "registration",
    "reset-password",
    "signin",
    "sign-in",
    "signout",
    "signup",
    "sign-up",
    "sso",
    "user-login",
    "webmail",
    "wp-admin",
    "wp-login",
];

/// Files whose stem is a login, whatever the extension.
const LOGIN_STEMS: &[&str] = &[
    "admin",
    "administrator",
    "login",
    "logon",
    "logout",
    "register",
    "signin",
    "signup",
    "wp-login",
    "wp-signup",
    "wp-register",
];

/// By canonical path and query.
pub(crate) fn kind_of_path(path_and_query: &str) -> Kind {
    let (path, query) = path_and_query.split_once('?').unwrap_or((path_and_query, ""));
    let path = path.split(';').next().unwrap_or(path);
    let last = path.rsplit('/').find(|s| !s.is_empty()).unwrap_or("");
    let mut lower = [0; 64];
    let file = lowercase(last, &mut lower);
    let (stem, extension) =
        file.rsplit_once('.').map_or((file, ""), |(s, e)| if s.is_empty() { (file, "") } else { (s, e) });
    if MACHINE_FILES.contains(&file) || MACHINE_WORDS.contains(&last) {
        return Kind::Machine;
    }
    if ASSET_EXTENSIONS.binary_search(&extension).is_ok() {
        return if ICON_STEMS.contains(&stem) { Kind::Machine } else { Kind::Asset };
    }
    if MACHINE_EXTENSIONS.contains(&extension) {
        return Kind::Machine;
    }
    if LOGIN_STEMS.contains(&stem) {
        return Kind::LoginAdmin;
    }
    let mut lower = [0; 64];
    for segment in path.split('/').filter(|s| !s.is_empty()) {
        if FEED_SEGMENTS.contains(&segment) {
            return Kind::Machine;
        }
        let segment = lowercase(segment, &mut lower);
        if MACHINE_SEGMENTS.contains(&segment) {
            return Kind::Machine;
        }
        if LOGIN_SEGMENTS.contains(&segment) {
            return Kind::LoginAdmin;
        }
    }
    match kind_of_query(query) {
        Kind::Page if DOCUMENT_EXTENSIONS.contains(&extension) => Kind::Document,
        Kind::Page if CHECK_WORDS.contains(&last) => Kind::Check,
        kind => kind,
    }
}

/// Some systems have one script and say in a parameter what it does.
fn kind_of_query(query: &str) -> Kind {
    for parameter in query.split('&') {
        let mut lower = [0; 64];
        match lowercase(parameter, &mut lower) {
            "feed=rss" | "feed=rss2" | "feed=atom" | "format=feed" | "type=rss" | "type=atom" | "format=xml"
            | "format=json" | "format=raw" | "format=opensearch" => return Kind::Machine,
            "view=login" | "action=login" | "view=registration" | "view=reset" | "view=remind" | "task=user.login"
            | "option=com_users" | "option=com_login" | "action=register" => {
                return Kind::LoginAdmin;
            }
            _ => {}
        }
    }
    Kind::Page
}

/// By the content type that the log gives; none if it gives none or one that says nothing.
pub(crate) fn kind_of_content_type(content_type: &[u8]) -> Option<Kind> {
    let mut lower = [0; 64];
    let text = std::str::from_utf8(content_type).ok()?;
    let essence = lowercase(text.split(';').next()?.trim(), &mut lower);
    match essence {
        "text/html" | "application/xhtml+xml" => Some(Kind::Page),
        "text/plain" | "application/pdf" | "application/msword" | "application/epub+zip" | "text/markdown" => {
            Some(Kind::Document)
        }
        "application/json"
        | "application/ld+json"
        | "application/xml"
        | "text/xml"
        | "application/rss+xml"
        | "application/atom+xml"
        | "application/ocsp-response"
        | "application/grpc"
        | "text/event-stream" => Some(Kind::Machine),
        "application/octet-stream"
        | "application/javascript"
        | "application/x-javascript"
        | "text/javascript"
        | "text/css"
        | "application/wasm"
        | "application/zip"
        | "application/gzip" => Some(Kind::Asset),
        "" | "-" => None,
        other
            if [
                "image/",
                "audio/",
                "video/",
                "font/",
                "application/font",
                "application/x-font",
                "application/vnd.",
            ]
            .iter()
            .any(|p| other.starts_with(p)) =>
        {
            Some(Kind::Asset)
        }
        _ => None,
    }
}

/// Lower case without allocating; text longer than the buffer is in no list, so it may as well be empty.
fn lowercase<'b>(text: &str, buffer: &'b mut [u8; 64]) -> &'b str {
    let Some(out) = buffer.get_mut(..text.len()) else {
        return "";
    };
    out.copy_from_slice(text.as_bytes());
    out.make_ascii_lowercase();
    std::str::from_utf8(out).unwrap_or("")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ours_paths_tell_assets_machines_and_logins_from_pages() {
        assert!(ASSET_EXTENSIONS.is_sorted());
        for (path, kind) in [
            ("/", Kind::Page),
            ("/index.php", Kind::Page),
            ("/2015/08/10/apache-drill/", Kind::Page),
            ("/paper.pdf", Kind::Document),
            ("/a/logo.PNG?v=3", Kind::Asset),
            ("/style.css;jsessionid=1", Kind::Asset),
            ("/robots.txt", Kind::Machine),
            ("/feed/", Kind::Machine),
            ("/blog/feed", Kind::Machine),
            ("/?feed=rss2", Kind::Machine),
            ("/sitemap_index.xml", Kind::Machine),
            ("/apache-log/access.log", Kind::Machine),
            ("/favicon.ico", Kind::Machine),
            ("/administrator/index.php", Kind::LoginAdmin),
            ("/wp-login.php?action=register", Kind::LoginAdmin),
            ("/user/login", Kind::LoginAdmin),
            ("/index.php?option=com_users&view=login", Kind::LoginAdmin),
            ("/m/product/33719", Kind::Page),
            ("/feeding-cats", Kind::Page),
            ("/wp/h/Health.htm", Kind::Page),
            ("/wiki/Ping", Kind::Page),
            ("/wiki/Atom", Kind::Page),
            ("/wiki/Favicon", Kind::Page),
            ("/health/sleep", Kind::Page),
            ("/healthz", Kind::Machine),
            ("/api/livez", Kind::Machine),
            ("/favicon.png", Kind::Machine),
            ("/health", Kind::Check),
            ("/api/ping", Kind::Check),
        ] {
            assert_eq!(kind_of_path(path), kind, "{path}");
        }
        let asked = |agent: &[u8], referrer: &[u8]| Kind::Check.as_asked(agent, referrer);
        assert_eq!(asked(b"checker/1.0", b""), Kind::Machine);
        assert_eq!(asked(b"", b""), Kind::Machine);
        assert_eq!(asked(b"Mozilla/5.0 Firefox/140.0", b""), Kind::Page);
        assert_eq!(asked(b"", b"https://news.example/"), Kind::Page);
        assert_eq!(Kind::LoginAdmin.as_asked(b"", b""), Kind::LoginAdmin);
        assert_eq!(kind_of_content_type(b"text/html; charset=utf-8"), Some(Kind::Page));
        assert_eq!(kind_of_content_type(b"image/png"), Some(Kind::Asset));
        assert_eq!(kind_of_content_type(b"-"), None);
    }
}
