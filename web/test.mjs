// Opens the page that web/build builds in Chromium, plays every scene and drags a value in the panel:
//
//   npm install --prefix web && node web/test.mjs [FOLDER FOR PICTURES]
//
// Fails if there is an error on the console, or if a scene does not move.

import assert from "node:assert/strict";
import { mkdir, readFile, readdir, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";

const root = fileURLToPath(new URL("..", import.meta.url));
const site = join(root, "web/site");
const pictures = process.argv[2] ?? join(root, "target/web/pictures");
const types = { ".html": "text/html", ".js": "text/javascript", ".wasm": "application/wasm" };
// Timeouts. Without a GPU, a frame takes a while.
const LOADS = 180_000;
const MOVES = 60_000;
// The position of the seed in the panel, pixels.
const SEED = { x: 1002, y: 90 };

const server = createServer(async (request, response) => {
  const path = new URL(request.url, "http://page").pathname;
  const file = join(site, path === "/" ? "index.html" : path);
  try {
    const body = await readFile(file);
    response.writeHead(200, { "content-type": types[extname(file)] ?? "application/octet-stream" }).end(body);
  } catch {
    response.writeHead(path === "/favicon.ico" ? 204 : 404).end();
  }
});
await new Promise((listening) => server.listen(0, "127.0.0.1", listening));

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: [
    "--no-sandbox",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--use-gl=angle",
    "--use-angle=swiftshader",
    "--enable-unsafe-swiftshader",
    "--ignore-gpu-blocklist",
  ],
});
const problems = [];

async function open(options) {
  const page = await browser.newPage(options);
  page.on("console", (message) => message.type() === "error" && problems.push(message.text()));
  page.on("pageerror", (error) => {
    // Bevy throws this to leave its startup function.
    if (!error.message.includes("Using exceptions for control flow")) problems.push(error.message);
  });
  await page.goto(`http://127.0.0.1:${server.address().port}/`);
  await page.waitForSelector("#loading", { state: "detached", timeout: LOADS });
  return page;
}

// Waits until the canvas changes, and returns the new screenshot.
async function changed(page, before, what) {
  const end = Date.now() + MOVES;
  for (;;) {
    const now = await page.screenshot({ timeout: MOVES });
    if (!now.equals(before)) return now;
    assert.ok(Date.now() < end, `${what}: the picture does not change`);
    await page.waitForTimeout(200);
  }
}

// Opens a scene and checks that it moves.
async function play(page, scene) {
  const before = await page.screenshot({ timeout: MOVES });
  await page.evaluate((scene) => (location.hash = scene), scene);
  await changed(page, before, scene);
  await page.waitForTimeout(2500);
  const first = await page.screenshot({ timeout: MOVES });
  const second = await changed(page, first, scene);
  await writeFile(join(pictures, `${scene}.png`), second);
  console.log(`ok ${scene}`);
}

await mkdir(pictures, { recursive: true });
const page = await open({ viewport: { width: 1280, height: 720 } });
const sources = await readdir(join(root, "examples"));
const scenes = sources.filter((name) => name.endsWith(".rs") && name !== "gallery.rs").map((name) => name.slice(0, -3));
assert.ok(scenes.length > 10);
for (const scene of scenes) await play(page, scene);
// One of the project's scenario files, and one dropped on the page.
await play(page, "hunter_prey.json");
const text = await readFile(join(root, "assets/scenarios/arrive.json"), "utf8");
const before = await page.screenshot({ timeout: MOVES });
await page.evaluate((text) => {
  const dataTransfer = new DataTransfer();
  dataTransfer.items.add(new File([text], "dropped.json"));
  window.dispatchEvent(new DragEvent("drop", { dataTransfer, cancelable: true }));
}, text);
const dropped = await changed(page, before, "a dropped file");
await writeFile(join(pictures, "dropped.png"), dropped);
console.log("ok a dropped file");

// Dragging the seed in the panel while the scene is paused moves all agents.
await page.evaluate(() => (location.hash = "wander"));
await page.waitForTimeout(3000);
await page.keyboard.press("Space");
await page.keyboard.press("p");
await page.waitForTimeout(3000);
const still = { timeout: MOVES, clip: { x: 300, y: 100, width: 560, height: 500 } };
const old = await page.screenshot(still);
await page.waitForTimeout(2000);
assert.ok(old.equals(await page.screenshot(still)), "the paused scene does not move");
await page.mouse.move(SEED.x, SEED.y);
await page.mouse.down();
await page.mouse.move(SEED.x + 60, SEED.y, { steps: 5 });
await page.mouse.up();
await page.waitForTimeout(3000);
await writeFile(join(pictures, "panel.png"), await page.screenshot({ timeout: MOVES }));
assert.ok(!old.equals(await page.screenshot(still)), "another seed moves all agents");
console.log("ok the panel");
await page.close();

// A phone: touch replaces the mouse, and buttons replace the keys.
const phone = await open({ viewport: { width: 390, height: 780 }, hasTouch: true, isMobile: true });
await play(phone, "doorway_queue");
await phone.touchscreen.tap(195, 390);
await writeFile(join(pictures, "phone.png"), await phone.screenshot({ timeout: MOVES }));
console.log("ok a phone");

await browser.close();
server.close();
assert.deepEqual(problems, [], "errors on the console");
console.log("ok no errors on the console");
