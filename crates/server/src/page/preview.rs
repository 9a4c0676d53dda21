//! What messengers show of a link to a table.

use std::sync::Arc;

use axum::http::{HeaderMap, header};
use table::TableView;

use super::built_in::escaped;
use crate::TableId;
use crate::api::tables::fetch;
use crate::app::App;
use crate::work_pool::Payer;

/// The title and the sentence of a link.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct LinkPreview {
    title: String,
    sentence: String,
}

/// The elements of the document that a preview replaces.
const TITLE: &str = "<meta property=\"og:title\" content=\"";
const SENTENCE: &str = "<meta property=\"og:description\" content=\"";
const PICTURE: &str = "<meta property=\"og:image\" content=\"/";

/// Whether a request comes from a program that reads the document, such as a messenger. Browsers say what
/// they load a document for; they get the document as it is, compressed.
pub(crate) fn is_for_program(headers: &HeaderMap) -> bool {
    !headers.contains_key("sec-fetch-mode")
}

impl LinkPreview {
    /// The preview of a table, if it exists.
    pub(crate) async fn of_table(app: &Arc<App>, payer: Payer, id: &str) -> Option<Self> {
        let id: TableId = id.parse().ok()?;
        let welcome = fetch(&app.tables, payer, id, None).await.ok()?;
        Some(Self::of_view(&welcome.view))
    }

    fn of_view(view: &TableView) -> Self {
        // The digest of a text says nothing to people.
        let game = view.game.split('@').next().unwrap_or_default().replace('-', " ");
        let players: Vec<&str> =
            view.seats.iter().filter_map(|seat| seat.name.as_deref()).collect();
        let is_free = view.seats.iter().any(|seat| seat.name.is_none() && seat.computer.is_none());
        let title = match (is_free, players.as_slice()) {
            (true, [host]) => format!("{host} invites you to {game}"),
            (true, _) => format!("A seat is free: {game}"),
            (false, players) => format!("{}: {game}", players.join(" and ")),
        };
        let sentence =
            if is_free { "Open the link to join or to watch." } else { "Open the link to watch." };
        Self { title, sentence: sentence.to_owned() }
    }

    /// The document with this preview. The picture gets a whole address, as messengers need it.
    pub(crate) fn put_into(&self, document: &str, headers: &HeaderMap, scheme: &str) -> String {
        let document = replaced(document, TITLE, &self.title);
        let document = replaced(&document, SENTENCE, &self.sentence);
        let host = headers.get(header::HOST).and_then(|host| host.to_str().ok());
        match host {
            Some(host) => {
                let host = escaped(host);
                let whole = PICTURE.replace("=\"/", &format!("=\"{scheme}://{host}/"));
                document.replacen(PICTURE, &whole, 1)
            }
            None => document,
        }
    }
}

/// The document with another content of one element.
fn replaced(document: &str, element: &str, content: &str) -> String {
    let Some((before, rest)) = document.split_once(element) else { return document.to_owned() };
    let Some((_, after)) = rest.split_once('"') else { return document.to_owned() };
    format!("{before}{element}{}\"{after}", escaped(content))
}

#[cfg(test)]
mod tests {
    use super::*;

    const DOCUMENT: &str = "<meta property=\"og:title\" content=\"Old\">\
        <meta property=\"og:description\" content=\"Old too\">\
        <meta property=\"og:image\" content=\"/assets/icon.png\"><p>Old</p>";

    #[test]
    fn the_title_the_sentence_and_the_address_of_the_picture_are_replaced() {
        let preview = LinkPreview { title: "<Ada> & \"Bob\"".into(), sentence: "Come.".into() };
        let mut headers = HeaderMap::new();
        headers.insert(header::HOST, "play.example".parse().unwrap());
        let expected = "<meta property=\"og:title\" content=\"&lt;Ada&gt; &amp; &quot;Bob&quot;\">\
            <meta property=\"og:description\" content=\"Come.\">\
            <meta property=\"og:image\" content=\"https://play.example/assets/icon.png\"><p>Old</p>";
        assert_eq!(preview.put_into(DOCUMENT, &headers, "https"), expected);
        assert_eq!(preview.put_into("<p>Old</p>", &headers, "https"), "<p>Old</p>");
    }
}
