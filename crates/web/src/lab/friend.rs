//! A table with the rules of the lab, for the person and a friend.

use notation::{TextForm, escaped};

use super::html::Html;
use super::spoken::spoken;
use super::state::{Lab, LabEffect};

/// How far a table with these rules is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum FriendTable {
    /// Nobody asked for one.
    #[default]
    None,
    /// The server is asked.
    Asked,
    /// It is there.
    Open {
        /// Its link.
        link: String,
        /// Its spoken code.
        code: String,
    },
    /// There is none, for this reason.
    Refused(String),
}

impl Lab {
    /// Asks for a table with these rules, if they can be played.
    pub(super) fn invite_friend(&mut self) -> Vec<LabEffect> {
        let words = self.words();
        let why_not = match self.text().built() {
            None => Some(words.fix_first),
            Some(built) if built.form() == TextForm::Program => Some(words.friend_program),
            // The friend gets the text, in which nothing is switched off.
            Some(_) if !self.switched_off().is_empty() => Some(words.friend_switched),
            Some(_) => None,
        };
        if let Some(why_not) = why_not {
            return self.hear_table(Err(why_not.to_owned()));
        }
        self.friend = FriendTable::Asked;
        vec![LabEffect::CreateTable(self.text().source().to_owned())]
    }

    /// The server's answer: the link and the code of the table, or why there is none.
    pub fn hear_table(&mut self, answer: Result<(String, String), String>) -> Vec<LabEffect> {
        self.friend = match answer {
            Ok((link, code)) => FriendTable::Open { link, code },
            Err(sentence) => FriendTable::Refused(sentence),
        };
        vec![LabEffect::Focus("friend-heading".to_owned())]
    }

    pub(super) fn friend_panel(&self) -> String {
        let words = self.words();
        let mut html = Html::default();
        let (heading, rest) = match &self.friend {
            FriendTable::None => return String::new(),
            FriendTable::Asked => (words.friend_asked, String::new()),
            FriendTable::Refused(why) => (
                words.friend_refused,
                format!("<p class=\"sentence\">{}</p>", escaped(&spoken(why))),
            ),
            FriendTable::Open { link, code } => (words.friend_open, open_table(self, link, code)),
        };
        html.add(format_args!(
            "<section class=\"card\" aria-labelledby=\"friend-heading\">\
             <h2 id=\"friend-heading\" tabindex=\"-1\">{}</h2>{rest}",
            escaped(heading)
        ));
        html.button("friend-close", "", words.close);
        html.add(format_args!("</section>"));
        html.finish()
    }
}

fn open_table(lab: &Lab, link: &str, code: &str) -> String {
    let words = lab.words();
    let (link, code) = (escaped(link), escaped(code));
    let mut html = Html::default();
    html.add(format_args!(
        "<p>{}</p><p><input id=\"friend-link\" readonly aria-label=\"{}\" value=\"{link}\"></p>\
         <p>{} <b class=\"code\">{code}</b></p>\
         <a class=\"button main\" id=\"friend-go\" href=\"{link}\">{}</a>",
        escaped(words.friend_sentence),
        escaped(words.friend_link),
        escaped(words.friend_code),
        escaped(words.friend_go),
    ));
    html.finish()
}
