//! Which model is that of a host?

use trodden_urls::{Aliases, HostKey, SiteGrouping, SiteKeys};

/// What is known of a host by its own name; else by that of the registrable domain that it belongs to, as a model may be of
/// a whole domain. The one place that decides it.
pub fn find_by_host<T>(host: &HostKey, mut find: impl FnMut(&str) -> Option<T>) -> Option<T> {
    find(host.as_str()).or_else(|| {
        let domain = SiteKeys::new(SiteGrouping::RegistrableDomain, Aliases::none()).site_of(host);
        if domain.as_str() == host.as_str() { None } else { find(domain.as_str()) }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ours_the_model_is_that_of_the_host_or_of_its_domain() {
        let find = |host: &str, known: &[&str]| {
            let host = HostKey::parse(host).unwrap();
            find_by_host(&host, |name| known.contains(&name).then(|| name.to_owned()))
        };
        assert_eq!(find("shop.a.com", &["a.com", "shop.a.com"]).unwrap(), "shop.a.com");
        assert_eq!(find("shop.a.com", &["a.com"]).unwrap(), "a.com");
        assert_eq!(find("shop.a.co.uk", &["co.uk"]), None, "a public suffix is nobody's site");
        assert_eq!(find("b.com", &["a.com"]), None);
    }
}
