// Reads the API docs of public types from Rust source, and turns them into Markdown. Knows only what this repository uses: doc
// comments, `doc` attributes that depend on the dimension, figures, and links to types and their members.

import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";

// A doc comment, or an attribute: its condition, and its figure or text.
const DOCS = /^ *\/\/\/ ?(.*)|#\[cfg_attr\(\s*([^,]+),\s*doc = (?:figure!\("(\w+)"\)|("(?:[^"\\]|\\.)*"))/gm;
// A field or a variant, in the body of a type that rustfmt has formatted.
const MEMBER = /^ {4}(?:pub )?(\w+)(?:: (.+)|(\(.+\)))?,$/;

function docs(block, figure) {
  const lines = [...block.matchAll(DOCS)].map(([, line, condition, name, text]) => {
    if (condition === "dim3") return [];
    return name ? figure(name) : text ? JSON.parse(text) : line;
  });
  return lines.flat().join("\n");
}

function members(kind, body, figure) {
  const found = [];
  let block = "";
  for (const line of body.split("\n")) {
    const [, name, type, values] = line.match(MEMBER) ?? [];
    block += `${line}\n`;
    if (!name) continue;
    const isPublic = kind === "enum" || line.trim().startsWith("pub ");
    if (isPublic && !block.includes("#[cfg(dim3)]")) {
      const signature = type ? `${name}: ${type}` : `${name}${values ?? ""}`;
      found.push({ name, signature: signature.replace(/#\[\w+\] /g, ""), docs: docs(block, figure) });
    }
    block = "";
  }
  return { members: found, rest: block };
}

// The documented public types in a folder, by name. `figure` returns the Markdown of a figure.
export function readTypes(folder, figure) {
  const types = new Map();
  for (const path of readdirSync(folder, { recursive: true }).filter((path) => path.endsWith(".rs"))) {
    const text = readFileSync(join(folder, path), "utf8");
    for (const item of text.matchAll(/^pub (struct|enum) (\w+).*?(?:\{\n(.*?)^\}|;)$/gms)) {
      const [, kind, name, body = ""] = item;
      const block = text.slice(text.lastIndexOf("\n\n", item.index), item.index);
      types.set(name, { name, kind, docs: docs(block, figure), ...members(kind, body, figure) });
    }
  }
  return types;
}

// The types that the members of a type mention, and those that their members mention, except those in `others`.
export function parts(type, types, others, found = new Map()) {
  const mentioned = type.members.flatMap(({ signature }) => signature.match(/(?<=\W)[A-Z]\w+/g) ?? []);
  for (const name of mentioned) {
    if (!types.has(name) || others.has(name) || found.has(name)) continue;
    parts(types.get(name), types, others, found.set(name, types.get(name)));
  }
  return found;
}

// Markdown with links in place of intra-doc links. `address` returns the address of a type or of its member, or undefined.
function link(text, self, address) {
  return text.replace(/\[([^[\]]+)\]\(([\w:]+)\)|\[`([^`]+)`\]/g, (_, label, target, name) => {
    const path = (target ?? name).split("::").map((part) => (part === "Self" ? self : part));
    const to = address(...path.slice(-2)) ?? address(path.at(-1));
    label ??= `\`${name}\``;
    return to ? `[${label}](${to})` : label;
  });
}

// The Markdown of the docs of a type or of a member. Headings get the level below `level`.
function markdown(text, self, level, address) {
  const pieces = text.split(/^(```[^]*?^```)$/m);
  const prose = (piece) => link(piece.replace(/^#+ /gm, (marks) => "#".repeat(level) + marks), self, address);
  const code = (piece) => piece.replace(/^```\w*\n/, "```rust\n");
  return pieces.map((piece, number) => (number % 2 ? code(piece) : prose(piece))).join("");
}

// The Markdown of a type, without its name: its docs, and a list of its fields or variants.
export function describe(type, level, address) {
  if (type.rest.includes("///")) throw new Error(`${type.name}: cannot read ${type.rest}`);
  const text = (docs) => markdown(docs, type.name, level, address);
  if (type.members.length === 0) return text(type.docs);
  const list = type.members.map(({ name, signature, docs }) => {
    return `- <a id="${type.name}.${name}"></a>**\`${signature}\`**: ${text(docs).replaceAll("\n", "\n  ")}`;
  });
  const heading = `${"#".repeat(level + 1)} ${type.kind === "enum" ? "Variants" : "Fields"}`;
  return [text(type.docs), heading, list.join("\n")].join("\n\n");
}
