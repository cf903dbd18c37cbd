//! What if the operator knows better? A table of names, with another resolver behind it or none.

use std::collections::BTreeMap;
use std::net::IpAddr;
use std::sync::Arc;

use super::{DnsFault, Resolve, Resolving};
use crate::Error;

/// A table of names and their addresses.
#[derive(Clone, Debug, Default)]
pub struct FixedResolver {
    table: BTreeMap<String, Vec<IpAddr>>,
    others: Option<Arc<dyn Resolve>>,
}

impl FixedResolver {
    /// A table without names: everything is [`DnsFault::NotFound`].
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The same with one more address of a name.
    #[must_use]
    pub fn with(mut self, host: &str, address: IpAddr) -> Self {
        self.table.entry(key(host)).or_default().push(address);
        self
    }

    /// The same with `HOST:ADDRESS` as an operator types it; the address may be in brackets.
    ///
    /// # Errors
    /// [`Error::BadResolve`] if it is neither.
    pub fn with_typed(self, typed: &str) -> Result<Self, Error> {
        let bad = || Error::BadResolve { typed: typed.to_owned() };
        let (host, address) = typed.split_once(':').ok_or_else(bad)?;
        let address = address.trim_start_matches('[').trim_end_matches(']').parse().map_err(|_| bad())?;
        if host.is_empty() {
            return Err(bad());
        }
        Ok(self.with(host, address))
    }

    /// The same with another resolver for all other names.
    #[must_use]
    pub fn or(mut self, others: Arc<dyn Resolve>) -> Self {
        self.others = Some(others);
        self
    }
}

fn key(host: &str) -> String {
    host.trim_end_matches('.').to_ascii_lowercase()
}

impl Resolve for FixedResolver {
    fn resolve<'a>(&'a self, host: &'a str) -> Resolving<'a> {
        match (self.table.get(&key(host)), &self.others) {
            (Some(addresses), _) => Box::pin(std::future::ready(Ok(addresses.clone()))),
            (None, Some(others)) => others.resolve(host),
            (None, None) => Box::pin(std::future::ready(Err(DnsFault::NotFound))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn ours_a_name_in_the_table_is_where_the_table_says() {
        let behind = FixedResolver::new().with("b.example", [1, 1, 1, 1].into());
        let table =
            FixedResolver::new().with_typed("A.example.:[::1]").unwrap().with_typed("a.example:10.0.0.1").unwrap();
        let table = table.or(Arc::new(behind));
        let addresses = table.resolve("a.example").await.unwrap();
        assert_eq!(addresses, ["::1".parse::<IpAddr>().unwrap(), "10.0.0.1".parse().unwrap()]);
        assert_eq!(table.resolve("b.example").await.unwrap(), [IpAddr::from([1, 1, 1, 1])]);
        assert_eq!(table.resolve("c.example").await, Err(DnsFault::NotFound));
    }

    #[test]
    fn ours_what_is_no_name_and_address_is_told() {
        for typed in ["", "a", "a:", "a:b", ":1.1.1.1", "a:80:1.1.1.1"] {
            assert!(matches!(FixedResolver::new().with_typed(typed), Err(Error::BadResolve { .. })), "{typed}");
        }
    }
}
