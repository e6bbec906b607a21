// The scenes of the gallery, and the boxes in which pages run them.

import { existsSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { scenes } from "../gallery.mjs";
import { fail, include } from "./book.mjs";

// What the README says about each scene.
const abouts = new Map();
for (const [, name, about, src, alt] of readFileSync("README.md", "utf8").matchAll(
  /^\| `(\w+)` \| (.*) \| <img src="(.*)" width="240" alt="(.*)"> \|$/gm,
)) {
  abouts.set(name, { about, src, alt });
}

// The source file of a scene: a scene of the gallery, or a scenario file.
export function source(scene) {
  const file = scene.endsWith(".json") ? join("assets/scenarios", scene) : scenes.includes(scene) ? `examples/${scene}.rs` : "";
  return existsSync(file) ? file : fail(`there is no scene ${scene}`);
}

// A sentence about a scene, and its picture if it is a scene of the gallery.
function describe(scene) {
  if (!scene.endsWith(".json")) return abouts.get(scene) ?? fail(`the README has no row for the scene ${scene}`);
  const { name, about = name } = JSON.parse(readFileSync(source(scene), "utf8"));
  return { about };
}

// A frame that plays a scenario file, for the page at the path.
export function frame(file, path) {
  const { name } = JSON.parse(readFileSync(source(file), "utf8"));
  const address = `${relative(dirname(path), "editor/player.html")}#${file}`;
  return `<iframe loading="lazy" title="${name}" src="${address}"></iframe>`;
}

// A box for the page at the path: a scenario file in motion, or the picture of a scene, which leads to the gallery. `scene.js` runs the
// scene in place of its picture.
export function box(scene, path, megabytes) {
  const { about, src, alt } = describe(scene);
  const to = (target) => relative(dirname(path), target);
  if (scene.endsWith(".json")) {
    const edit = `<a href="${to("editor/index.html")}#${scene}" target="_blank">edit it</a>`;
    return `<aside class="scene">\n${frame(scene, path)}\n<p><code>${scene}</code>: ${about} (${edit})</p>\n</aside>\n`;
  }
  include(src);
  const address = `${to("gallery/index.html")}#${scene}`;
  return `<aside class="scene">
<a href="${address}"><img src="${to(src)}" alt="${alt}"><span>Run the scene (${megabytes} MB)</span></a>
<p><code>${scene}</code>: ${about} (<a href="${address}" target="_blank">in a window of its own</a>)</p>
</aside>
`;
}
