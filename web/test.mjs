// Opens the page that web/build builds in Chromium, plays every scene and drags a value in the panel:
//
//   npm ci --prefix web && node web/test.mjs [FOLDER FOR PICTURES]
//
// Fails if there is an error on the console, or if a scene does not move.

import assert from "node:assert/strict";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { changed, launch, loaded, MOVES, note, play, serve } from "./chromium.mjs";
import { scenes } from "./gallery.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const pictures = process.argv[2] ?? join(root, "target/web/pictures");
// The position of the seed in the panel, pixels.
const SEED = { x: 986, y: 134 };

const { address, stop } = await serve(join(root, "target/gallery"));
const browser = await launch();
const problems = [];

async function open(options) {
  const page = await browser.newPage(options);
  note(page, problems);
  await page.goto(address);
  await loaded(page);
  return page;
}

// Plays a scene, and keeps its picture.
async function show(page, scene) {
  await writeFile(join(pictures, `${scene}.png`), await play(page, scene));
  console.log(`ok ${scene}`);
}

await mkdir(pictures, { recursive: true });
const page = await open({ viewport: { width: 1280, height: 720 } });
assert.ok(scenes.length > 10);
for (const scene of scenes) await show(page, scene);
// One of the project's scenario files, and one dropped on the page.
await show(page, "hunter_prey.json");
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
await show(phone, "doorway_queue");
await phone.touchscreen.tap(195, 390);
await writeFile(join(pictures, "phone.png"), await phone.screenshot({ timeout: MOVES }));
console.log("ok a phone");

await browser.close();
stop();
assert.deepEqual(problems, [], "errors on the console");
console.log("ok no errors on the console");
