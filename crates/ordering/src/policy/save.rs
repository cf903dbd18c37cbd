//! What a policy has learnt, as bytes.

use serde::Serialize;
use serde::de::DeserializeOwned;
use thiserror::Error;

/// Why something saved cannot be taken up.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum SaveFault {
    /// Other bytes.
    #[error("this is not what such a policy saves ({0}); it was saved by another policy or version")]
    Bytes(#[from] postcard::Error),
    /// It knew other readers.
    #[error("it was saved with another log; give the log that the crawl was begun with")]
    OtherTrace,
}

pub(crate) fn save<S: Serialize>(state: &S) -> Vec<u8> {
    postcard::to_stdvec(state).expect("a state in memory has a length and can be written to memory")
}

pub(crate) fn restore<S: DeserializeOwned>(saved: &[u8]) -> Result<S, SaveFault> {
    Ok(postcard::from_bytes(saved)?)
}

/// `save` and `restore` of a policy whose state is one of its fields.
macro_rules! saves {
    ($state:ident) => {
        fn save(&self) -> Vec<u8> {
            $crate::policy::save::save(&self.$state)
        }

        fn restore(&mut self, saved: &[u8]) -> Result<(), $crate::policy::SaveFault> {
            self.$state = $crate::policy::save::restore(saved)?;
            Ok(())
        }
    };
}

pub(super) use saves;
