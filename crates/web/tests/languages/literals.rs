//! The string literals of a Rust file.

/// A string literal, and what stands before it.
#[derive(Debug)]
pub(crate) struct Literal {
    /// The code before it, without blanks at its end.
    pub(crate) before: String,
    /// What it means.
    pub(crate) text: String,
}

/// All string literals of a source, without those of its tests.
pub(crate) fn literals(source: &str) -> Vec<Literal> {
    let source = source.split("#[cfg(test)]\nmod tests").next().expect("a split has a first part");
    let letters: Vec<char> = source.chars().collect();
    let (mut found, mut at) = (Vec::new(), 0);
    while at < letters.len() {
        match letters[at] {
            '/' if letters.get(at + 1) == Some(&'/') => {
                at += letters[at..].iter().take_while(|letter| **letter != '\n').count();
            }
            // A letter in quotes, such as '"'; a lifetime has no second quote.
            '\'' if letters.get(at + 2) == Some(&'\'') => at += 3,
            '\'' if letters.get(at + 1) == Some(&'\\') => at += 4,
            '"' => {
                let start = at;
                let (text, end) = literal(&letters, at + 1);
                let before: String = letters[start.saturating_sub(120)..start].iter().collect();
                found.push(Literal { before: before.trim_end().to_owned(), text });
                at = end;
            }
            _ => at += 1,
        }
    }
    found
}

/// The literal whose first letter is at this place, and the place behind its quote.
fn literal(letters: &[char], mut at: usize) -> (String, usize) {
    let mut text = String::new();
    while at < letters.len() && letters[at] != '"' {
        if letters[at] != '\\' {
            text.push(letters[at]);
            at += 1;
            continue;
        }
        match letters.get(at + 1) {
            // The line goes on behind the blanks of the next one.
            Some('\n') => {
                at += 2;
                at += letters[at..].iter().take_while(|letter| letter.is_whitespace()).count();
            }
            Some(escaped) => {
                text.push(if *escaped == 'n' { '\n' } else { *escaped });
                at += 2;
            }
            None => at += 1,
        }
    }
    (text, at + 1)
}
