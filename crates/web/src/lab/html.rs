//! Pieces of HTML.

use std::fmt;

use notation::escaped;

use crate::language::code_in_sentence;

/// HTML that is being written. What people have written goes in only through [`escaped`].
#[derive(Debug, Default)]
pub(super) struct Html(String);

impl Html {
    pub(super) fn add(&mut self, piece: fmt::Arguments<'_>) {
        fmt::Write::write_fmt(&mut self.0, piece).expect("writing to a string cannot fail");
    }

    /// A button: `action` and `value` are what it does, `label` is what it says.
    pub(super) fn button(&mut self, action: &str, value: &str, label: &str) {
        self.styled_button("", action, value, label);
    }

    /// The same with a class.
    pub(super) fn styled_button(&mut self, class: &str, action: &str, value: &str, label: &str) {
        let (value, label) = (escaped(value), escaped(label));
        self.add(format_args!(
            "<button type=\"button\" class=\"{class}\" id=\"do-{action}-{value}\" \
             data-do=\"{action}\" data-value=\"{value}\">{label}</button>"
        ));
    }

    pub(super) fn finish(self) -> String {
        self.0
    }
}

/// A sentence of the catalogue with its gaps filled: `{states}` becomes a number.
pub(super) fn filled(template: &str, values: &[(&str, &dyn fmt::Display)]) -> String {
    let mut text = template.to_owned();
    for (name, value) in values {
        text = text.replace(&format!("{{{name}}}"), &code_in_sentence(&value.to_string()));
    }
    text
}

/// A number with commas: `1,234,567`.
pub(super) fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut out = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_commas() {
        let numbers = [0, 999, 1_000, 12_345, 1_234_567].map(grouped);
        assert_eq!(numbers, ["0", "999", "1,000", "12,345", "1,234,567"]);
    }

    #[test]
    fn what_people_write_is_no_markup() {
        let mut html = Html::default();
        html.button("play", "a\"b", "<b>");
        let html = html.finish();
        assert!(html.contains("data-value=\"a&quot;b\"") && html.contains("&lt;b&gt;"), "{html}");
    }
}
