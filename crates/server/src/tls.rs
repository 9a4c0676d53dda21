//! Encrypted connections.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError, RwLock};

use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::rustls::pki_types::pem::PemObject;
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer};

/// Why connections cannot be encrypted.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TlsError {
    /// A file cannot be read.
    #[error("{path} does not hold a certificate or key in PEM form: {why}", path = path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// The problem of the file.
        why: String,
    },
    /// The certificate and the key do not belong together, or cannot be used.
    #[error("the certificate and the key cannot be used: {0}")]
    Unusable(String),
}

/// The certificate of a server and its key. They can be loaded again while the server runs: new
/// connections use the new ones.
pub struct Tls {
    acceptor: RwLock<TlsAcceptor>,
}

impl Tls {
    /// Loads the certificates and the key in these files.
    ///
    /// # Errors
    /// If they cannot be read or used.
    pub fn load(certificates: &Path, key: &Path) -> Result<Self, TlsError> {
        Ok(Self { acceptor: RwLock::new(acceptor(certificates, key)?) })
    }

    /// Loads the certificates and the key again, from the same files or from others.
    ///
    /// # Errors
    /// If they cannot be read or used. Then the old ones stay in use.
    pub fn reload(&self, certificates: &Path, key: &Path) -> Result<(), TlsError> {
        let acceptor = acceptor(certificates, key)?;
        *self.acceptor.write().unwrap_or_else(PoisonError::into_inner) = acceptor;
        Ok(())
    }

    /// The acceptor for the next connection.
    pub(crate) fn acceptor(&self) -> TlsAcceptor {
        self.acceptor.read().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl fmt::Debug for Tls {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Tls").finish_non_exhaustive()
    }
}

fn acceptor(certificates: &Path, key: &Path) -> Result<TlsAcceptor, TlsError> {
    let unreadable = |path: &Path| {
        let path = path.to_owned();
        move |error: tokio_rustls::rustls::pki_types::pem::Error| {
            let why = error.to_string();
            TlsError::Unreadable { path: path.clone(), why }
        }
    };
    let chain: Result<Vec<_>, _> =
        CertificateDer::pem_file_iter(certificates).map_err(unreadable(certificates))?.collect();
    let chain = chain.map_err(unreadable(certificates))?;
    let key = PrivateKeyDer::from_pem_file(key).map_err(unreadable(key))?;
    let provider = Arc::new(tokio_rustls::rustls::crypto::ring::default_provider());
    let config = ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .and_then(|builder| builder.with_no_client_auth().with_single_cert(chain, key));
    let mut config = config.map_err(|error| TlsError::Unusable(error.to_string()))?;
    config.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
    Ok(TlsAcceptor::from(Arc::new(config)))
}
