// The pages of behaviors and constraints: the API docs of the component, beside a scene that shows it.

import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { fail } from "./book.mjs";
import { describe, parts, readTypes } from "./rustdoc.mjs";
import { box, frame, source } from "./scenes.mjs";

const crate = "crates/bevy_steerling";
const lists = JSON.parse(readFileSync("web/book/scenes.json", "utf8"));
const sceneOf = { ...lists.behaviors, ...lists.constraints };
const snake = (name) => name.replace(/\B[A-Z]/g, "_$&").toLowerCase();

// The page of types that several behaviors use.
const SHARED = "behaviors/types.md";

// The path of the page of a behavior or constraint, or undefined.
export const pageOf = (name) => (name in sceneOf ? `behaviors/${snake(name)}.md` : undefined);

// A figure in motion. All pages with figures are in one folder.
const figure = (name) => frame(`figures/${name}.json`, SHARED);

// The components that the plugin registers, and the list of scenes, must be the same.
function checkNames(list, folder) {
  const registered = readFileSync(`${crate}/src/${folder}/mod.rs`, "utf8").matchAll(/\badd(?:_\w+)?::<(?:\w+::)*(\w{2,})>\(/g);
  const names = new Set([...registered].map(([, name]) => name));
  for (const name of Object.keys(list)) if (!names.delete(name)) fail(`scenes.json: the plugin does not register ${name}`);
  if (names.size) fail(`scenes.json: no scene for ${[...names].join(", ")}`);
  for (const [name, scene] of Object.entries(list)) {
    const text = `${scene} ${readFileSync(source(scene), "utf8")}`;
    if (!new RegExp(`\\b(${name}|${snake(name)})\\b`).test(text)) fail(`scenes.json: the scene ${scene} has no ${name}`);
  }
}

// The pages of the behaviors, of the constraints, and of the types that several of them use.
export function pagesOfTypes(megabytes) {
  checkNames(lists.behaviors, "behaviors");
  checkNames(lists.constraints, "constraints");
  const types = readTypes(`${crate}/src`, figure);
  const names = new Set(Object.keys(sceneOf));
  const partsOf = new Map([...names].map((name) => [name, [...parts(types.get(name), types, names).keys()]]));
  const users = (part) => [...partsOf.values()].filter((parts) => parts.includes(part)).length;
  const shared = new Set(["SteeringAgent", ...[...partsOf.values()].flat().filter((part) => users(part) > 1)]);

  // The page on which each type is described.
  const places = new Map([...shared].map((name) => [name, SHARED]));
  for (const name of names) for (const type of [name, ...partsOf.get(name)]) if (!shared.has(type)) places.set(type, pageOf(name));
  const address = (name, member) => {
    if (!places.has(name) || (member && !types.get(name).members.some(({ name }) => name === member))) return undefined;
    return `${basename(places.get(name))}#${member ? `${name}.${member}` : name}`;
  };
  const section = (name) => `## ${name} {#${name}}\n\n${describe(types.get(name), 2, address)}\n`;
  const page = (name) => {
    const path = pageOf(name);
    const own = partsOf.get(name).filter((part) => !shared.has(part));
    let text = [describe(types.get(name), 1, address), ...own.map(section)].join("\n\n");
    // The figure is beside the text instead.
    if (sceneOf[name].startsWith("figures/")) text = text.replace(/^<iframe.*>\n\n\*.*\*\n\n/m, "");
    const scene = box(sceneOf[name], path, megabytes);
    return { title: name, path, text: `# ${name} {#${name}}\n\n<div class="beside">\n<div>\n\n${text}\n\n</div>\n\n${scene}\n</div>\n` };
  };
  const pages = (list) => Object.keys(list).map(page);
  const text = `# Shared types\n\n${[...shared].map(section).join("\n")}`;
  return { behaviors: pages(lists.behaviors), constraints: pages(lists.constraints), types: { title: "Shared types", path: SHARED, text } };
}
