//! The list of single b-threads, each with a switch.

use notation::escaped;

use super::html::{Html, filled};
use super::state::Lab;

/// The most members of a family that are listed.
const MOST_LISTED: usize = 200;

impl Lab {
    /// The families that have several b-threads, each with its members.
    pub(super) fn thread_list(&self) -> String {
        let families = self.text().families();
        let mut html = Html::default();
        for family in families.iter().filter(|family| family.members.len() > 1) {
            let count = filled(self.words().members, &[("count", &family.members.len())]);
            html.add(format_args!(
                "<details id=\"members-{0}\"><summary><code>{0}</code> · {1}</summary><ul class=\"members\">",
                escaped(&family.name),
                escaped(&count)
            ));
            for member in family.members.iter().take(MOST_LISTED) {
                html.add(format_args!("<li>"));
                self.switch(&mut html, member);
                html.add(format_args!("<code>{}</code></li>", escaped(member)));
            }
            html.add(format_args!("</ul></details>"));
        }
        html.finish()
    }
}
