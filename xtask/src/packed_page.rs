//! The page for players: compiled to WebAssembly, packed for browsers, and built into the command.

use std::path::{Path, PathBuf};

use crate::build_progress::Timer;
use crate::command_line::CommandLine;
use crate::lanes::Lane;
use crate::toolchain::{self, WASM};
use crate::{TaskFailure, Workspace, lanes};

/// Names the folder of the packed page to the build script of `cradle`.
const VARIABLE: &str = "CRADLE_PAGE";

/// The page as browsers load it.
#[derive(Debug)]
pub(crate) struct PackedPage {
    /// The folder that `pack` writes.
    folder: PathBuf,
    /// The compiled programs.
    programs: Vec<PathBuf>,
}

/// The programs that browsers run: the first part of the page, the whole page, their worker, and the lab,
/// which is its own worker as well.
const PROGRAMS: [&str; 4] = ["web", "pages", "search", "lab"];

impl PackedPage {
    /// The page in the target folder, whether or not it is built yet.
    pub(crate) fn new(workspace: &Workspace) -> Self {
        let compiled = workspace.target.join(WASM).join("page");
        let programs = PROGRAMS.map(|name| compiled.join(name).with_extension("wasm"));
        Self { folder: workspace.target.join("packed-page"), programs: programs.into() }
    }

    /// Compiles and packs the page. Files that would not change are not written again, so that
    /// nothing that contains them is built again.
    ///
    /// # Errors
    /// If the page does not compile, or its files do not fit together.
    pub(crate) fn build(&self, workspace: &Workspace, lane: &Lane<'_>) -> Result<(), TaskFailure> {
        lane.begin("packing tool");
        lane.build(CommandLine::new(&workspace.root, "cargo", &["build", "--package", "pack"]))?;
        Self::compile(workspace, lane)?;
        self.pack(workspace, &workspace.target.join("debug").join("pack"), lane)
    }

    /// Compiles the programs of the page.
    ///
    /// # Errors
    /// If they do not compile.
    pub(crate) fn compile(workspace: &Workspace, lane: &Lane<'_>) -> Result<(), TaskFailure> {
        let root = &workspace.root;
        toolchain::install_wasm(root)?;
        lane.begin("page");
        let package = ["build", "--package", "web", "--features", "page"];
        let compile = [&package[..], &["--profile", "page", "--target", WASM]].concat();
        lane.build(CommandLine::new(root, "cargo", &compile))
    }

    /// Packs the compiled page with this tool.
    ///
    /// # Errors
    /// If its files do not fit together.
    pub(crate) fn pack(
        &self,
        workspace: &Workspace,
        tool: &Path,
        lane: &Lane<'_>,
    ) -> Result<(), TaskFailure> {
        lane.begin("packing the page");
        let (root, tool) = (&workspace.root, tool.display().to_string());
        let files = root.join("crates/web/page");
        let paths = [&files, &self.folder].into_iter().chain(&self.programs);
        let paths: Vec<String> = paths.map(|path| path.display().to_string()).collect();
        let paths: Vec<&str> = paths.iter().map(String::as_str).collect();
        CommandLine::new(root, &tool, &paths).run_silently()
    }

    /// Builds the page with nothing beside it.
    ///
    /// # Errors
    /// If the page cannot be built.
    pub(crate) fn build_alone(&self, workspace: &Workspace) -> Result<(), TaskFailure> {
        lanes::run(&[&|lane| self.build(workspace, lane)], Timer::start(None))
    }

    /// The same program with the folder of the page in its environment: Cargo, which builds the command
    /// with it, or a program that reads its files.
    pub(crate) fn with(&self, program: CommandLine) -> CommandLine {
        program.with(VARIABLE, &self.folder.display().to_string())
    }
}
