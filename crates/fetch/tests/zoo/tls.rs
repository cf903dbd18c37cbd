//! Servers under TLS: a good one, one under another's name, one that signed itself, one that is out of date.

use std::sync::Arc;

use rcgen::{CertificateParams, CertifiedIssuer, IsCa, KeyPair, date_time_ymd};
use rustls::ServerConfig;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use tokio::io::AsyncWriteExt;
use tokio_rustls::TlsAcceptor;

use super::{Cage, linger, request};

/// Somebody who signs certificates.
pub struct Authority(CertifiedIssuer<'static, KeyPair>);

impl Authority {
    pub fn new() -> Self {
        let mut params = CertificateParams::new([]).unwrap();
        params.is_ca = IsCa::Ca(rcgen::BasicConstraints::Unconstrained);
        Self(CertifiedIssuer::self_signed(params, KeyPair::generate().unwrap()).unwrap())
    }

    /// What a client must know to trust it.
    pub fn pem(&self) -> Vec<u8> {
        self.0.pem().into_bytes()
    }

    pub fn der(&self) -> Vec<u8> {
        self.0.der().to_vec()
    }

    /// A certificate for a name or an address, valid today.
    pub fn signs(&self, name: &str) -> Identity {
        self.signs_with(&CertificateParams::new([name.to_owned()]).unwrap())
    }

    /// A certificate of long ago.
    pub fn signed_long_ago(&self, name: &str) -> Identity {
        let mut params = CertificateParams::new([name.to_owned()]).unwrap();
        params.not_before = date_time_ymd(2001, 1, 1);
        params.not_after = date_time_ymd(2002, 1, 1);
        self.signs_with(&params)
    }

    fn signs_with(&self, params: &CertificateParams) -> Identity {
        let key = KeyPair::generate().unwrap();
        let certificate = params.signed_by(&key, &self.0).unwrap();
        Identity { certificate: certificate.der().clone(), key: key.serialize_der() }
    }
}

/// A certificate and its key.
pub struct Identity {
    certificate: CertificateDer<'static>,
    key: Vec<u8>,
}

/// One who vouches for himself.
pub fn self_signed(name: &str) -> Identity {
    let made = rcgen::generate_simple_self_signed([name.to_owned()]).unwrap();
    Identity { certificate: made.cert.der().clone(), key: made.signing_key.serialize_der() }
}

/// The settings of a server that speaks these protocols.
pub fn acceptor(identity: &Identity, alpn: &[&[u8]]) -> TlsAcceptor {
    let key = PrivateKeyDer::try_from(identity.key.clone()).unwrap();
    let mut config = ServerConfig::builder_with_provider(Arc::new(rustls::crypto::ring::default_provider()))
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(vec![identity.certificate.clone()], key)
        .unwrap();
    config.alpn_protocols = alpn.iter().map(|name| name.to_vec()).collect();
    TlsAcceptor::from(Arc::new(config))
}

/// A server that answers every request with these bytes.
pub async fn says(identity: &Identity, answer: &'static [u8]) -> Cage {
    let acceptor = acceptor(identity, &[b"http/1.1"]);
    Cage::new(move |stream, log| {
        let acceptor = acceptor.clone();
        async move {
            let Ok(mut stream) = acceptor.accept(stream).await else { return };
            while let Some(head) = request(&mut stream).await {
                log.note(head);
                if stream.write_all(answer).await.is_err() || stream.flush().await.is_err() {
                    return;
                }
            }
            linger(&mut stream).await;
        }
    })
    .await
}
