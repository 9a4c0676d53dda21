//! The page for players: compiled to WebAssembly, packed for browsers, and built into the command.

use std::path::{Path, PathBuf};

use crate::program::Program;
use crate::toolchain::{self, WASM};
use crate::{Failure, Workspace};

/// Names the folder of the packed page to the build script of `cradle`.
const VARIABLE: &str = "CRADLE_PAGE";

/// The page as browsers load it.
#[derive(Debug)]
pub(crate) struct Page {
    /// The folder that `pack` wrote.
    pub(crate) folder: PathBuf,
}

impl Page {
    /// Compiles and packs the page. What is there already stays as it is, so that nothing which was
    /// built with it is built again.
    ///
    /// # Errors
    /// If the page does not compile, or its files do not fit together.
    pub(crate) fn build(workspace: &Workspace) -> Result<Self, Failure> {
        let root = &workspace.root;
        toolchain::install_wasm(root)?;
        let wasm = workspace.target.join(WASM).join("page").join("web.wasm");
        say("The page is compiled to WebAssembly", "three minutes or so", &wasm);
        let build = [
            "build",
            "--package",
            "web",
            "--features",
            "page",
            "--profile",
            "page",
            "--target",
            WASM,
        ];
        Program::new(root, "cargo", &build).run()?;
        let tool = workspace.target.join("debug").join("pack");
        say("The page is packed for browsers", "its tool is built in three minutes or so", &tool);
        Program::new(root, "cargo", &["build", "--package", "pack"]).run()?;
        let folder = workspace.target.join("packed-page");
        let [wasm, files, out] = [wasm, root.join("crates/web/page"), folder.clone()]
            .map(|path| path.display().to_string());
        let pack = ["run", "--quiet", "--package", "pack", "--", &wasm, &files, &out];
        Program::new(root, "cargo", &pack).run()?;
        Ok(Self { folder })
    }

    /// A program that is run with the page at hand: Cargo, which builds the command with it, or
    /// something that looks at its files.
    pub(crate) fn with(&self, program: Program) -> Program {
        program.with(VARIABLE, &self.folder.display().to_string())
    }
}

/// Says what is done now, and how long that takes if it was never done before.
pub(crate) fn say(what: &str, how_long: &str, made: &Path) {
    if made.exists() {
        println!("{what}.");
    } else {
        println!("{what}; the first time that takes a while: {how_long}.");
    }
}
