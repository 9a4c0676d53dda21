//! Texts that are saved in the browser under names.

use notation::escaped;

use super::html::{Html, filled};
use super::state::{Lab, LabEffect};

/// A text that is saved in the browser.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SavedText {
    /// The name that a person gave it.
    pub name: String,
    /// The text.
    pub text: String,
}

/// All saved texts, by name, and the one that was deleted last.
#[derive(Debug, Default)]
pub(super) struct SavedTexts {
    list: Vec<SavedText>,
    deleted: Option<SavedText>,
}

/// The most saved texts, and the most letters of a name.
const MOST_SAVED: usize = 100;
const LONGEST_NAME: usize = 60;

impl SavedTexts {
    pub(super) fn new(mut list: Vec<SavedText>) -> Self {
        list.truncate(MOST_SAVED);
        Self { list, deleted: None }
    }

    pub(super) fn find(&self, name: &str) -> Option<&SavedText> {
        self.list.iter().find(|saved| saved.name == name)
    }

    /// Saves a text in place of one of the same name.
    fn put(&mut self, saved: SavedText) {
        self.list.retain(|other| other.name != saved.name);
        // Inserted in its place: the library's sort would make the lab larger.
        let place = self.list.partition_point(|other| other.name < saved.name);
        self.list.insert(place, saved);
        self.list.truncate(MOST_SAVED);
    }

    fn take(&mut self, name: &str) -> Option<SavedText> {
        let place = self.list.iter().position(|saved| saved.name == name)?;
        Some(self.list.remove(place))
    }
}

fn tidy(name: &str) -> String {
    name.trim().chars().take(LONGEST_NAME).collect()
}

impl Lab {
    /// Saves, renames, deletes and brings back texts.
    pub(super) fn change_saved(&mut self, action: &str, value: &str) -> Vec<LabEffect> {
        let words = self.words();
        let text = self.text().source().to_owned();
        let own_name = self.text().name();
        let saved = self.saved_mut();
        let told = match action {
            "save" => {
                let name = Some(tidy(value)).filter(|name| !name.is_empty()).unwrap_or(own_name);
                saved.put(SavedText { name: name.clone(), text });
                filled(words.saved, &[("name", &name)])
            }
            "rename" => {
                let (old, new) = value.split_once('\n').unwrap_or((value, ""));
                let new = tidy(new);
                if new.is_empty() {
                    return vec![LabEffect::Announce(words.name_missing.to_owned())];
                }
                let Some(found) = saved.take(old) else { return Vec::new() };
                saved.put(SavedText { name: new.clone(), ..found });
                filled(words.renamed, &[("old", &old), ("new", &new)])
            }
            "delete" => {
                let Some(found) = saved.take(value) else { return Vec::new() };
                saved.deleted = Some(found);
                filled(words.deleted, &[("name", &value)])
            }
            _ => {
                let Some(found) = saved.deleted.take() else { return Vec::new() };
                let told = filled(words.saved, &[("name", &found.name)]);
                saved.put(found);
                told
            }
        };
        vec![LabEffect::Store(saved.list.clone()), LabEffect::Announce(told)]
    }

    /// The saved texts, with a field for the name of the next one.
    pub(super) fn saved_panel(&self) -> String {
        let words = self.words();
        let saved = self.saved();
        let mut html = Html::default();
        html.add(format_args!(
            "<details id=\"saved-texts\"><summary>{}</summary><div class=\"save\">\
             <label>{} <input id=\"save-name\" maxlength=\"{LONGEST_NAME}\" autocomplete=\"off\"></label>\
             <button type=\"button\" id=\"do-save\" data-do=\"save\" data-from=\"save-name\">{}</button></div>",
            escaped(words.saved_heading),
            escaped(words.name),
            escaped(words.save)
        ));
        if saved.list.is_empty() {
            html.add(format_args!("<p class=\"hint\">{}</p>", escaped(words.saved_none)));
        }
        html.add(format_args!("<ul class=\"saved\">"));
        for SavedText { name, .. } in &saved.list {
            html.add(format_args!("<li>"));
            html.styled_button("link", "load", name, name);
            let (value, rename) = (escaped(name), filled(words.rename, &[("name", name)]));
            html.add(format_args!(
                "<button type=\"button\" class=\"small\" id=\"do-rename-{value}\" data-do=\"rename\" \
                 data-from=\"save-name\" data-value=\"{value}\" aria-label=\"{}\">{}</button>",
                escaped(&rename),
                escaped(words.rename_short)
            ));
            let delete = filled(words.delete, &[("name", name)]);
            html.add(format_args!(
                "<button type=\"button\" class=\"small\" id=\"do-delete-{value}\" data-do=\"delete\" \
                 data-value=\"{value}\" aria-label=\"{}\">{}</button></li>",
                escaped(&delete),
                escaped(words.delete_short)
            ));
        }
        html.add(format_args!("</ul>"));
        if let Some(deleted) = &saved.deleted {
            let told = filled(words.deleted, &[("name", &deleted.name)]);
            html.add(format_args!("<p class=\"hint\">{} ", escaped(&told)));
            html.button("undelete", "", words.undo);
            html.add(format_args!("</p>"));
        }
        html.add(format_args!("</details>"));
        html.finish()
    }
}
