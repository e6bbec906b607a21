// Uses the editor and the player that web/editor/build builds, in Chromium:
//
//   npm ci --prefix web && cargo build --release -p steerling_cli && node web/editor/test.mjs [FOLDER FOR PICTURES]
//
// Also runs all scenes to the end and compares their state with that of the steerling command.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, readFile, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { changed, launch, note, serve } from "../chromium.mjs";
import { Document, move, placeAt, places, print } from "./document.js";

const root = fileURLToPath(new URL("../..", import.meta.url));
const pictures = process.argv[2] ?? join(root, "target/web/pictures");
await mkdir(pictures, { recursive: true });
const done = (what) => console.log(`ok ${what}`);

// Every file of the project, without a browser.
const folder = join(root, "assets/scenarios");
const files = (await readdir(folder, { recursive: true })).filter((file) => file.endsWith(".json"));
assert.ok(files.length > 100);
for (const file of files) {
  const text = await readFile(join(folder, file), "utf8");
  const content = new Document(text).content;
  assert.equal(JSON.stringify(JSON.parse(print(content))), JSON.stringify(JSON.parse(text)), `${file}: printing changes nothing`);
  const paths = places(content);
  const before = paths.map((path) => placeAt(content, path));
  move(content, paths, [3, -7]);
  for (const [n, path] of paths.entries()) {
    const [x, y] = placeAt(content, path);
    const [u, v] = before[n];
    const size = Math.max(Math.abs(u), Math.abs(v), 10);
    assert.ok(Math.hypot(x - u - 3, y - v + 7) <= 1e-10 * size, `${file}: ${path} moves`);
  }
}
const words = { about: 'a [ b ] { c, "d" }', list: [{}, [], null] };
assert.equal(print(words), JSON.stringify(words).replaceAll('":', '": ').replaceAll(",", ", ").replace("c,  ", "c, "));
const checked = new Document('{"scenario": {"ticks": 3}, "expected": []}');
checked.write(`${checked.text} `);
assert.equal(checked.text, '{"ticks": 3}', "of a file with an expected motion, the scenario is opened");
done("files are read, printed and changed");

const { address, stop } = await serve(join(root, "target/editor"));
const browser = await launch();
const problems = [];

async function openPage(path, options = { viewport: { width: 1280, height: 720 } }) {
  const page = await browser.newPage(options);
  note(page, problems);
  await page.goto(address + path);
  await page.waitForSelector("body[data-ready]", { state: "attached" });
  return page;
}

const page = await openPage("");
const content = async (page) => JSON.parse(await page.locator("#text").inputValue());
const status = (page) => page.locator("#status").textContent();
// Where a place of the scene is in the window.
const pixel = (page, place) =>
  page.evaluate(async (place) => {
    const { stage } = await import("./editor.js");
    const { left, top } = document.getElementById("canvas").getBoundingClientRect();
    const [x, y] = stage.view.toCanvas(place);
    return [left + x, top + y];
  }, place);
async function drag(page, from, to) {
  await page.mouse.move(...(await pixel(page, from)));
  await page.mouse.down();
  await page.mouse.move(...(await pixel(page, to)), { steps: 4 });
  await page.mouse.up();
}
const near = (place, expected, what) => assert.ok(Math.hypot(place[0] - expected[0], place[1] - expected[1]) < 2, `${what}: ${place}`);
const heading = (page) => page.locator("#panel h2 > span").textContent();
const add = (page, kind) => page.click(`#add button[title="Add: ${kind}"]`);
const picture = async (page, name) => writeFile(join(pictures, `editor-${name}.png`), await page.screenshot());

// An agent is added, moved, and sent elsewhere; an obstacle is put in its way.
await add(page, "Agent");
await drag(page, [0, 0], [-60, 20]);
near((await content(page)).agents[0].position, [-60, 20], "the agent");
await drag(page, [150, 0], [80, 20]);
near((await content(page)).agents[0].behaviors[0].arrive.target.point, [80, 20], "its target");
await add(page, "Circle");
assert.equal(await heading(page), "circle");
await page.keyboard.press("Escape");
assert.equal(await heading(page), "Scene");
const [left, below] = (await content(page)).obstacles[0].circle.center;
await drag(page, [left, below + 10], [10, 25]);
near((await content(page)).obstacles[0].circle.center, [10, 15], "the obstacle");
done("agents, targets and obstacles are dragged");

// The scene runs, and the agent arrives without touching the obstacle.
const time = (page) => page.locator("#time").textContent().then(parseFloat);
await page.click("#run");
await page.waitForFunction(() => parseFloat(document.getElementById("time").textContent) > 4);
await picture(page, "run");
await page.click("#run");
const [x, y] = await page.evaluate(async () => (await import("./editor.js")).stage.frame.agents[0].place);
near([x, y], (await content(page)).agents[0].behaviors[0].arrive.target.point, "the agent arrives");
const paused = await time(page);
await page.waitForTimeout(300);
assert.equal(await time(page), paused);
await page.click("#step");
assert.ok((await time(page)) > paused);
await page.click("#start");
assert.equal(await time(page), 0);
done("the scene runs, pauses, and goes back to the start");

// A large seed keeps its digits.
const seeded = await page.evaluate(async () => {
  const { Document } = await import("./document.js");
  const file = new Document('{"seed": 18446744073709551615, "ticks": 1}');
  file.edit((content) => (content.ticks = 2));
  return file.text;
});
assert.equal(seeded, '{"seed": 18446744073709551615, "ticks": 2}\n');

// Undo and redo, one step for each action.
const last = await page.locator("#text").inputValue();
for (let step = 0; step < 5; step += 1) await page.click("#undo");
assert.deepEqual(Object.keys(await content(page)), ["name", "ticks"]);
for (let step = 0; step < 5; step += 1) await page.click("#redo");
assert.equal(await page.locator("#text").inputValue(), last);
done("undo and redo");

// A wrong file shows one message, and the last valid scene stays.
const frame = () => page.evaluate(async () => JSON.stringify((await import("./editor.js")).stage.frame));
const before = await frame();
for (const [text, message] of [
  ["{", /EOF while parsing/],
  ['{"ticks": -1}', /scene.json: ticks: /],
  ['{"agents": [{"id": "a"}]}', /agents\[0\]: missing field `position`/],
  ['{"agents": [null], "obstacles": 3}', /agents\[0\]: invalid type: null/],
  ["[]", /expected an object/],
]) {
  await page.click("#source summary");
  await page.locator("#text").fill(text);
  assert.match(await status(page), message);
  await page.click("#source summary");
}
assert.equal(await frame(), before, "the last valid scene");
await page.locator("#text").evaluate((area, text) => {
  area.value = text;
  area.dispatchEvent(new Event("input"));
}, last);
assert.equal(await status(page), "");
done("errors");

// Every behavior can be added from the list and is valid as it is added.
await page.evaluate(() => (location.hash = "seek.json"));
await page.waitForFunction(() => document.getElementById("text").value.includes('"seek"'));
await add(page, "Flow field");
await add(page, "Agent");
const list = page.locator("#panel .behaviors > select.add");
const names = await list.locator("option").evaluateAll((options) => options.map(({ value }) => value).filter(Boolean));
assert.ok(names.length > 20, `${names.length} behaviors`);
for (const name of names) {
  await list.selectOption(name);
  assert.equal(await status(page), "", name);
  await page.click("#step");
  await page.click(`#panel .behavior button[title="Remove ${name}"]`);
}
assert.deepEqual((await content(page)).agents.at(-1).behaviors.map((behavior) => Object.keys(behavior)[0]), ["arrive", "avoid_obstacles"]);
done(`${names.length} behaviors are added and removed`);

// The fields of a behavior.
const index = (await content(page)).agents.length - 1;
const field = (name) => page.locator(`#panel [data-path="agents/${index}/${name}"]`);
const agent = async () => (await content(page)).agents[index];
await field("behaviors/0/arrive/target").selectOption("agent");
assert.equal((await agent()).behaviors[0].arrive.target.agent, (await content(page)).agents[index - 1].id);
// Tab leads from field to field; a key changes only the field that has the focus.
await field("behaviors/1/avoid_obstacles/weight").fill("2");
await page.keyboard.press("ArrowUp");
await page.keyboard.press("Tab");
await field("max_speed").fill("50");
await page.keyboard.press("Tab");
await page.keyboard.press("Backspace");
assert.deepEqual((await agent()).behaviors[1].avoid_obstacles, { weight: 3 });
assert.equal((await agent()).behaviors[0].arrive.weight, undefined);
assert.equal((await agent()).max_speed, 50);
// A click ends an edit in a field, and still counts.
await field("mass").fill("2");
await page.click('#panel button[title="Ctrl+D"]');
assert.equal((await content(page)).agents.length, index + 2);
assert.deepEqual([(await content(page)).agents[index].mass, (await content(page)).agents[index + 1].mass], [2, 2]);
await page.keyboard.press("Delete");
assert.equal((await content(page)).agents.length, index + 1);
await page.keyboard.press("Control+z");
await page.keyboard.press("Control+Shift+z");
assert.equal((await content(page)).agents.length, index + 1);
// An edit belongs to the agent whose field it is, also if another one is selected next.
await page.click("#start");
await page.mouse.click(...(await pixel(page, (await agent()).position)));
await field("mass").fill("4");
await page.mouse.click(...(await pixel(page, (await content(page)).agents[0].position)));
assert.equal(await heading(page), (await content(page)).agents[0].id);
assert.equal((await agent()).mass, 4);
assert.equal(await status(page), "");
// A field that is cleared has its default again; one that is required keeps its value.
await page.mouse.click(...(await pixel(page, (await agent()).position)));
await field("mass").fill("");
await field("position/0").fill("");
await page.keyboard.press("Tab");
assert.equal((await agent()).mass, undefined);
assert.notEqual(await field("position/0").inputValue(), "");
// An option that is on by default can be turned off.
await page.locator("#panel .behaviors > select.add").selectOption("follow_field");
const at = (await agent()).behaviors.length - 1;
await field(`behaviors/${at}/follow_field/stop`).selectOption("false");
assert.equal((await agent()).behaviors[at].follow_field.stop, false);
assert.equal(await status(page), "");
await picture(page, "fields");
done("fields");

// Everything that can be added is valid; copies too.
for (const kind of await page.locator("#add button").evaluateAll((buttons) => buttons.map(({ title }) => title.replace("Add: ", "")))) {
  await add(page, kind);
  assert.equal(await status(page), "", kind);
  if (["Marker", "Formation"].includes(kind)) continue;
  await page.click('#panel button[title="Ctrl+D"]');
  assert.equal(await status(page), "", `a copy of ${kind}`);
}
for (let crowd = 0; crowd < 12; crowd += 1) await add(page, "Crowd");
assert.equal(await status(page), "", "many crowds");
await add(page, "Formation");
assert.match(await status(page), /A formation needs an agent/);
await add(page, "Agent");
await add(page, "Formation");
assert.equal(await status(page), "", "a second formation");
await picture(page, "everything");
done("everything that can be added");

// Every optional field can be added, and every list can grow.
const everything = await page.locator("#text").inputValue();
const optional = async () => {
  const adders = page.locator("#panel .object > select.add");
  const found = [];
  for (let n = 0; n < (await adders.count()); n += 1) {
    const path = await adders.nth(n).getAttribute("data-path");
    for (const value of await adders.nth(n).locator("option").evaluateAll((all) => all.map(({ value }) => value))) if (value) found.push([path, value]);
  }
  return found;
};
for (const list of ["", "agents/0", "crowds/0", "obstacles/0", "respawns/0", "fields/0", "formations/0"]) {
  await page.evaluate(async (list) => (await import("./editor.js")).select(list ? list.split("/").map((key) => (isNaN(key) ? key : Number(key))) : undefined), list);
  for (const [path, key] of await optional()) {
    await page.locator(`#panel [data-path="${path}"]`).selectOption(key);
    // A pivot has no effect on an obstacle that does not turn.
    assert.match(await status(page), key === "pivot" ? /expected a `turn_rate`/ : /^$/, `${path}: ${key}`);
    for (const plus of await page.locator("#panel .list > button").all()) {
      await plus.click();
      assert.match(await status(page), key === "pivot" ? /expected a `turn_rate`/ : /^$/, `${path}: ${key} +`);
      await page.click("#undo");
    }
    await page.click("#undo");
  }
}
assert.equal(await page.locator("#text").inputValue(), everything);
done("optional fields");

// The downloaded file is the one shown.
const [download] = await Promise.all([page.waitForEvent("download"), page.click("#download")]);
assert.equal(download.suggestedFilename(), "seek.json");
assert.equal(await readFile(await download.path(), "utf8"), await page.locator("#text").inputValue());
// A reload keeps the draft.
const draft = await page.locator("#text").inputValue();
await page.goto(`${address}index.html`);
await page.waitForSelector("body[data-ready]", { state: "attached" });
assert.equal(await page.locator("#text").inputValue(), draft);
done("the download and the draft");

// Every scene of the project opens and runs.
const scenes = await page.locator("#examples option").evaluateAll((options) => options.map(({ value }) => value).filter(Boolean));
assert.ok(scenes.length > 40);
for (const scene of scenes) {
  await page.selectOption("#examples", scene);
  await page.waitForFunction(async (scene) => (await import("./editor.js")).opened() === scene.split("/").at(-1), scene);
  assert.equal(await status(page), "", scene);
  await page.click("#step");
  const items = await page.locator("#panel .items button").count();
  for (let n = 0; n < Math.min(items, 6); n += 1) {
    await page.locator("#panel .items button").nth(n).click();
    assert.ok(await page.locator("#panel [data-path]").count(), `${scene}: the fields of item ${n}`);
    await page.keyboard.press("Escape");
  }
}
done(`${scenes.length} scenes`);

// The motion in a browser is that of the command, bit by bit.
const command = ["release", "debug"].map((profile) => join(root, "target", profile, "steerling")).find(existsSync);
assert.ok(command, "the steerling command is missing: cargo build --release -p steerling_cli");
for (const scene of scenes) {
  const file = join(folder, scene);
  const summary = join(pictures, "summary.json");
  execFileSync(command, ["run", file, "--threads", "1", "--summary", summary]);
  const { state_hash: native } = JSON.parse(await readFile(summary, "utf8"));
  const hash = await page.evaluate(async (text) => {
    const { Scene } = await import("./steerling.js");
    const scene = new Scene("scene.json", text);
    for (let tick = 0; tick < scene.ticks; tick += 1) scene.step();
    return scene.stateHash();
  }, await readFile(file, "utf8"));
  assert.equal(hash, native, `${scene}: the state hash`);
}
done(`${scenes.length} scenes end in the state that the command computes`);
await page.close();

// A phone.
const phone = await openPage("#avoid_obstacles.json", { viewport: { width: 390, height: 780 }, hasTouch: true, isMobile: true });
await picture(phone, "phone");
const { agents } = await content(phone);
const [u, v] = await pixel(phone, agents[0].position);
await phone.touchscreen.tap(u, v);
assert.equal(await phone.locator("#panel h2 > span").textContent(), agents[0].id);
done("a phone");
await phone.close();

// The player moves, and leads to the editor.
const player = await browser.newPage({ viewport: { width: 480, height: 360 } });
note(player, problems);
await player.goto(`${address}player.html#figures/orbit.json`);
await player.waitForSelector("#status:empty", { state: "attached" });
await changed(player, await player.screenshot(), "the player");
await picture(player, "player");
assert.equal(await player.getAttribute("#edit", "href"), "index.html#figures/orbit.json");
done("the player");

await browser.close();
stop();
assert.deepEqual(problems, [], "errors on the console");
done("no errors on the console");
