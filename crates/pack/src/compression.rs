//! Compression for slow networks.

use std::io::Write as _;

use brotli::enc::BrotliEncoderParams;
use flate2::Compression;
use flate2::write::GzEncoder;

/// Compresses with gzip; `None` if that is not shorter.
pub(crate) fn gzip(bytes: &[u8]) -> Option<Vec<u8>> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(bytes).expect("writing to a Vec cannot fail");
    shorter(bytes, encoder.finish().expect("writing to a Vec cannot fail"))
}

/// Compresses with brotli at its best quality; `None` if that is not shorter.
pub(crate) fn brotli(bytes: &[u8]) -> Option<Vec<u8>> {
    let parameters = BrotliEncoderParams {
        quality: 11,
        // The largest window that every browser accepts.
        lgwin: 24,
        size_hint: bytes.len(),
        ..BrotliEncoderParams::default()
    };
    let mut compressed = Vec::new();
    let mut input = bytes;
    brotli::BrotliCompress(&mut input, &mut compressed, &parameters)
        .expect("writing to a Vec cannot fail");
    shorter(bytes, compressed)
}

fn shorter(bytes: &[u8], compressed: Vec<u8>) -> Option<Vec<u8>> {
    (compressed.len() < bytes.len()).then_some(compressed)
}

#[cfg(test)]
mod tests {
    use std::io::Read as _;

    use super::*;

    /// Bytes with some repetition.
    fn sample() -> Vec<u8> {
        (0..60_000_u32).map(|index| (index * index / 7 % 251).to_le_bytes()[0]).collect()
    }

    #[test]
    fn gzip_is_lossless() {
        let compressed = gzip(&sample()).expect("it is compressible");
        let mut back = Vec::new();
        flate2::read::GzDecoder::new(&compressed[..]).read_to_end(&mut back).unwrap();
        assert_eq!(back, sample());
    }

    #[test]
    fn brotli_is_lossless() {
        let compressed = brotli(&sample()).expect("it is compressible");
        let mut back = Vec::new();
        brotli::Decompressor::new(&compressed[..], 4_096).read_to_end(&mut back).unwrap();
        assert_eq!(back, sample());
    }

    #[test]
    fn incompressible_bytes_stay_plain() {
        for bytes in [&b""[..], b"x", b"cradle"] {
            assert_eq!((gzip(bytes), brotli(bytes)), (None, None));
        }
    }
}
