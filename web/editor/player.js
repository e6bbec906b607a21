// Plays a scene of the project again and again: player.html#figures/orbit.json. A click or a key pauses it.

import start from "./steerling.js";
import { Stage } from "./stage.js";

// How long the end of a scene is shown before it starts again, ms.
const PAUSE = 1500;

const get = (id) => document.getElementById(id);
const scene = location.hash.slice(1);
const canvas = get("canvas");
get("edit").href = `index.html#${scene}`;
try {
  const response = await fetch(`scenarios/${scene}`);
  if (!response.ok) throw new Error(`${scene}: ${response.status} ${response.statusText}`);
  const [text] = await Promise.all([response.text(), start()]);
  const stage = new Stage(canvas);
  stage.load(scene, text);
  stage.box = stage.look();
  stage.view.fit(stage.box);
  stage.load(scene, text);
  let restart;
  stage.onframe = () => {
    if (stage.ticksDone < stage.ticks || restart) return;
    restart = setTimeout(() => {
      restart = undefined;
      stage.load(scene, text);
      stage.playing = true;
    }, PAUSE);
  };
  stage.playing = true;
  const pause = () => (stage.playing = !stage.playing && stage.ticksDone < stage.ticks);
  canvas.addEventListener("click", pause);
  canvas.addEventListener("keydown", ({ key }) => key === " " && pause());
  get("status").textContent = "";
} catch (error) {
  get("status").textContent = `Cannot play the scene: ${error.message ?? error}`;
  get("status").classList.add("error");
  throw error;
}
