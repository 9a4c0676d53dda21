//! The texts that the lab offers.

/// A text that the lab offers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LabExample {
    /// The name of its file, without `.cradle`.
    pub name: &'static str,
    /// The text.
    pub text: &'static str,
}

/// Lists texts of the folder `games` by name.
macro_rules! examples {
    ($($name:literal),* $(,)?) => {
        &[$(LabExample {
            name: $name,
            text: include_str!(concat!("../../../../games/", $name, ".cradle")),
        }),*]
    };
}

/// All texts of the folder `games`, the one that the lab opens with first.
pub const EXAMPLES: &[LabExample] = examples![
    "tic-tac-toe",
    "tutorial",
    "misere",
    "wild",
    "notakto",
    "mnk",
    "connect",
    "ultimate",
    "nim",
    "fox-and-hounds",
    "dots-and-boxes",
    "pig",
    "pig-hold",
    "monty-hall",
    "ruin",
    "hot-and-cold",
    "dining",
    "crossing",
    "vending",
    "hanoi",
    "maze",
];

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::path::Path;

    use notation::Document;

    use super::*;

    #[test]
    fn every_text_of_the_folder_is_offered_and_correct() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games");
        let files = folder.read_dir().unwrap().map(|entry| entry.unwrap().path());
        let names: BTreeSet<String> =
            files.map(|path| path.file_stem().unwrap().to_str().unwrap().to_owned()).collect();
        let offered: BTreeSet<String> = EXAMPLES.iter().map(|each| each.name.to_owned()).collect();
        assert_eq!(offered, names);
        for example in EXAMPLES {
            assert!(Document::read(example.text).build(&[]).is_ok(), "{}", example.name);
        }
    }
}
