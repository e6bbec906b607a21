//! Rust source as words and signs.

use std::fs;
use std::path::Path;

pub fn text_of(file: &Path) -> Result<String, String> {
    fs::read_to_string(file).map_err(|error| format!("{}: {error}", file.display()))
}

/// A word, `::`, or another sign. Comments are left out, and the text of literals is, except after `path =`.
#[derive(Clone, Debug)]
pub struct Token {
    pub text: String,
    pub line: usize,
}

impl Token {
    pub fn is(&self, text: &str) -> bool {
        self.text == text
    }

    pub fn is_word(&self) -> bool {
        self.text.starts_with(|first: char| first.is_alphabetic() || first == '_')
    }

    pub fn opens(&self) -> bool {
        matches!(self.text.as_str(), "(" | "[" | "{")
    }

    pub fn closes(&self) -> bool {
        matches!(self.text.as_str(), ")" | "]" | "}")
    }
}

/// Where the bracket that opens at `open` is closed, or the end.
pub fn closing(tokens: &[Token], open: usize) -> usize {
    let mut depth = 0;
    for (at, token) in tokens.iter().enumerate().skip(open) {
        depth += usize::from(token.opens());
        depth -= usize::from(token.closes()).min(depth);
        if depth == 0 {
            return at;
        }
    }
    tokens.len()
}

pub fn tokens(text: &str) -> Vec<Token> {
    let chars: Vec<char> = text.chars().collect();
    let (mut tokens, mut at, mut line) = (Vec::new(), 0, 1);
    while at < chars.len() {
        let end = match (chars[at], chars.get(at + 1)) {
            ('/', Some('/')) => end_of(&chars, at, |rest| rest[0] == '\n'),
            ('/', Some('*')) => block_comment(&chars, at),
            ('"', _) => string(&chars, at),
            ('\'', Some(&next)) => character(&chars, at, next),
            (first, _) if first.is_alphanumeric() || first == '_' => word(&chars, at),
            (':', Some(':')) => at + 2,
            _ => at + 1,
        };
        let piece: String = chars[at..end].iter().collect();
        let comment = piece.starts_with("//") || piece.starts_with("/*");
        if !comment && !piece.trim().is_empty() {
            let text = piece.strip_prefix("r#").filter(|raw| !raw.starts_with(['"', '#'])).unwrap_or(&piece);
            tokens.push(Token { text: text.to_owned(), line });
        }
        line += piece.matches('\n').count();
        at = end;
    }
    tokens
}

fn end_of(chars: &[char], start: usize, ends: impl Fn(&[char]) -> bool) -> usize {
    (start..chars.len()).find(|&at| ends(&chars[at..])).unwrap_or(chars.len())
}

fn block_comment(chars: &[char], start: usize) -> usize {
    let (mut depth, mut at) = (0, start);
    while at < chars.len() {
        match chars[at..] {
            ['/', '*', ..] => (depth, at) = (depth + 1, at + 2),
            ['*', '/', ..] => (depth, at) = (depth - 1, at + 2),
            _ => at += 1,
        }
        if depth == 0 {
            break;
        }
    }
    at
}

fn string(chars: &[char], start: usize) -> usize {
    let mut at = start + 1;
    while at < chars.len() && chars[at] != '"' {
        at += if chars[at] == '\\' { 2 } else { 1 };
    }
    (at + 1).min(chars.len())
}

/// A character, or the quote of a lifetime.
fn character(chars: &[char], start: usize, next: char) -> usize {
    if next == '\\' {
        (end_of(chars, start + 3, |rest| rest[0] == '\'') + 1).min(chars.len())
    } else if chars.get(start + 2) == Some(&'\'') {
        start + 3
    } else {
        start + 1
    }
}

/// A word or number, or a string with a prefix: `r"`, `b"`, `br#"`, `r#word`.
fn word(chars: &[char], start: usize) -> usize {
    let end = end_of(chars, start, |rest| !rest[0].is_alphanumeric() && rest[0] != '_');
    let prefix: String = chars[start..end].iter().collect();
    let hashes = chars[end..].iter().take_while(|&&next| next == '#').count();
    match (prefix.as_str(), chars.get(end + hashes)) {
        ("r" | "br" | "cr", Some('"')) => {
            let closed =
                |rest: &[char]| rest[0] == '"' && rest[1..].iter().take_while(|&&next| next == '#').count() >= hashes;
            (end_of(chars, end + hashes + 1, closed) + 1 + hashes).min(chars.len())
        }
        ("b" | "c", Some('"')) if hashes == 0 => string(chars, end),
        ("r", Some(next)) if hashes == 1 && (next.is_alphabetic() || *next == '_') => {
            end_of(chars, end + 1, |rest| !rest[0].is_alphanumeric() && rest[0] != '_')
        }
        _ => end,
    }
}

/// Takes out what is only there in tests: items under `#[cfg(test)]`, `#[cfg(doctest)]` and `#[test]`.
pub fn without_tests(tokens: &[Token]) -> Vec<Token> {
    let mut kept = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        let inner = tokens.get(at + 1).is_some_and(|token| token.is("!"));
        let open = at + 1 + usize::from(inner);
        if !tokens[at].is("#") || !tokens.get(open).is_some_and(|token| token.is("[")) {
            kept.push(tokens[at].clone());
            at += 1;
            continue;
        }
        let close = closing(tokens, open).min(tokens.len() - 1);
        if !is_for_tests(&tokens[open + 1..close]) {
            kept.extend_from_slice(&tokens[at..=close]);
            at = close + 1;
        } else if inner {
            // The rest of the module that it is in.
            let mut depth = 1_usize;
            at = close + 1;
            while at < tokens.len() {
                depth += usize::from(tokens[at].opens());
                depth -= usize::from(tokens[at].closes());
                if depth == 0 {
                    break;
                }
                at += 1;
            }
        } else {
            at = end_of_item(tokens, close + 1);
        }
    }
    kept
}

/// `test`, or `cfg(..)` of what holds in tests only.
fn is_for_tests(attribute: &[Token]) -> bool {
    let words: Vec<_> = attribute.iter().map(|token| token.text.as_str()).collect();
    match words[..] {
        ["test"] | ["cfg", "(", "test" | "doctest", ..] => true,
        ["cfg", "(", "all", "(", ref rest @ ..] => {
            !rest.contains(&"not") && !rest.contains(&"any") && (rest.contains(&"test") || rest.contains(&"doctest"))
        }
        ["cfg", "(", "any", "(", ref rest @ ..] => {
            rest.iter().all(|word| matches!(*word, "test" | "doctest" | "," | ")")) && rest.contains(&"test")
        }
        _ => false,
    }
}

/// Just after the item, field, arm or statement that begins here, with the attributes that it has still.
fn end_of_item(tokens: &[Token], start: usize) -> usize {
    let mut at = start;
    while tokens.get(at).is_some_and(|token| token.is("#")) {
        at = closing(tokens, at + 1) + 1;
    }
    let mut first = at;
    while tokens.get(first).is_some_and(|token| token.is("pub")) {
        first += 1;
        if tokens.get(first).is_some_and(|token| token.is("(")) {
            first = closing(tokens, first) + 1;
        }
    }
    let keyword = tokens.get(first).map_or("", |token| token.text.as_str());
    let constant_function = keyword == "const" && tokens[first..].iter().take(4).any(|token| token.is("fn"));
    let to_semicolon = !constant_function && matches!(keyword, "use" | "const" | "static" | "type" | "let");
    let item = to_semicolon
        || constant_function
        || matches!(keyword, "fn" | "mod" | "impl" | "struct" | "enum" | "trait" | "unsafe" | "async" | "extern")
        || keyword == "macro_rules";
    while at < tokens.len() {
        let token = &tokens[at];
        if token.closes() {
            return at;
        }
        if token.is(";") || (token.is(",") && !item) {
            return at + 1;
        }
        let block = token.is("{");
        at = if token.opens() { closing(tokens, at) + 1 } else { at + 1 };
        if block && item && !to_semicolon {
            return at;
        }
    }
    at
}
