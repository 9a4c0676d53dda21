//! How files are served, by the endings of their names.

use crate::PackError;

/// The content type of a file.
pub(crate) fn content_type(name: &str) -> Result<&'static str, PackError> {
    let ending = name.rsplit_once('.').map(|(_, ending)| ending);
    Ok(match ending {
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

/// Whether files of this type are texts, and may have placeholders in them.
pub(crate) fn is_text(content_type: &str) -> bool {
    let texts = ["text/", "application/json", "application/manifest+json", "image/svg+xml"];
    texts.iter().any(|beginning| content_type.starts_with(beginning))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn browsers_compile_while_they_load_only_what_is_called_webassembly() {
        assert_eq!(content_type("web.wasm").unwrap(), "application/wasm");
        assert!(!is_text("application/wasm"));
    }

    #[test]
    fn scripts_are_texts() {
        assert!(is_text(content_type("boot.js").unwrap()));
    }

    #[test]
    fn an_unknown_ending_is_said() {
        let error = content_type("moon.cheese").unwrap_err().to_string();
        assert!(error.starts_with("it is not known how to serve moon.cheese"), "{error}");
    }
}
