// A scenario file in motion on a canvas.

import { placeAt, places } from "./document.js";
import { Scene } from "./steerling.js";
import { View } from "./view.js";

// The number of ticks for which ways are remembered, and the number of agents up to which they are drawn.
const TRAIL = 90;
const MOST_TRAILS = 400;
// An agent that moves farther than this in a tick has jumped, radii.
const JUMP = 20;
// How long the ticks of a frame may take, ms. Where they take longer, the scene runs slower than in real time.
const BUDGET = 50;
// How long a scene runs to find out how much of the world it needs, ms.
const LONGEST_LOOK = 1000;

export class Stage {
  // Is called after each frame.
  onframe = () => {};
  // Returns the options of View.draw.
  overlay = () => ({});
  playing = false;
  // The box to which the view is fitted when the size of the canvas changes, if any.
  box;
  #scene;
  #due = 0;
  #last;
  #ids;
  #itemOf;
  #frame;
  #trails;

  constructor(canvas) {
    this.view = new View(canvas);
    new ResizeObserver(() => {
      if (this.box) this.view.fit(this.box);
      this.draw();
    }).observe(canvas);
    const turn = (now) => {
      requestAnimationFrame(turn);
      if (this.playing) this.#advance((now - (this.#last ?? now)) / 1000);
      this.#last = now;
    };
    requestAnimationFrame(turn);
  }

  // Shows a file at the start. Throws what is wrong with the file, and continues to show the one before.
  load(file, text) {
    const scene = new Scene(file, text);
    this.#scene?.free();
    this.#scene = scene;
    this.content = JSON.parse(text);
    this.#ids = [];
    this.#itemOf = items(this.content);
    this.#trails = new Map();
    this.#due = 0;
    this.#read();
    this.draw();
  }

  // The state of all agents and obstacles.
  get frame() {
    return this.#frame;
  }

  get ticks() {
    return this.#scene.ticks;
  }

  get ticksDone() {
    return this.#scene.ticksDone;
  }

  // Seconds since the start.
  get time() {
    return this.#scene.ticksDone * this.#scene.tick;
  }

  step() {
    this.#scene.step();
    this.#read();
  }

  // Runs the ticks that are due after this time, at most to the end of the run.
  #advance(seconds) {
    this.#due += seconds;
    const latest = performance.now() + BUDGET;
    while (this.#due >= this.#scene.tick && this.ticksDone < this.ticks) {
      this.#due = performance.now() < latest ? this.#due - this.#scene.tick : 0;
      this.step();
    }
    this.playing = this.ticksDone < this.ticks;
    this.draw();
  }

  // Reads the state of the scene.
  #read() {
    const numbers = this.#scene.agents();
    // Agents are only ever removed.
    if (numbers.length !== 4 * this.#ids.length) {
      this.#ids = this.#scene.ids();
      this.#trails = new Map(this.#ids.filter((id) => this.#trails.has(id)).map((id) => [id, this.#trails.get(id)]));
    }
    const agents = this.#ids.map((id, n) => {
      const [x, y, heading, radius] = numbers.subarray(4 * n, 4 * n + 4);
      return { id, place: [x, y], heading, radius, ...this.#itemOf(id) };
    });
    if (agents.length <= MOST_TRAILS) for (const agent of agents) this.#extend(agent);
    this.#frame = { agents, obstacles: obstacles(this.#scene.obstacles()), trails: [...this.#trails.values()] };
  }

  // Adds the place of an agent to its trail.
  #extend({ id, place, radius, group }) {
    const last = this.#trails.get(id)?.places.at(-1);
    const jumped = last && Math.hypot(place[0] - last[0], place[1] - last[1]) > JUMP * Math.max(radius, 1e-3);
    if (!last || jumped) this.#trails.set(id, { group, places: [] });
    const { places } = this.#trails.get(id);
    places.push(place);
    if (places.length > TRAIL) places.shift();
  }

  // Moves the view so that it shows the whole scene as it is now.
  fit() {
    this.view.fit(extent(this.#frame, this.content));
    this.draw();
  }

  // The box around the scene from its start to its end, or as far as it runs in a second. Leaves the scene there.
  look() {
    const box = extent(this.#frame, this.content);
    const latest = performance.now() + LONGEST_LOOK;
    while (this.ticksDone < this.ticks && this.#frame.agents.length && performance.now() < latest) {
      const [left, bottom, right, top] = extent(this.#frame, {});
      box.splice(0, 4, Math.min(box[0], left), Math.min(box[1], bottom), Math.max(box[2], right), Math.max(box[3], top));
      this.step();
    }
    return box;
  }

  draw() {
    if (!this.#scene) return;
    this.view.draw({ frame: this.#frame, content: this.content, time: this.time, ...this.overlay() });
    this.onframe();
  }
}

// Finds the item of the file that an agent belongs to, and its number among all listed agents and crowds.
function items({ agents = [], crowds = [] }) {
  const listed = new Map(agents.map(({ id }, number) => [id, number]));
  return (id) => {
    if (listed.has(id)) return { item: ["agents", listed.get(id)], group: listed.get(id) };
    const crowd = crowds.findIndex(({ prefix }) => id.startsWith(prefix) && /^\d+$/.test(id.slice(prefix.length)));
    return { item: ["crowds", crowd], group: agents.length + crowd };
  };
}

// Obstacles from their numbers.
function obstacles(numbers) {
  const list = [];
  for (let n = 0; n < numbers.length; ) {
    const [radius, closed, count] = numbers.subarray(n, n + 3);
    const corners = Array.from({ length: count }, (_, k) => [numbers[n + 3 + 2 * k], numbers[n + 4 + 2 * k]]);
    list.push({ radius, closed: closed === 1, corners });
    n += 3 + 2 * count;
  }
  return list;
}

// The box around agents, obstacles, and all places in a file: left, bottom, right, top.
function extent({ agents, obstacles }, content) {
  const discs = [
    ...agents.map(({ place, radius }) => [place, radius]),
    ...obstacles.flatMap(({ corners, radius }) => corners.map((corner) => [corner, radius])),
    ...places(content).map((path) => [placeAt(content, path), 0]),
  ];
  if (!discs.length) return [-300, -200, 300, 200];
  const side = (axis, sign) => discs.reduce((most, [place, radius]) => Math.max(most, sign * place[axis] + radius), -Infinity);
  return [-side(0, -1), -side(1, -1), side(0, 1), side(1, 1)];
}
