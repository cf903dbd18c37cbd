//! Is it really this server? Always verified: there is no setting to trust everybody.

use std::io;
use std::sync::Arc;

use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, ServerName};
use rustls::{CertificateError, ClientConfig, ProtocolVersion, RootCertStore};
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;
use tokio_rustls::client::TlsStream;

use super::{TlsFault, Versions};
use crate::Error;

const PEM_START: &[u8] = b"-----BEGIN";
const H2: &[u8] = b"h2";
const HTTP1: &[u8] = b"http/1.1";

/// What every handshake uses.
pub(super) fn connector(extra_roots: &[Vec<u8>], versions: Versions) -> Result<TlsConnector, Error> {
    let mut roots = RootCertStore { roots: webpki_roots::TLS_SERVER_ROOTS.to_vec() };
    for (index, given) in extra_roots.iter().enumerate() {
        let bad = Error::BadRoot { number: index + 1 };
        let certificates: Vec<CertificateDer<'_>> = if given.trim_ascii_start().starts_with(PEM_START) {
            match CertificateDer::pem_slice_iter(given).collect() {
                Ok(certificates) => certificates,
                Err(_) => return Err(bad),
            }
        } else {
            vec![CertificateDer::from(given.as_slice())]
        };
        let count = certificates.len();
        if count == 0 || roots.add_parsable_certificates(certificates).0 != count {
            return Err(bad);
        }
    }
    // The provider is named, so that another one elsewhere in the program changes nothing here.
    let mut config = ClientConfig::builder_with_provider(Arc::new(rustls::crypto::ring::default_provider()))
        .with_safe_default_protocol_versions()
        .map_err(|error| Error::NoTls { reason: error.to_string() })?
        .with_root_certificates(roots)
        .with_no_client_auth();
    config.alpn_protocols = match versions {
        Versions::Newest => vec![H2.to_vec(), HTTP1.to_vec()],
        Versions::Http1 => vec![HTTP1.to_vec()],
    };
    Ok(TlsConnector::from(Arc::new(config)))
}

/// Shakes hands with `host`, a name or an address as a canonical URL has it (an IPv6 address without brackets).
pub(super) async fn secure(
    connector: &TlsConnector,
    host: &str,
    stream: TcpStream,
) -> Result<TlsStream<TcpStream>, TlsFault> {
    // A dot at the end of a name is DNS's business, not the certificate's.
    let host = host.strip_suffix('.').unwrap_or(host);
    let name = ServerName::try_from(host).map_err(|_| TlsFault::WrongName)?.to_owned();
    connector.connect(name, stream).await.map_err(|error| fault_of(&error))
}

/// Whether HTTP/2 was agreed on.
pub(super) fn is_h2(stream: &TlsStream<TcpStream>) -> bool {
    stream.get_ref().1.alpn_protocol() == Some(H2)
}

/// `tls/1.3` or `tls/1.2`.
pub(super) fn version(stream: &TlsStream<TcpStream>) -> &'static str {
    match stream.get_ref().1.protocol_version() {
        Some(ProtocolVersion::TLSv1_3) => "tls/1.3",
        _ => "tls/1.2",
    }
}

fn fault_of(error: &io::Error) -> TlsFault {
    let Some(rustls::Error::InvalidCertificate(fault)) =
        error.get_ref().and_then(|inner| inner.downcast_ref::<rustls::Error>())
    else {
        return TlsFault::Other;
    };
    match fault {
        CertificateError::NotValidForName | CertificateError::NotValidForNameContext { .. } => TlsFault::WrongName,
        CertificateError::Expired
        | CertificateError::ExpiredContext { .. }
        | CertificateError::NotValidYet
        | CertificateError::NotValidYetContext { .. } => TlsFault::Expired,
        // A bad signature is an issuer's name without its key.
        CertificateError::UnknownIssuer | CertificateError::BadSignature => TlsFault::UnknownIssuer,
        _ => TlsFault::Other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ours_a_root_that_cannot_be_read_is_told_by_number() {
        let pem = rcgen::generate_simple_self_signed(["a.example".to_owned()]).unwrap().cert.pem().into_bytes();
        assert!(connector(std::slice::from_ref(&pem), Versions::Newest).is_ok());
        for bad in [&b""[..], b"x", b"-----BEGIN CERTIFICATE-----\n!\n-----END CERTIFICATE-----\n", b"-----BEGIN"] {
            let roots = [pem.clone(), bad.to_vec()];
            assert!(matches!(connector(&roots, Versions::Newest), Err(Error::BadRoot { number: 2 })));
        }
    }
}
