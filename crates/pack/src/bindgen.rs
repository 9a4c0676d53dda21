//! What WebAssembly needs of JavaScript, from the library of wasm-bindgen.

use std::path::Path;

use wasm_bindgen_cli_support::{Bindgen, Output};

use crate::PackError;

/// The page as a browser runs it.
pub(crate) struct Code {
    pub(crate) wasm: Vec<u8>,
    /// A module whose default export starts the page; it is told where the WebAssembly is.
    pub(crate) js: String,
}

/// Makes the two of what the compiler made.
pub(crate) fn bindgen(path: &Path) -> Result<Code, PackError> {
    let mut output = output(path)?;
    let inline = output.snippets().iter().filter(|(_, texts)| !texts.is_empty());
    let snippets = inline.map(|(name, _)| name).chain(output.local_modules().keys());
    let snippets: Vec<&str> = snippets.map(String::as_str).collect();
    if !snippets.is_empty() {
        return Err(PackError::Snippets(snippets.join(", ")));
    }
    let js = output.js().to_owned();
    Ok(Code { wasm: output.wasm_mut().emit_wasm(), js })
}

fn output(path: &Path) -> Result<Output, PackError> {
    let refused = |error| PackError::Refused { path: path.to_owned(), why: format!("{error:#}") };
    let mut bindgen = Bindgen::new();
    bindgen
        .input_path(path)
        .out_name("web")
        .typescript(false)
        .remove_name_section(true)
        .remove_producers_section(true)
        // The name of the file is known only later.
        .omit_default_module_path(true);
    bindgen.web(true).and_then(Bindgen::generate_output).map_err(refused)
}
