// Builds the site in target/site, from the README, the docs, the API docs of the behaviors, the gallery, and the editor:
//
//   web/build && web/editor/build && node web/book/build.mjs [GALLERY FOLDER]
//
// Needs mdBook 0.5: cargo install mdbook --locked

import { spawnSync } from "node:child_process";
import { cpSync, existsSync, readFileSync, statSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { scenes } from "../gallery.mjs";
import { fail, include, write } from "./book.mjs";
import { pageOf, pagesOfTypes } from "./behaviors.mjs";
import { box } from "./scenes.mjs";

const site = "target/site";
const gallery = process.argv[2] ?? "target/gallery";
const editor = "target/editor";

// The path of a file's page in the book.
const pageOfFile = (path) => (path.endsWith(".md") ? path.replace(/README\.md$/, "index.md") : `${path}.md`);

// Files that are not chapters, but that chapters link to. Each gets a page with its text.
const files = new Set();

// Adds a Markdown file. Its links lead to other pages, to pages with the text of files, or to pictures.
function addChapter(path, chapters) {
  const rewrite = (all, before, target, anchor = "") => {
    if (!target || /^\w+:/.test(target)) return all;
    const file = join(dirname(path), target);
    if (!existsSync(file)) fail(`${path}: ${target} does not exist`);
    if (/\.(png|svg)$/.test(file)) return include(file), all;
    if (!file.endsWith(".md")) files.add(file);
    else if (!chapters.includes(file)) fail(`${path}: ${target} is not in web/book/SUMMARY.md`);
    return `${before}${relative(dirname(path), pageOfFile(file))}${anchor}`;
  };
  const prose = (text) => {
    const linked = text.replace(/(\]\(|^\[[^\]]+\]: |(?:src|href)=")([^)"#\s]*)(#[^)"\s]*)?/gm, rewrite);
    return (path === "README.md" ? linkNames(linked) : linked).replaceAll("<img ", '<img loading="lazy" ');
  };
  const pieces = readFileSync(path, "utf8").split(/^(```[^]*?^```)$/m);
  write(pageOfFile(path), pieces.map((piece, number) => (number % 2 ? piece : prose(piece))).join(""));
}

// Links the names in the tables of the README to the pages of behaviors, and to scenes.
function linkNames(text) {
  return text.replace(/^\| `(\w+)` \|/gm, (row, name) => {
    const to = pageOf(name) ?? (scenes.includes(name) ? `gallery/index.html#${name}` : undefined);
    return to ? `| [\`${name}\`](${to}) |` : row;
  });
}

function addFile(path) {
  const language = /\.(rs|json)$/.exec(path)?.[1] ?? "text";
  write(pageOfFile(path), `# ${path}\n\n\`\`\`\`${language}\n${readFileSync(path, "utf8")}\n\`\`\`\`\n`);
}

const program = join(gallery, "app_bg.wasm.brotli");
if (!existsSync(program)) fail(`${program} is missing: run web/build`);
if (!existsSync(editor)) fail(`${editor} is missing: run web/editor/build`);
const megabytes = Math.ceil(statSync(program).size / 1e6);

const { behaviors, constraints, types } = pagesOfTypes(megabytes);
for (const { path, text } of [...behaviors, ...constraints, types]) write(path, text);
write("editor.md", readFileSync("web/book/editor.md", "utf8"));
write("gallery.md", readFileSync("web/book/gallery.md", "utf8").replace("<!-- scene -->", box("flock", "gallery.md", megabytes)));

const summary = readFileSync("web/book/SUMMARY.md", "utf8");
const chapters = [...summary.matchAll(/\((\S+\.md)\)/g)].map(([, path]) => path).filter(existsSync);
for (const path of chapters) addChapter(path, chapters);
for (const path of files) addFile(path);
const list = (pages) => pages.map(({ title, path }) => `- [${title}](${path})`).join("\n");
const listed = summary
  .replace("<!-- behaviors -->", list(behaviors))
  .replace("<!-- constraints -->", list([...constraints, types]))
  .replace("<!-- files -->", [...files].sort().map((path) => `  - [${path}](${pageOfFile(path)})`).join("\n"));
write("SUMMARY.md", listed.replaceAll("README.md", "index.md"));

const { error, status } = spawnSync(process.env.MDBOOK ?? "mdbook", ["build", "web/book", "--dest-dir", join(process.cwd(), site)], {
  env: { MDBOOK_LOG: "warn", ...process.env },
  stdio: ["ignore", "ignore", "inherit"],
});
if (error) fail("mdBook is missing: cargo install mdbook --locked");
if (status) fail("mdBook failed");
cpSync(gallery, join(site, "gallery"), { recursive: true });
cpSync(editor, join(site, "editor"), { recursive: true });
console.log(`${site}: ${chapters.length + behaviors.length + constraints.length + files.size + 3} pages`);
