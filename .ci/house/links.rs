//! The links in Markdown files.

use std::path::{Path, PathBuf};

use crate::entries;
use crate::tokens::text_of;

/// The links that lead to no file of the workspace, or to no heading of a file, a line for each. Links to other sites are not
/// followed.
pub fn dead_links(root: &Path) -> Result<Vec<String>, String> {
    let mut folders = entries(&root.join("crates"))?;
    folders.extend([root.to_owned(), root.join("docs")]);
    let mut dead = Vec::new();
    for folder in folders.iter().filter(|folder| folder.is_dir()) {
        for file in entries(folder)?.into_iter().filter(|path| is_markdown(path)) {
            for (number, line) in prose(&text_of(&file)?) {
                for link in links(line) {
                    if !is_alive(link, &file)? {
                        let name = file.strip_prefix(root).unwrap_or(&file).display();
                        dead.push(format!("dead link: {name}:{}: {link}", number + 1));
                    }
                }
            }
        }
    }
    Ok(dead)
}

fn is_markdown(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "md")
}

/// The lines outside code blocks, with their numbers from 0.
fn prose(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut is_code = false;
    text.lines().enumerate().filter(move |(_, line)| {
        let is_fence = line.trim_start().starts_with("```");
        is_code ^= is_fence;
        !is_code && !is_fence
    })
}

fn links(line: &str) -> impl Iterator<Item = &str> {
    let definition = line.strip_prefix('[').and_then(|line| line.split_once("]: ")).map(|(_, link)| link);
    let inline = ["](", "src=\"", "href=\""].into_iter().flat_map(|before| line.split(before).skip(1));
    inline.chain(definition).filter_map(|rest| rest.split([')', '"', ' ']).next())
}

fn is_alive(link: &str, file: &Path) -> Result<bool, String> {
    if ["http://", "https://", "mailto:"].iter().any(|scheme| link.starts_with(scheme)) {
        return Ok(true);
    }
    let (path, anchor) = link.split_once('#').unwrap_or((link, ""));
    let target =
        if path.is_empty() { file.to_owned() } else { file.parent().map(PathBuf::from).unwrap_or_default().join(path) };
    if anchor.is_empty() || !is_markdown(&target) {
        return Ok(target.exists());
    }
    Ok(target.exists() && prose(&text_of(&target)?).any(|(_, line)| line.starts_with('#') && anchor_of(line) == anchor))
}

/// The anchor of a heading.
fn anchor_of(heading: &str) -> String {
    let text = heading.trim_start_matches('#').trim().to_lowercase().replace(' ', "-");
    text.chars().filter(|letter| letter.is_alphanumeric() || "-_".contains(*letter)).collect()
}
