//! The page about what is stored, which is also a page of the documentation.

use axum::response::Html;

use super::built_in::{escaped, framed};

const TEXT: &str = include_str!("../../../../docs/privacy.md");

/// The page about what is stored about players.
pub(crate) async fn privacy() -> Html<String> {
    let back = "<p><a href=\"/\">Back to the game</a></p>";
    Html(framed("What is stored about players", &(html(TEXT) + back)))
}

/// Headings, paragraphs and lists as HTML; the text uses nothing else.
fn html(text: &str) -> String {
    let block = |block: &str| {
        let block = escaped(block.trim());
        if let Some(heading) = block.strip_prefix("## ") {
            format!("<h2>{heading}</h2>")
        } else if let Some(heading) = block.strip_prefix("# ") {
            format!("<h1>{heading}</h1>")
        } else if let Some(items) = block.strip_prefix("- ") {
            format!("<ul><li>{}</li></ul>", items.replace("\n- ", "</li><li>"))
        } else {
            format!("<p>{block}</p>")
        }
    };
    text.split("\n\n").map(block).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headings_paragraphs_and_lists_become_html() {
        let text = "# One\n\nA < B.\n\n## Two\n\n- a\n- b\n";
        let expected = "<h1>One</h1><p>A &lt; B.</p><h2>Two</h2><ul><li>a</li><li>b</li></ul>";
        assert_eq!(html(text), expected);
    }

    #[test]
    fn the_text_needs_nothing_else() {
        for mark in ["`", "**", "](", "|", "### "] {
            assert!(!TEXT.contains(mark), "{mark}");
        }
    }
}
