// Reads every page of the site that build.mjs builds in Chromium, and runs scenes on pages:
//
//   npm ci --prefix web && node web/book/test.mjs [FOLDER FOR PICTURES]
//
// Fails if a link or a picture is dead, if there is an error on the console, if a scene does not move, or if a page is too large.

import assert from "node:assert/strict";
import { mkdir, readFile, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { changed, launch, loaded, note, play, serve } from "../chromium.mjs";

const root = fileURLToPath(new URL("../..", import.meta.url));
const site = join(root, "target/site");
const pictures = process.argv[2] ?? join(root, "target/web/pictures");
await mkdir(pictures, { recursive: true });
// Limits in megabytes: the site without the gallery, a page with all its pictures, the gallery's program after compression.
const SITE = 12;
const PAGE = 4;
const PROGRAM = 7;
// That of the editor's program, which the figures of pages use.
const PLAYER = 2;

// As on a host where the project has a folder of its own.
const { address, stop } = await serve(site, "/steerling/");
const browser = await launch();
const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
const problems = [];
const check = (holds, problem) => holds || problems.push(problem);

// Whether a file is part of the gallery or the editor. Anchors of their pages are the names of scenes.
const isProgram = (path) => /^(gallery|editor)\//.test(path);

async function open(path) {
  const page = await context.newPage();
  note(page, problems);
  page.on("response", (response) => check(response.ok(), `${page.url()}: ${response.status()} for ${response.url()}`));
  await page.goto(address + path);
  return page;
}

// What a page has: links, the ids that links can lead to, the size in bytes, and pictures that do not load.
async function survey(page) {
  return page.evaluate(async () => {
    const pictures = [...document.images];
    for (const picture of pictures) picture.loading = "eager";
    const dead = [];
    await Promise.all(pictures.map((picture) => picture.decode().catch(() => dead.push(picture.src))));
    const transfers = [...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource")];
    return {
      links: [...document.querySelectorAll("a[href]")].map((link) => link.href),
      ids: [...document.querySelectorAll("[id], a[name]")].map((element) => element.id || element.name),
      bytes: transfers.reduce((sum, transfer) => sum + transfer.decodedBodySize, 0),
      unnamed: pictures.filter((picture) => !picture.alt).map((picture) => picture.src),
      dead,
    };
  });
}

// Follows the links from the first page, and checks all pages.
async function crawl() {
  const page = await open("");
  const pages = new Map();
  const links = [];
  const paths = ["index.html"];
  let largest = { bytes: 0 };
  for (const path of paths) {
    await page.goto(address + path);
    const { links: found, ids, bytes, dead, unnamed } = await survey(page);
    pages.set(path, new Set(ids));
    if (bytes > largest.bytes) largest = { path, bytes };
    for (const picture of dead) problems.push(`${path}: ${picture} does not load`);
    for (const picture of unnamed) problems.push(`${path}: ${picture} has no alternative text`);
    for (const link of new Set(found)) {
      if (!link.startsWith(address)) continue;
      const [target, anchor] = link.slice(address.length).split("#");
      const file = target === "" || target.endsWith("/") ? `${target}index.html` : target;
      links.push({ path, file, anchor: decodeURIComponent(anchor ?? "") });
      if (file.endsWith(".html") && !isProgram(file) && !paths.includes(file)) paths.push(file);
    }
  }
  await page.close();
  console.log(`read ${pages.size} pages with ${links.length} links`);
  console.log(`the largest page is ${largest.path}, with ${(largest.bytes / 1e6).toFixed(1)} MB`);
  check(largest.bytes < PAGE * 1e6, `${largest.path} has more than ${PAGE} MB`);
  return { pages, links };
}

// The files of the site, by path.
async function files() {
  const entries = await readdir(site, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return paths.map((path) => path.slice(site.length + 1));
}

// Runs the scene of a page, and keeps a picture of the page.
async function run(page, path) {
  await page.goto(address + path);
  const box = await page.waitForSelector(".scene iframe");
  await loaded(await box.contentFrame());
  await changed(box, await box.screenshot(), path);
  await writeFile(join(pictures, `${path.replace("/", "-")}.png`), await page.screenshot());
  console.log(`ok the scene of ${path}`);
}

const { pages, links } = await crawl();
const paths = await files();
for (const { path, file, anchor } of links) {
  check(paths.includes(file), `${path}: ${file} does not exist`);
  if (anchor && pages.has(file)) check(pages.get(file).has(anchor), `${path}: ${file} has no #${anchor}`);
}
const apart = (path) => isProgram(path) || ["404.html", "toc.html"].includes(path);
for (const path of paths) check(!path.endsWith(".html") || apart(path) || pages.has(path), `no link leads to ${path}`);

const sizes = await Promise.all(paths.filter((path) => !apart(path)).map(async (path) => (await readFile(join(site, path))).length));
const total = sizes.reduce((sum, size) => sum + size) / 1e6;
const program = (await readFile(join(site, "gallery/app_bg.wasm.brotli"))).length / 1e6;
const player = gzipSync(await readFile(join(site, "editor/steerling_bg.wasm"))).length / 1e6;
console.log(`${total.toFixed(1)} MB without the programs; after compression, that of the gallery has ${program.toFixed(1)} MB, and that of the editor ${player.toFixed(1)} MB`);
check(total < SITE, `the site has more than ${SITE} MB without the programs`);
check(program < PROGRAM, `the gallery's program has more than ${PROGRAM} MB after compression`);
check(player < PLAYER, `the editor's program has more than ${PLAYER} MB after compression`);
assert.deepEqual(problems, []);

// Figures play at once. `InFormation` has none: it is in that of `Formation`.
const figures = await open("");
const still = ["behaviors/types.html", "behaviors/in_formation.html"];
for (const path of paths.filter((path) => path.startsWith("behaviors/") && !still.includes(path))) {
  await figures.goto(address + path);
  const frame = figures.locator('iframe[src*="player.html"]').first();
  await frame.scrollIntoViewIfNeeded();
  await (await (await frame.elementHandle()).contentFrame()).waitForSelector("#status:empty", { state: "attached" });
  await changed(frame, await frame.screenshot(), path);
}
await figures.close();
console.log("ok the figures of all behaviors");

// The reader starts the first scene; then the others start at once.
const reader = await open("behaviors/seek.html");
assert.equal(await reader.locator(".scene iframe").count(), 0, "no scene runs before the reader asks for it");
await reader.click(".scene > a");
for (const path of ["behaviors/arrive.html", "behaviors/follow_wall.html", "gallery.html"]) await run(reader, path);
await reader.close();

// web/test.mjs plays the scenes of the gallery, but not these scenario files.
const { behaviors, constraints } = JSON.parse(await readFile(join(root, "web/book/scenes.json"), "utf8"));
const scenes = Object.values({ ...behaviors, ...constraints }).filter((scene) => scene.endsWith(".json"));
const gallery = await open("gallery/index.html");
await loaded(gallery);
for (const scene of scenes) {
  await writeFile(join(pictures, `${scene.replace("/", "-")}.png`), await play(gallery, scene));
  console.log(`ok ${scene}`);
}

await browser.close();
stop();
assert.deepEqual(problems, []);
console.log("ok no errors on the console");
