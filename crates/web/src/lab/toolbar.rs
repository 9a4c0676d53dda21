//! The headings and the buttons above everything.

use notation::escaped;

use super::html::Html;
use super::state::Lab;
use super::{EXAMPLES, LESSONS};
use crate::language::say;

impl Lab {
    /// The headings, which never change.
    pub(super) fn headings(&self) -> Vec<(&'static str, String)> {
        let words = self.words();
        let weave = format!(
            "{} <small>{}</small>",
            escaped(words.weave_heading),
            escaped(words.weave_legend)
        );
        vec![
            ("rules-heading", escaped(words.rules_heading)),
            ("play-heading", escaped(words.play_heading)),
            ("proof-heading", escaped(words.proof_heading)),
            ("weave-heading", weave),
            ("states-heading", escaped(words.states_heading)),
            ("text-keys", escaped(words.text_keys)),
            ("toolbar", self.toolbar()),
            ("jump", self.jumps()),
        ]
    }

    /// The ways to the parts of the lab, for small screens.
    fn jumps(&self) -> String {
        let words = self.words();
        let mut html = Html::default();
        for (to, label) in [
            ("rules-heading", words.rules_heading),
            ("play-heading", words.play_heading),
            ("proof-heading", words.proof_heading),
            ("weave-heading", words.weave_heading),
            ("states-heading", words.states_heading),
        ] {
            html.add(format_args!(
                "<button type=\"button\" data-jump=\"{to}\">{}</button>",
                escaped(label)
            ));
        }
        html.finish()
    }

    fn toolbar(&self) -> String {
        let words = self.words();
        let mut html = Html::default();
        html.add(format_args!(
            "<select id=\"examples\" data-change=\"example\" aria-label=\"{0}\" title=\"{1}\">\
             <option value=\"\">{0}</option>",
            escaped(words.examples),
            escaped(words.choose_example)
        ));
        for example in EXAMPLES {
            html.add(format_args!("<option>{}</option>", escaped(example.name)));
        }
        html.add(format_args!(
            "</select><select id=\"lessons\" data-change=\"lesson\" aria-label=\"{0}\" title=\"{1}\">\
             <option value=\"\">{0}</option>",
            escaped(words.lessons),
            escaped(words.choose_example)
        ));
        for lesson in LESSONS {
            let title = escaped(&say(lesson.title));
            html.add(format_args!("<option value=\"{}\">{title}</option>", lesson.id));
        }
        html.add(format_args!(
            "</select><label class=\"file\">{}<input type=\"file\" id=\"file\" \
             accept=\".cradle,text/plain\"></label>",
            escaped(words.open_file)
        ));
        html.button("download", "", words.download);
        html.button("format", "", words.format);
        html.button("share", "", words.share);
        html.button("friend", "", words.friend);
        html.styled_button("main", "prove", "", words.prove);
        html.finish()
    }
}
