// The scenes of the gallery, and the boxes in which pages run them.

import { existsSync, readFileSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
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

// The picture of a scene, and a sentence about it.
function describe(scene) {
  if (!scene.endsWith(".json")) return abouts.get(scene) ?? fail(`the README has no row for the scene ${scene}`);
  const folder = dirname(scene) === "figures" ? "crates/bevy_steerling/figures" : "docs/plots";
  const src = join(folder, `${basename(scene, ".json")}.svg`);
  const { name, about = name } = JSON.parse(readFileSync(source(scene), "utf8"));
  return { about, src, alt: `Plot of ${basename(scene, ".json")}` };
}

// A box for the page at the path: the picture of a scene, which leads to the gallery. `scene.js` runs the scene in its place.
export function box(scene, path, megabytes) {
  const { about, src, alt } = describe(scene);
  include(src);
  const to = (target) => relative(dirname(path), target);
  const address = `${to("gallery/index.html")}#${scene}`;
  return `<aside class="scene">
<a href="${address}"><img src="${to(src)}" alt="${alt}"><span>Run the scene (${megabytes} MB)</span></a>
<p><code>${scene}</code>: ${about} (<a href="${address}" target="_blank">in a window of its own</a>)</p>
</aside>
`;
}
