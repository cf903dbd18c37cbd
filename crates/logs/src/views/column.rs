//! Which column is it? By its name, as the tools write it.
//!
//! | | page | views | users | date |
//! |---|---|---|---|---|
//! | GA4 | Page path and screen class, Page location, … | Views | Total users, Active users | Date, Date + hour (YYYYMMDDHH) |
//! | Matomo | Label, Page URL, Metadata: url, url | Pageviews, nb_hits | Unique visitors, nb_uniq_visitors | Date |
//! | Plausible | name, page | pageviews | visitors | date |
//! | Cloudflare | path, clientRequestPath, requestPath | pageViews, count, requests | visits | date, datetimeHour |
//! | plain | url, path | views, count, hits | users, visitors | date, day, time |
//!
//! Where several columns could be the one, the first of the list below is it: a whole URL before a path, page views before
//! visits.

/// What a column holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ViewsColumn {
    /// The page.
    Page,
    /// The host of a page that is a path.
    Host,
    /// How often it was viewed.
    Views,
    /// How much of all views it has, on any scale.
    Weight,
    /// By how many users.
    Users,
    /// When.
    Date,
}

const PAGES: &[&str] = &[
    "full page url",
    "page location",
    "page url",
    "metadata url",
    "url",
    "uri",
    "target",
    "page path and query string",
    "page path query string",
    "page path and screen class",
    "page path",
    "pagepath",
    "unifiedpagepathscreen",
    "clientrequestpath",
    "requestpath",
    "path",
    "page",
    "top pages",
    "landing page",
    "label",
    "name",
];
const HOSTS: &[&str] =
    &["hostname", "host name", "host", "clientrequesthttphost", "clientrequesthost", "requesthost", "domain"];
const VIEWS: &[&str] = &[
    "pageviews",
    "page views",
    "screenpageviews",
    "views",
    "nb hits",
    "hits",
    "count",
    "requests",
    "clicks",
    "unique pageviews",
    "nb visits",
    "visits",
    "sessions",
];
const WEIGHTS: &[&str] = &["weight", "popularity", "share"];
const USERS: &[&str] = &[
    "users",
    "total users",
    "totalusers",
    "active users",
    "activeusers",
    "visitors",
    "unique visitors",
    "nb uniq visitors",
    "sum daily nb uniq visitors",
    "uniques",
    "unique users",
    "readers",
];
const DATES: &[&str] =
    &["date", "date hour yyyymmddhh", "datehour", "day", "datetime", "datetimehour", "timestamp", "time"];

/// The columns by place, and whether the counts are weights.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Places {
    pub(super) page: Option<usize>,
    pub(super) host: Option<usize>,
    pub(super) views: Option<usize>,
    pub(super) users: Option<usize>,
    pub(super) date: Option<usize>,
    pub(super) are_weights: bool,
}

impl Places {
    /// Finds columns in a header.
    pub(super) fn of<'c>(header: impl Iterator<Item = &'c str>) -> Self {
        let names: Vec<String> = header.map(plain).collect();
        let place = |known: &[&str]| known.iter().find_map(|name| names.iter().position(|own| own == name));
        let views = place(VIEWS);
        let weights = place(WEIGHTS).filter(|_| views.is_none());
        Self {
            page: place(PAGES),
            host: place(HOSTS),
            views: views.or(weights),
            users: place(USERS),
            date: place(DATES),
            are_weights: weights.is_some(),
        }
    }

    /// What is missing that a table of views must have.
    pub(super) fn missing(&self) -> Option<ViewsColumn> {
        match (self.page, self.views) {
            (None, _) => Some(ViewsColumn::Page),
            (_, None) => Some(ViewsColumn::Views),
            _ => None,
        }
    }
}

/// A name in lower case, with one space for whatever is neither letter nor digit.
fn plain(name: &str) -> String {
    let mut out = String::with_capacity(name.len());
    for character in name.trim().trim_start_matches('\u{feff}').chars() {
        if character.is_alphanumeric() {
            out.extend(character.to_lowercase());
        } else if !out.is_empty() && !out.ends_with(' ') {
            out.push(' ');
        }
    }
    out.truncate(out.trim_end().len());
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ours_columns_of_known_tools_are_found() {
        let find = |header: &str| Places::of(header.split(','));
        let some = |page, views, users, date| Places { page, views, users, date, ..Places::default() };
        for (header, places) in [
            ("Page path and screen class,Views,Total users,Views per user", some(Some(0), Some(1), Some(2), None)),
            ("Date + hour (YYYYMMDDHH),Page path + query string,Views", some(Some(1), Some(2), None, Some(0))),
            ("label,nb_visits,nb_hits,nb_uniq_visitors", some(Some(0), Some(2), Some(3), None)),
            ("Label,Pageviews,Unique Pageviews,Metadata: url", some(Some(3), Some(1), None, None)),
            ("name,visitors,pageviews,bounce_rate,time_on_page", some(Some(0), Some(2), Some(1), None)),
            ("date,clientRequestPath,count", some(Some(1), Some(2), None, Some(0))),
            ("url,views", some(Some(0), Some(1), None, None)),
        ] {
            assert_eq!(find(header), places, "{header}");
        }
        assert_eq!(find("hostName,pagePath,screenPageViews").host, Some(0));
        assert_eq!(find("Host name,Page path,Views").host, Some(0));
        assert!(find("url,time,weight").are_weights);
        assert!(!find("url,weight,views").are_weights);
        assert_eq!(find("time,user,url,referrer").missing(), Some(ViewsColumn::Views));
        assert_eq!(find("date,views").missing(), Some(ViewsColumn::Page));
    }
}
