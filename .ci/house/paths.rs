//! The paths in a piece of code.

use crate::tokens::{Token, closing};

/// The names of modules, from the root of the crate.
pub type ModulePath = Vec<String>;

/// A path that `use` brings in, and the name that it has then.
pub struct Import {
    pub path: ModulePath,
    pub name: String,
    pub line: usize,
}

pub fn imports_of(tokens: &[Token]) -> Vec<Import> {
    let mut imports = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        // `use<'a>` in a type is not an import.
        if token.is("use") && !tokens.get(at + 1).is_some_and(|next| next.is("<")) {
            read_tree(tokens, at + 1, &[], &mut imports);
        }
    }
    imports
}

/// Reads `a::{b, c::D as E}`, and gives where it ends.
fn read_tree(tokens: &[Token], start: usize, prefix: &[String], imports: &mut Vec<Import>) -> usize {
    let mut path = prefix.to_vec();
    let mut at = start;
    while let Some(token) = tokens.get(at) {
        if token.is("{") {
            let end = closing(tokens, at);
            at += 1;
            while at < end {
                at = read_tree(tokens, at, &path, imports) + 1;
            }
            return end + 1;
        } else if token.is("as") {
            let name = tokens.get(at + 1).map_or("_", |name| &name.text).to_owned();
            imports.push(Import { path, name, line: token.line });
            return at + 2;
        } else if token.is("*") {
            imports.push(Import { path, name: "*".to_owned(), line: token.line });
            return at + 1;
        } else if token.is_word() {
            // `{self, A}`: the module itself.
            if !(token.is("self") && !path.is_empty()) {
                path.push(token.text.clone());
            }
        } else if !token.is("::") {
            break;
        }
        at += 1;
    }
    if let (Some(name), Some(token)) = (path.last(), tokens.get(start)) {
        imports.push(Import { name: name.clone(), line: token.line, path });
    }
    at
}

/// Paths in code that begin with a name: `a::b::C`. Those of `use` are left out, and those of `pub(in ..)`.
pub fn inline_paths(tokens: &[Token]) -> Vec<(ModulePath, usize)> {
    let mut paths = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        if tokens[at].is("use") && !tokens.get(at + 1).is_some_and(|next| next.is("<")) {
            while at < tokens.len() && !tokens[at].is(";") {
                at += 1;
            }
            continue;
        }
        let continues =
            at > 0 && (tokens[at - 1].is("::") || tokens[at - 1].is("in") && at > 1 && tokens[at - 2].is("("));
        let mut path = Vec::new();
        let line = tokens[at].line;
        while tokens[at].is_word() && tokens.get(at + 1).is_some_and(|next| next.is("::")) {
            path.push(tokens[at].text.clone());
            at += 2;
            if at == tokens.len() {
                break;
            }
        }
        if !path.is_empty() && !continues {
            if tokens.get(at).is_some_and(Token::is_word) {
                path.push(tokens[at].text.clone());
            }
            paths.push((path, line));
        }
        at += 1;
    }
    paths
}
