//! Scanners **[ours]**: users that behave like no browser.
//!
//! "Most users" is taken of those who come from a page of the site at least once, as browsers do: on many a site
//! undeclared bots, who send no referrer, outnumber people.
//!
//! A user who never loads an asset on a site where most users do, or who draws mostly errors, is not a person. An
//! asset is what its name says, or whatever is asked for while its referrer is loading (see `embedded`).
//! The first reading notes two facts for each user on each site; the share of users who load assets is known at
//! its end, and the second reading judges by both.

use super::Cleaning;

/// What one user did on one site.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct UserOnSite {
    /// All requests.
    pub(crate) requests: u32,
    /// Requests for assets, and whatever else a loading page asked for.
    pub(crate) assets: u32,
    /// Requests answered by an error.
    pub(crate) errors: u32,
    /// Requests that could be visits.
    pub(crate) candidates: u32,
    /// Requests from a page of the site.
    pub(crate) from_inside: u32,
    /// Whether there is anything to be judged.
    pub(crate) judged: bool,
}

/// The facts as bits, one byte a user and site.
const NO_ASSET: u8 = 1;
const ERRORS: u8 = 2;

impl UserOnSite {
    /// What the second reading needs to know.
    pub(crate) fn facts(self, settings: &Cleaning) -> u8 {
        if self.requests < settings.scanner_min_requests {
            return 0;
        }
        let mostly_errors = f64::from(self.errors) > settings.scanner_error_share * f64::from(self.requests);
        (if self.assets == 0 { NO_ASSET } else { 0 }) | (if mostly_errors { ERRORS } else { 0 })
    }
}

/// How the users of one site behave.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct SiteUsers {
    /// Users with a request that could be a visit, and one from a page of the site.
    pub(crate) users: u64,
    /// Those of them who load an asset.
    pub(crate) with_assets: u64,
}

impl SiteUsers {
    /// Counts a user.
    pub(crate) fn add_user(&mut self, user: UserOnSite) {
        if user.candidates > 0 && user.from_inside > 0 {
            self.users += 1;
            self.with_assets += u64::from(user.assets > 0);
        }
    }

    /// Adds what another thread counted.
    pub(crate) fn add(&mut self, other: Self) {
        self.users += other.users;
        self.with_assets += other.with_assets;
    }

    /// Whether a user with these facts is a scanner here.
    #[expect(clippy::cast_precision_loss, reason = "shares need no more than 53 bits")]
    pub(crate) fn is_scanner(self, facts: u8, settings: &Cleaning) -> bool {
        let most_load_assets = self.with_assets as f64 > settings.scanner_site_share * self.users as f64;
        facts & ERRORS != 0 || (facts & NO_ASSET != 0 && most_load_assets)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ours_most_users_are_those_who_come_from_inside() {
        let mut site = SiteUsers::default();
        let browser = UserOnSite { requests: 9, assets: 7, errors: 0, candidates: 2, from_inside: 8, judged: true };
        let spammer = UserOnSite { requests: 2, assets: 0, errors: 0, candidates: 2, from_inside: 0, judged: true };
        site.add_user(browser);
        (0..5).for_each(|_| site.add_user(spammer));
        assert!(site.is_scanner(spammer.facts(&Cleaning::default()), &Cleaning::default()));
        assert!(!site.is_scanner(browser.facts(&Cleaning::default()), &Cleaning::default()));
    }

    #[test]
    fn ours_scanners_load_nothing_or_draw_errors() {
        let settings = Cleaning::default();
        let facts = |requests, assets, errors| {
            UserOnSite { requests, assets, errors, candidates: 1, from_inside: 1, judged: true }.facts(&settings)
        };
        let browsers = SiteUsers { users: 100, with_assets: 51 };
        let bare = SiteUsers { users: 100, with_assets: 50 };
        assert!(browsers.is_scanner(facts(5, 0, 0), &settings));
        assert!(!bare.is_scanner(facts(5, 0, 0), &settings), "half is not most");
        assert!(!browsers.is_scanner(facts(5, 1, 0), &settings));
        assert!(bare.is_scanner(facts(5, 3, 3), &settings));
        assert!(!bare.is_scanner(facts(4, 2, 2), &settings), "half is not mostly");
    }
}
