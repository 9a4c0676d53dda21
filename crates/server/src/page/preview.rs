//! What messengers show of a link: a title, a sentence and a picture.

use std::sync::Arc;

use axum::http::{HeaderMap, header};
use table::TableView;

use super::built_in::escaped;
use super::preview_picture::{PreviewedReplay, replay_of};
use crate::TableId;
use crate::api::tables::fetch;
use crate::app::App;
use crate::work_pool::Payer;

/// The title, the sentence and the picture of a link. The document has its own in place of what is missing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct LinkPreview {
    title: Option<String>,
    sentence: Option<String>,
    /// The path of the picture.
    picture: Option<String>,
}

/// The elements of the document that a preview replaces.
const TITLE: &str = "<meta property=\"og:title\" content=\"";
const SENTENCE: &str = "<meta property=\"og:description\" content=\"";
const PICTURE: &str = "<meta property=\"og:image\" content=\"";

/// Makes messengers show a picture of a board as large as it is.
const LARGE: &str = "<meta name=\"twitter:card\" content=\"summary_large_image\">";

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
        let view = &welcome.view;
        let title = app.tables.catalog.description(&view.game).map(|game| game.title);
        Some(Self::of_view(id, view, title))
    }

    fn of_view(id: TableId, view: &TableView, title: Option<String>) -> Self {
        let game = title.unwrap_or_else(|| plain_title(&view.game));
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
        // The address changes with the board, because messengers keep pictures for days.
        let picture = view
            .picture
            .board
            .is_some()
            .then(|| format!("/preview/table/{id}?version={}", view.version));
        Self { title: Some(title), sentence: Some(sentence.to_owned()), picture }
    }

    /// The preview of a place below `/play`, if there is more to say than the document does.
    pub(crate) async fn of_place(app: &Arc<App>, payer: Payer, place: &str) -> Option<Self> {
        match place.trim_end_matches('/').split('/').collect::<Vec<_>>().as_slice() {
            ["game" | "computer" | "one-screen" | "friend" | "anybody", name] => {
                Self::of_game(app, name)
            }
            ["replay", game, plies] => Self::of_replay(app, payer, game, plies, None).await,
            ["replay", game, plies, ply] => {
                Self::of_replay(app, payer, game, plies, Some(ply)).await
            }
            ["puzzle"] => Some(Self {
                title: Some("The puzzle of the day".to_owned()),
                sentence: Some("Find the only move that wins.".to_owned()),
                picture: None,
            }),
            _ => None,
        }
    }

    fn of_game(app: &Arc<App>, name: &str) -> Option<Self> {
        let declared = app.tables.catalog.declared(name).ok()?;
        let about = app.tables.catalog.description(name);
        let (title, sentence) = match about {
            Some(about) => (about.title, Some(about.summary)),
            None => (plain_title(name), declared.summary().map(str::to_owned)),
        };
        let picture = Some(format!("/preview/game/{}", declared.name()));
        Some(Self { title: Some(title), sentence, picture })
    }

    async fn of_replay(
        app: &Arc<App>,
        payer: Payer,
        game: &str,
        plies: &str,
        ply: Option<&str>,
    ) -> Option<Self> {
        let PreviewedReplay { ending, board } =
            replay_of(&app.tables, payer, game, plies, ply).await.ok()?;
        let about = app.tables.catalog.description(game);
        let title = about.map_or_else(|| plain_title(game), |about| about.title);
        let title = match ending {
            Some(ending) => format!("{title}: {ending}"),
            None => format!("{title}, replayed"),
        };
        let ply = ply.map(|ply| format!("/{ply}")).unwrap_or_default();
        let picture = board.is_some().then(|| format!("/preview/replay/{game}/{plies}{ply}"));
        let sentence = "Look at the game again, ply by ply, with the value of every move.";
        Some(Self { title: Some(title), sentence: Some(sentence.to_owned()), picture })
    }

    /// The document with this preview. The picture gets a whole address, as messengers need it.
    pub(crate) fn put_into(&self, document: &str, headers: &HeaderMap, scheme: &str) -> String {
        let mut document = document.to_owned();
        if let Some(title) = &self.title {
            document = replaced(&document, TITLE, title, "");
        }
        if let Some(sentence) = &self.sentence {
            document = replaced(&document, SENTENCE, sentence, "");
        }
        let Some(host) = headers.get(header::HOST).and_then(|host| host.to_str().ok()) else {
            return document;
        };
        let (path, more) = match &self.picture {
            Some(path) => (Some(path.as_str()), LARGE),
            None => (content(&document, PICTURE), ""),
        };
        match path.map(|path| format!("{scheme}://{host}{path}")) {
            Some(address) => replaced(&document, PICTURE, &address, more),
            None => document,
        }
    }
}

/// The title of a game that nobody has described.
fn plain_title(name: &str) -> String {
    // The digest of a text says nothing to people.
    name.split('@').next().unwrap_or_default().replace('-', " ")
}

/// The content of one element of the document.
fn content<'a>(document: &'a str, element: &str) -> Option<&'a str> {
    let (_, rest) = document.split_once(element)?;
    Some(rest.split_once('"')?.0)
}

/// The document with another content of one element, and with more elements behind it.
fn replaced(document: &str, element: &str, content: &str, more: &str) -> String {
    let Some((before, rest)) = document.split_once(element) else { return document.to_owned() };
    let Some((_, after)) = rest.split_once("\">") else { return document.to_owned() };
    format!("{before}{element}{}\">{more}{after}", escaped(content))
}

#[cfg(test)]
mod tests {
    use super::*;

    const DOCUMENT: &str = "<meta property=\"og:title\" content=\"Old\">\
        <meta property=\"og:image\" content=\"/assets/icon.png\">\
        <meta property=\"og:description\" content=\"Old too\"><p>Old</p>";

    fn check(preview: &LinkPreview, document: &str) -> String {
        let mut headers = HeaderMap::new();
        headers.insert(header::HOST, "play.example".parse().unwrap());
        preview.put_into(document, &headers, "https")
    }

    #[test]
    fn the_title_the_sentence_and_the_picture_are_replaced() {
        let preview = LinkPreview {
            title: Some("<Ada> & \"Bob\"".into()),
            sentence: Some("Come.".into()),
            picture: Some("/preview/table/x?version=3".into()),
        };
        let expected = "<meta property=\"og:title\" content=\"&lt;Ada&gt; &amp; &quot;Bob&quot;\">\
            <meta property=\"og:image\" content=\"https://play.example/preview/table/x?version=3\">\
            <meta name=\"twitter:card\" content=\"summary_large_image\">\
            <meta property=\"og:description\" content=\"Come.\"><p>Old</p>";
        assert_eq!(check(&preview, DOCUMENT), expected);
        assert_eq!(check(&preview, "<p>Old</p>"), "<p>Old</p>");
    }

    #[test]
    fn without_a_preview_the_picture_of_the_document_gets_a_whole_address() {
        let expected = DOCUMENT.replace("\"/assets", "\"https://play.example/assets");
        assert_eq!(check(&LinkPreview::default(), DOCUMENT), expected);
    }
}
