// The editor: drag agents and obstacles, choose behaviors, run, and download the file.

import start, { schema as readSchema } from "./steerling.js";
import { Document, LISTS, PLACES, at, move, placeAt, places, set } from "./document.js";
import { Form, Schema, element } from "./form.js";
import { COPIED, LISTED, NEW, SHAPES, inNoFormation, ownPlaces, shapeOf, unused } from "./items.js";
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
const file = new Document(EMPTY);
let name = "scene.json";
export const opened = () => name;
// Whether the stage shows the file. Otherwise the file is not valid, and the stage shows the last one that was.
let isShown = false;
// The path of the selected item: a list and a number, or "markers" and a name.
let selection;
let dragged;

// --- What is shown

// Shows a text at its start, and returns whether it is valid.
function show(text = file.text) {
  try {
    stage.load(name, text);
    report("");
    isShown = text === file.text;
    return true;
  } catch (error) {
    stage.playing = isShown = false;
    report(String(error.message ?? error));
    stage.draw();
    return false;
  }
}

function report(message, isError = message !== "") {
  get("status").textContent = message;
  get("status").classList.toggle("error", isError);
}

// Shows the file, its text, and its fields. The panel is not filled anew after a change of the value of one of its fields.
function display(isFilled = true) {
  show();
  if (get("text").value !== file.text) get("text").value = file.text;
  if (isFilled) fillPanel();
  else get("panel").querySelector("h2 > span").textContent = title(file.content);
}

// Shows the file after a change.
function refresh(isFilled) {
  display(isFilled);
  saveDraft();
}

// Changes the content of the file.
function edit(change, isFilled) {
  file.edit(change);
  refresh(isFilled);
}

export function select(path) {
  // A field that is being typed in belongs to what was selected before.
  document.activeElement?.blur();
  selection = path;
  fillPanel();
  stage.draw();
}

// Opens a file in place of the present one, which *Undo* brings back.
function open(newName, text) {
  [name, selection] = [newName, undefined];
  file.write(text);
  stage.playing = false;
  display();
  stage.fit();
}

// The draft that a reload brings back. The address then no longer means the scene from which it comes.
function saveDraft() {
  history.replaceState(null, "", location.pathname);
  try {
    localStorage.setItem(DRAFT, JSON.stringify({ name, text: file.text }));
  } catch {
    // The file is too large, or the browser stores nothing.
  }
}

function loadDraft() {
  try {
    return JSON.parse(localStorage.getItem(DRAFT)) ?? {};
  } catch {
    return {};
  }
}

// --- The panel

// The content of the file, or undefined if it is not JSON.
function readable() {
  try {
    return file.content;
  } catch {
    return undefined;
  }
}

// What a new field should be: a place is `place`, an area is around it, and names are those of things that exist.
const hint = ([x, y], [width, height]) => (key) => {
  const { agents = [], markers = {}, fields = [], ...content } = file.content;
  const values = {
    min: [x - width / 2, y - height / 2],
    max: [x + width / 2, y + height / 2],
    agent: agents.findLast((_, n) => !isSelected(["agents", n]))?.id,
    marker: Object.keys(markers)[0],
    field: fields[0]?.id,
    members: inNoFormation({ agents, ...content })[0],
  };
  return values[key] ?? (PLACES.has(key) || LISTS.has(key) ? [x, y] : undefined);
};

const isSelected = ([list, number]) => selection?.[0] === list && selection[1] === number;

// Fills the panel with the fields of the selected item, or of the scene.
function fillPanel() {
  const focused = document.activeElement?.dataset.path;
  const content = readable();
  if (selection && at(content, selection) === undefined) selection = undefined;
  try {
    get("panel").replaceChildren(...(selection ? itemPanel(content) : scenePanel(content)));
  } catch (error) {
    // A file that is not valid may have any structure. Its text can still be changed.
    if (isShown) throw error;
    get("panel").replaceChildren();
  }
  if (focused) get("panel").querySelector(`[data-path="${CSS.escape(focused)}"]`)?.focus();
}

const form = (place, size = [100, 100]) =>
  new Form(schema, {
    read: (path) => at(file.content, path),
    write: (path, value, isFilled = false) => edit((content) => set(content, path, value), isFilled),
    hint: hint(place, size),
  });

// What the panel is about.
function title(content) {
  if (!selection) return "Scene";
  const [list, key] = selection;
  return list === "markers" ? key : LISTED[list].name(at(content, selection));
}

// The fields of the scene, and a list of everything in it.
function scenePanel(content) {
  const fields = form([0, 0], [800, 600]).object(schema.root, [], [...Object.keys(LISTED), "markers"]);
  const button = (path, text) => element("button", { textContent: text, onclick: () => select(path) });
  const items = Object.entries(LISTED).flatMap(([list, { name }]) => (content[list] ?? []).map((item, number) => button([list, number], name(item))));
  const markers = Object.keys(content.markers ?? {}).map((marker) => button(["markers", marker], marker));
  return [element("h2", {}, element("span", { textContent: title(content) })), fields, element("div", { className: "items" }, ...items, ...markers)];
}

function itemPanel(content) {
  const path = selection;
  const [list] = path;
  const item = at(content, path);
  const [x, y] = places(item, path).map((path) => placeAt(content, path))[0] ?? [0, 0];
  const fields = form([x + 100, y]);
  const heading = element(
    "h2",
    {},
    element("span", { textContent: title(content) }),
    element("button", { textContent: "Scene", title: "Escape", onclick: () => select(undefined) }),
    COPIED.has(list) ? element("button", { textContent: "Duplicate", title: "Ctrl+D", onclick: duplicate }) : undefined,
    element("button", { textContent: "Delete", title: "Delete", onclick: remove }),
  );
  const part = (text) => element("h3", { textContent: text });
  if (list === "markers") return [heading, fields.field(schema.root.properties.markers.additionalProperties, path)];
  const own = schema.named(LISTED[list].type);
  if (list === "agents") return [heading, part("Behaviors"), fields.behaviors([...path, "behaviors"]), part("Agent"), fields.object(own, path, ["behaviors"])];
  if (list === "obstacles") {
    const shape = shapeOf(item);
    return [heading, fields.object(own, path, SHAPES.filter((other) => other !== shape), [shape])];
  }
  if (list !== "crowds") return [heading, fields.object(own, path)];
  const each = [...path, "agent"];
  const agent = fields.object(own.properties.agent, each, ["behaviors"]);
  return [heading, fields.object(own, path, ["agent"]), part("Behaviors"), fields.behaviors([...each, "behaviors"]), part("Each agent"), agent];
}

// --- Adding, copying and removing

function add(kind) {
  if (!isShown) return;
  const { agents = [], crowds = [], obstacles = [], ...content } = file.content;
  const canvas = get("canvas");
  const [x, y] = stage.view.toWorld([canvas.clientWidth / 2, canvas.clientHeight / 2]);
  // Each a little beside the one before.
  const shift = stage.view.length(25) * (agents.length + crowds.length + obstacles.length);
  const made = NEW[kind]({ agents, crowds, obstacles, ...content }, [x + shift, y - shift].map(rounded));
  if (!made) return report("A formation needs an agent, and another one or a crowd, that are in no other formation.");
  const [list, item, entries] = made;
  selection = list === "markers" ? [list, item] : [list, file.content[list]?.length ?? 0];
  edit((content) => {
    content[list] ??= list === "markers" ? {} : [];
    set(content, selection, entries ?? item);
  });
}

// A copy of the selected item beside it.
function duplicate() {
  const [list, number] = selection ?? [];
  if (!isShown || !COPIED.has(list)) return;
  edit((content) => {
    const copy = structuredClone(content[list][number]);
    const key = ["id", "prefix"].find((key) => key in copy);
    if (key) copy[key] = unused(content, list, key, `${copy[key].replace(/ ?\d* ?$/, "")} `, key === "prefix" ? " " : "");
    selection = [list, content[list].push(copy) - 1];
    const shift = rounded(stage.view.length(30));
    move(content, ownPlaces(content, selection), [shift, -shift]);
  });
}

function remove() {
  const removed = selection;
  if (!removed) return;
  selection = undefined;
  edit((content) => set(content, removed, undefined));
}

// Rounds a coordinate to a step that is at most a pixel.
function rounded(number) {
  const step = 10 ** Math.floor(Math.log10(stage.view.length(1)));
  return Number((Math.round(number / step) * step).toPrecision(12));
}

// --- Pointers on the canvas

// The handles of the selected item: its places, with lines from an agent to where it goes.
function handles(content) {
  if (!selection || at(content, selection) === undefined) return [];
  const agent = selection[0] === "agents" ? stage.frame.agents.find(({ item }) => isSelected(item)) : undefined;
  return places(at(content, selection), selection)
    .filter((path) => selection[0] !== "agents" || path.length > 3)
    .map((path) => [path, placeAt(content, path)])
    .map(([path, place]) => ({ path, place, line: agent && [agent.place, place] }));
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
  if (pointers.size > 1) return finish();
  const place = stage.view.toWorld(pixel(event));
  const handle = handleAt(place);
  const item = handle ? selection : itemAt(place, stage.view.length(NEAR), stage.frame, stage.content);
  if (!handle) select(item);
  const paths = handle ? [handle.path] : item ? ownPlaces(stage.content, item) : [];
  dragged = { start: pixel(event), from: place, paths: isShown ? paths : [], text: file.text };
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
    if (stage.ticksDone > 0) return report("To move things, go back to the start.", false);
    const [x, y] = stage.view.toWorld(now);
    const moved = new Document(dragged.text);
    moved.edit((content) => move(content, dragged.paths, [x - dragged.from[0], y - dragged.from[1]].map(rounded)));
    if (show(moved.text)) dragged.result = moved.text;
    return;
  } else {
    stage.view.pan([now[0] - before[0], now[1] - before[1]]);
  }
  stage.draw();
}

function release(event) {
  pointers.delete(event.pointerId);
  finish();
}

// Ends a drag at the last valid place.
function finish() {
  const { result } = dragged ?? {};
  dragged = undefined;
  if (!result && isShown) return;
  if (result) file.write(result);
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

const KEYS = { " ": commands.run, ".": commands.step, Home: commands.start, Delete: remove, Escape: () => select(undefined) };
addEventListener("keydown", (event) => {
  const key = event.key.toLowerCase();
  const control = event.ctrlKey || event.metaKey;
  const command = control ? { z: event.shiftKey ? commands.redo : commands.undo, y: commands.redo, d: duplicate }[key] : KEYS[event.key];
  if (!command || event.target.matches("input, textarea, select")) return;
  if (key === " " && event.target.matches("button, summary")) return;
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
  file.write(get("text").value, true);
  refresh();
};

stage.overlay = () => ({ handles: handles(stage.content), selected: isSelected });
stage.onframe = () => {
  get("run").textContent = stage.playing ? "Pause" : "Run";
  get("time").textContent = `${stage.time.toFixed(2)} s`;
};

// The project's scenes, and the one in the address or the draft.
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
addEventListener("hashchange", () => location.hash && openScene(location.hash.slice(1)));

show();
if (location.hash) {
  await openScene(location.hash.slice(1));
} else {
  const draft = loadDraft();
  open(draft.name ?? name, draft.text ?? EMPTY);
}
document.body.dataset.ready = "";
