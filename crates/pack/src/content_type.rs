//! Content types, by file extension.

use crate::PackError;

/// The content type of a file.
pub(crate) fn content_type(name: &str) -> Result<&'static str, PackError> {
    let extension = name.rsplit_once('.').map(|(_, extension)| extension);
    Ok(match extension {
        Some("css") => "text/css; charset=utf-8",
        Some("html") => "text/html; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("json") => "application/json",
        Some("png") => "image/png",
        Some("svg") => "image/svg+xml",
        Some("txt") => "text/plain; charset=utf-8",
        Some("wasm") => "application/wasm",
        Some("webmanifest") => "application/manifest+json",
        Some("woff2") => "font/woff2",
        _ => return Err(PackError::UnknownType(name.to_owned())),
    })
}

/// Whether files of this type are texts, which can contain placeholders.
pub(crate) fn is_text(content_type: &str) -> bool {
    let texts = ["text/", "application/json", "application/manifest+json", "image/svg+xml"];
    texts.iter().any(|beginning| content_type.starts_with(beginning))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn webassembly_has_the_type_that_browsers_compile_while_loading() {
        assert_eq!(content_type("web.wasm").unwrap(), "application/wasm");
        assert!(!is_text("application/wasm"));
    }

    #[test]
    fn scripts_are_texts() {
        assert!(is_text(content_type("boot.js").unwrap()));
    }

    #[test]
    fn an_unknown_extension_is_refused() {
        let error = content_type("moon.cheese").unwrap_err().to_string();
        assert!(error.starts_with("moon.cheese has an unknown content type"), "{error}");
    }
}
