// The editor: drag agents and obstacles, choose behaviors, run, and download the file.

import start, { schema as readSchema } from "./steerling.js";
import { Document, LISTS, PLACES, at, move, placeAt, places, print, rounded, set } from "./document.js";
import { Form, Schema, element } from "./form.js";
import { LISTED, NEW, SHAPES, ownPlaces, shapeOf, unused } from "./items.js";
import { distance, itemAt } from "./pick.js";
import { Stage } from "./stage.js";

const get = (id) => document.getElementById(id);
const DRAFT = "steerling draft";
// How near to a thing the pointer must be, pixels.
const NEAR = 7;
// How far the pointer moves before a click becomes a drag, pixels.
const SLACK = 3;
const EMPTY = '{\n  "name": "new scene",\n  "ticks": 1800\n}\n';

await start();
const schema = new Schema(JSON.parse(readSchema()));
export const stage = new Stage(get("canvas"));
let file = new Document(EMPTY);
let name = "scene.json";
export const opened = () => name;
// The path of the selected item: a list and a number, or "markers" and a name.
let selection;
let dragged;

// --- What is shown

// Shows the file, from the start. The last valid scene stays where the file is not valid.
function show(text = file.text) {
  try {
    stage.load(name, text);
    report("");
    return true;
  } catch (error) {
    stage.playing = false;
    report(String(error.message ?? error));
    return false;
  }
}

function report(message, isError = message !== "") {
  get("status").textContent = message;
  get("status").classList.toggle("error", isError);
}

// Shows the file after a change.
function refresh() {
  show();
  if (get("text").value !== file.text) get("text").value = file.text;
  fillPanel();
  try {
    localStorage.setItem(DRAFT, JSON.stringify({ name, text: file.text }));
  } catch {
    // No draft of files that are too large for the browser.
  }
}

// The content of the file, or undefined if it is not JSON.
function readable() {
  try {
    return file.content;
  } catch {
    return undefined;
  }
}

function edit(change) {
  file.edit(change);
  refresh();
}

function select(path) {
  selection = path;
  fillPanel();
  stage.draw();
}

// Opens a file in place of the present one. Of a file with an expected motion, only the scenario is opened.
function open(newName, text) {
  [file, name, selection] = [new Document(text), newName, undefined];
  const { scenario } = readable() ?? {};
  if (scenario) file = new Document(print(scenario));
  stage.playing = false;
  refresh();
  stage.fit();
}

// --- The panel

// What a new field should be: places are `place`, and names are those of things that exist.
const hint = (content, place) => (key) => {
  if (PLACES.has(key) || LISTS.has(key)) return place;
  const ids = { agent: content.agents?.findLast((_, n) => !isSelected(["agents", n]))?.id, marker: Object.keys(content.markers ?? {})[0], field: content.fields?.[0]?.id };
  return { ...ids, anchor: content.agents?.[0]?.id, members: content.crowds?.[0]?.prefix ?? content.agents?.[1]?.id }[key];
};

const isSelected = ([list, number]) => selection?.[0] === list && selection[1] === number;

function fillPanel() {
  const focused = document.activeElement?.ariaLabel;
  const content = readable();
  if (selection && at(content, selection) === undefined) selection = undefined;
  try {
    get("panel").replaceChildren(...(selection ? itemPanel(content) : scenePanel(content)));
  } catch {
    // A file that is not valid may have any structure. Its text can still be changed.
    get("panel").replaceChildren();
  }
  if (focused) get("panel").querySelector(`[aria-label="${CSS.escape(focused)}"]`)?.focus();
}

// The fields of the scene, and a list of everything in it.
function scenePanel(content) {
  const form = new Form(schema, hint(content, [0, 0]));
  const lists = [...Object.keys(LISTED), "markers", "dimensions"];
  const fields = form.object(schema.root, content, (changed) => edit((content) => replace(content, changed)), lists);
  const button = (path, text) => element("button", { textContent: text, onclick: () => select(path) });
  const items = Object.entries(LISTED).flatMap(([list, { name }]) => (content[list] ?? []).map((item, number) => button([list, number], name(item))));
  const markers = Object.keys(content.markers ?? {}).map((marker) => button(["markers", marker], marker));
  return [element("h2", { textContent: "Scene" }), fields, element("div", { className: "items" }, ...items, ...markers)];
}

// Gives an object the fields of another one.
function replace(content, changed) {
  for (const key of Object.keys(content)) delete content[key];
  Object.assign(content, changed);
}

function itemPanel(content) {
  const item = at(content, selection);
  const [list, key] = selection;
  const change = (path) => (value) => edit((content) => set(content, [...selection, ...path], value));
  const named = list === "markers" ? key : LISTED[list].name(item);
  const place = places(item, selection).map((path) => placeAt(content, path))[0] ?? [0, 0];
  const form = new Form(schema, hint(content, rounded([place[0] + 100, place[1]])));
  const heading = element(
    "h2",
    {},
    element("span", { textContent: named }),
    element("button", { textContent: "Scene", title: "Escape", onclick: () => select(undefined) }),
    list === "markers" ? undefined : element("button", { textContent: "Duplicate", title: "Ctrl+D", onclick: duplicate }),
    element("button", { textContent: "Delete", title: "Delete", onclick: remove }),
  );
  if (list === "markers") return [heading, form.field(schema.root.properties.markers.additionalProperties, item, change([]), "markers")];
  const own = schema.named(LISTED[list].type);
  const fields = (leftOut) => form.object(own, item, change([]), leftOut);
  const behaviors = (path) => [element("h3", { textContent: "Behaviors" }), form.behaviors(at(item, path) ?? [], change(path))];
  if (list === "agents") return [heading, ...behaviors(["behaviors"]), element("h3", { textContent: "Agent" }), fields(["behaviors"])];
  if (list === "obstacles") return [heading, form.object(own, item, change([]), SHAPES.filter((shape) => !(shape in item)), [shapeOf(item)])];
  if (list !== "crowds") return [heading, fields([])];
  const kind = form.object(own.properties.agent, item.agent, change(["agent"]), ["behaviors"]);
  return [heading, fields(["agent"]), ...behaviors(["agent", "behaviors"]), element("h3", { textContent: "Each agent" }), kind];
}

// --- Adding, copying and removing

function add(kind) {
  const canvas = get("canvas");
  const middle = stage.view.toWorld([canvas.clientWidth / 2, canvas.clientHeight / 2]);
  edit((content) => {
    // Each a little beside the one before.
    const shift = stage.view.length(25) * ((content.agents?.length ?? 0) + (content.crowds?.length ?? 0) + (content.obstacles?.length ?? 0));
    const place = rounded([middle[0] + shift, middle[1] - shift]);
    const [list, item, entries] = NEW[kind](content, place);
    if (list === "markers") {
      (content.markers ??= {})[item] = entries;
      selection = [list, item];
    } else {
      selection = [list, (content[list] ??= []).push(item) - 1];
    }
  });
}

// A copy of the selected item beside it.
function duplicate() {
  const [list, number] = selection ?? [];
  if (!(list in LISTED)) return;
  edit((content) => {
    const copy = structuredClone(content[list][number]);
    const key = ["id", "prefix"].find((key) => key in copy);
    if (key) copy[key] = unused(content, list, key, `${copy[key].replace(/ ?\d*$/, "")} `);
    selection = [list, content[list].push(copy) - 1];
    const shift = stage.view.length(30);
    move(content, ownPlaces(content, selection), [shift, -shift]);
  });
}

function remove() {
  const removed = selection;
  if (!removed) return;
  selection = undefined;
  edit((content) => set(content, removed, undefined));
}

// --- Pointers on the canvas

// The handles of the selected item: its places, with lines from an agent to where it goes.
function handles(content) {
  if (!selection || at(content, selection) === undefined) return [];
  const agent = stage.frame.agents.find(({ item }) => isSelected(item));
  const links = (path) => (agent && selection[0] === "agents" && path.length > 3 ? [agent.place, placeAt(content, path)] : undefined);
  return places(at(content, selection), selection)
    .filter((path) => selection[0] !== "agents" || path.length > 3)
    .map((path) => ({ path, place: placeAt(content, path), line: links(path) }));
}

function handleAt(place) {
  const near = stage.view.length(NEAR + 2);
  return handles(stage.content).find((handle) => distance(handle.place, place) <= near);
}

const pixel = ({ offsetX, offsetY }) => [offsetX, offsetY];
const pointers = new Map();

function press(event) {
  get("canvas").setPointerCapture(event.pointerId);
  pointers.set(event.pointerId, pixel(event));
  if (pointers.size > 1) return void (dragged = undefined);
  const place = stage.view.toWorld(pixel(event));
  const handle = handleAt(place);
  const item = handle ? selection : itemAt(place, stage.view.length(NEAR), stage.frame, stage.content);
  if (!handle) select(item);
  if (item && stage.ticksDone > 0) report("To move things, go back to the start.", false);
  const paths = handle ? [handle.path] : item && stage.ticksDone === 0 ? ownPlaces(stage.content, item) : [];
  dragged = { start: pixel(event), from: place, paths, text: file.text };
}

function drag(event) {
  const before = pointers.get(event.pointerId);
  if (!before) return;
  const now = pixel(event);
  pointers.set(event.pointerId, now);
  const others = [...pointers.entries()].filter(([id]) => id !== event.pointerId).map(([, place]) => place);
  if (others.length) {
    stage.view.zoom(distance(now, others[0]) / Math.max(distance(before, others[0]), 1), others[0]);
  } else if (dragged?.paths.length) {
    dragged.isMoving ||= distance(now, dragged.start) > SLACK;
    if (!dragged.isMoving) return;
    const [x, y] = stage.view.toWorld(now);
    const moved = new Document(dragged.text);
    moved.edit((content) => move(content, dragged.paths, [x - dragged.from[0], y - dragged.from[1]]));
    if (show(moved.text)) dragged.result = moved.text;
    return;
  } else {
    stage.view.pan([now[0] - before[0], now[1] - before[1]]);
  }
  stage.draw();
}

function release(event) {
  pointers.delete(event.pointerId);
  const { result } = dragged ?? {};
  dragged = undefined;
  if (!result) return;
  file.write(result);
  refresh();
}

// --- Commands

const commands = {
  run() {
    if (stage.ticksDone >= stage.ticks) show();
    stage.playing = !stage.playing;
    stage.draw();
  },
  step() {
    stage.playing = false;
    stage.step();
    stage.draw();
  },
  start() {
    stage.playing = false;
    show();
  },
  undo() {
    file.undo();
    refresh();
  },
  redo() {
    file.redo();
    refresh();
  },
  download() {
    const link = element("a", { href: URL.createObjectURL(new Blob([file.text], { type: "application/json" })), download: name });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
  },
};

for (const [id, command] of Object.entries(commands)) get(id).onclick = command;
for (const kind of Object.keys(NEW)) get("add").append(element("button", { textContent: kind, title: `Add: ${kind}`, onclick: () => add(kind) }));

const KEYS = { " ": commands.run, ".": commands.step, Home: commands.start, Delete: remove, Backspace: remove, Escape: () => select(undefined) };
addEventListener("keydown", (event) => {
  const isTyping = /^(INPUT|TEXTAREA|SELECT|BUTTON|SUMMARY)$/.test(event.target.tagName);
  const key = event.key.toLowerCase();
  const control = event.ctrlKey || event.metaKey;
  const command = control ? { z: event.shiftKey ? commands.redo : commands.undo, y: commands.redo, d: duplicate }[key] : KEYS[event.key];
  if (!command || (isTyping && event.target.type !== "button")) return;
  if (event.target.tagName === "BUTTON" && event.key === " ") return;
  event.preventDefault();
  command();
});

const canvas = get("canvas");
canvas.addEventListener("pointerdown", press);
canvas.addEventListener("pointermove", drag);
canvas.addEventListener("pointerup", release);
canvas.addEventListener("pointercancel", release);
canvas.addEventListener("wheel", (event) => {
  event.preventDefault();
  stage.view.zoom(Math.exp(-event.deltaY / 400), pixel(event));
  stage.draw();
}, { passive: false });

get("open").onchange = async ({ target }) => {
  const [chosen] = target.files;
  if (chosen) open(chosen.name, await chosen.text());
  target.value = "";
};
addEventListener("dragover", (event) => event.preventDefault());
addEventListener("drop", async (event) => {
  event.preventDefault();
  const [dropped] = event.dataTransfer.files;
  if (dropped) open(dropped.name, await dropped.text());
});
get("text").oninput = () => {
  file.write(get("text").value);
  refresh();
};

stage.overlay = () => ({ handles: handles(stage.content), selected: isSelected });
stage.onframe = () => {
  get("run").textContent = stage.playing ? "Pause" : "Run";
  get("time").textContent = `${stage.time.toFixed(2)} s`;
};

// The project's scenes, and the one that the address or the last visit chooses.
const scenes = await (await fetch("scenarios/index.json")).json();
for (const scene of scenes) get("examples").append(element("option", { value: scene, textContent: scene.replace(".json", "") }));
async function openScene(scene) {
  const response = await fetch(`scenarios/${scene}`);
  if (response.ok) open(scene.split("/").at(-1), await response.text());
  else report(`${scene}: ${response.status} ${response.statusText}`);
}
get("examples").onchange = ({ target }) => {
  openScene(target.value);
  history.replaceState(null, "", `#${target.value}`);
  target.value = "";
};
addEventListener("hashchange", () => openScene(location.hash.slice(1)));

const draft = JSON.parse(localStorage.getItem(DRAFT) ?? "null");
stage.load(name, EMPTY);
if (location.hash) await openScene(location.hash.slice(1));
else open(draft?.name ?? name, draft?.text ?? EMPTY);
document.body.dataset.ready = "";
