// The names of the scenes in the gallery.

import { readFileSync } from "node:fs";

const source = readFileSync(new URL("../examples/gallery.rs", import.meta.url), "utf8");
export const scenes = [...source.matchAll(/^ {4}(\w+)::SCENE,/gm)].map(([, name]) => name);
