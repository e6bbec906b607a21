// Draws a scene on a canvas. World coordinates are those of the file: y points up.

// As in the plots of the steerling command.
const COLORS = ["#f47262", "#60baf3", "#b0a3e2", "#66ce71", "#f9a83a", "#e6c7a5"];
const GROUND = "#13161c";
const MUTED = "#4d5666";
const TEXT = "#d8dde8";
// The least width of what can be seen and picked, pixels.
const THIN = 2;
const HANDLE = 5;

export class View {
  #canvas;
  #context;
  #scale = 1;
  #center = [0, 0];

  constructor(canvas) {
    this.#canvas = canvas;
    this.#context = canvas.getContext("2d");
  }

  // Shows the box between two corners.
  fit([left, bottom, right, top]) {
    const { clientWidth, clientHeight } = this.#canvas;
    const [width, height] = [Math.max(right - left, 1e-6), Math.max(top - bottom, 1e-6)];
    this.#scale = 0.9 * Math.min(clientWidth / width, clientHeight / height) || 1;
    this.#center = [(left + right) / 2, (bottom + top) / 2];
  }

  // A length of the world that appears as this many pixels.
  length(pixels) {
    return pixels / this.#scale;
  }

  toWorld([x, y]) {
    const { clientWidth, clientHeight } = this.#canvas;
    return [this.#center[0] + (x - clientWidth / 2) / this.#scale, this.#center[1] - (y - clientHeight / 2) / this.#scale];
  }

  toCanvas([x, y]) {
    const { clientWidth, clientHeight } = this.#canvas;
    return [clientWidth / 2 + (x - this.#center[0]) * this.#scale, clientHeight / 2 - (y - this.#center[1]) * this.#scale];
  }

  pan([dx, dy]) {
    this.#center = [this.#center[0] - dx / this.#scale, this.#center[1] + dy / this.#scale];
  }

  // Zooms by a factor. The place at this pixel stays where it is.
  zoom(factor, pixel) {
    const before = this.toWorld(pixel);
    this.#scale = Math.min(Math.max(this.#scale * factor, 1e-8), 1e8);
    const after = this.toWorld(pixel);
    this.#center = [this.#center[0] + before[0] - after[0], this.#center[1] + before[1] - after[1]];
  }

  // Draws the state of a scene, what the file says beside it, and the selection.
  draw({ frame, content, time, handles = [], selected = () => false }) {
    const context = this.#context;
    const ratio = window.devicePixelRatio || 1;
    const { clientWidth, clientHeight } = this.#canvas;
    this.#canvas.width = clientWidth * ratio;
    this.#canvas.height = clientHeight * ratio;
    context.scale(ratio, ratio);
    context.fillStyle = GROUND;
    context.fillRect(0, 0, clientWidth, clientHeight);
    context.lineJoin = context.lineCap = "round";
    this.#surroundings(content, time, selected);
    frame.obstacles.forEach((obstacle, number) => this.#obstacle(obstacle, selected(["obstacles", number])));
    for (const { places, group } of frame.trails) this.#trail(places, color(group));
    for (const agent of frame.agents) this.#agent(agent, color(agent.group), selected(agent.item));
    for (const { line } of handles) if (line) this.#line(line, TEXT, 1, [2, 4]);
    for (const { place } of handles) this.#handle(place);
  }

  // Bounds, regions, goals, gates, areas and markers.
  #surroundings({ bounds, agents = [], crowds = [], gates = [], respawns = [], markers = {} }, time, selected) {
    if (bounds) this.#area(bounds, bounds.edge === "wrap" ? [8, 6] : [], MUTED);
    for (const { goal, goals = [] } of agents) for (const { position, radius } of goal ? [goal] : goals) this.#ring(position, radius);
    crowds.forEach(({ area }, number) => this.#area(area, [3, 5], selected(["crowds", number]) ? TEXT : MUTED));
    for (const [number, { inside, to }] of respawns.entries()) {
      for (const area of [inside, to]) this.#area(area, [1, 4], selected(["respawns", number]) ? TEXT : MUTED);
    }
    gates.forEach(({ start, end }, number) => this.#line([start, end], selected(["gates", number]) ? TEXT : COLORS[4], THIN, [6, 6]));
    for (const [name, entries] of Object.entries(markers)) {
      const [, ...place] = entries.findLast(([from]) => from <= time) ?? entries[0] ?? [];
      if (place.length === 2) this.#cross(place, selected(["markers", name]) ? TEXT : COLORS[3]);
    }
  }

  #stroke(style, width, dashes = []) {
    const context = this.#context;
    context.strokeStyle = style;
    context.lineWidth = width;
    context.setLineDash(dashes);
    context.stroke();
    context.setLineDash([]);
  }

  #path(places, closed = false) {
    const context = this.#context;
    context.beginPath();
    for (const place of places) context.lineTo(...this.toCanvas(place));
    if (closed) context.closePath();
  }

  #line(places, style, width, dashes) {
    this.#path(places);
    this.#stroke(style, width, dashes);
  }

  #area({ min: [left, bottom], max: [right, top] }, dashes, style) {
    this.#path([[left, bottom], [right, bottom], [right, top], [left, top]], true);
    this.#stroke(style, 1, dashes);
  }

  #circle(place, pixels) {
    this.#context.beginPath();
    this.#context.arc(...this.toCanvas(place), pixels, 0, 2 * Math.PI);
  }

  #ring(place, radius) {
    this.#circle(place, radius * this.#scale);
    this.#stroke(COLORS[3], 1, [3, 3]);
  }

  #cross(place, style) {
    const [x, y] = this.toCanvas(place);
    const context = this.#context;
    context.beginPath();
    context.moveTo(x - 6, y);
    context.lineTo(x + 6, y);
    context.moveTo(x, y - 6);
    context.lineTo(x, y + 6);
    this.#stroke(style, THIN);
  }

  #obstacle({ radius, closed, corners }, selected) {
    const style = selected ? TEXT : MUTED;
    if (corners.length === 1) {
      this.#circle(corners[0], Math.max(radius * this.#scale, THIN));
    } else {
      this.#path(corners, closed);
      this.#stroke(style, Math.max(2 * radius * this.#scale, THIN));
    }
    if (!closed && corners.length > 1) return;
    this.#context.fillStyle = MUTED;
    this.#context.fill();
    if (selected) this.#stroke(TEXT, THIN);
  }

  #trail(places, style) {
    this.#context.globalAlpha = 0.45;
    this.#line(places, style, 1.5);
    this.#context.globalAlpha = 1;
  }

  #agent({ place, heading, radius }, style, selected) {
    const context = this.#context;
    const pixels = Math.max(radius * this.#scale, THIN);
    this.#circle(place, pixels);
    context.fillStyle = style;
    context.fill();
    if (selected) this.#stroke(TEXT, THIN);
    const [x, y] = this.toCanvas(place);
    context.beginPath();
    context.moveTo(x, y);
    context.lineTo(x + pixels * Math.cos(heading), y - pixels * Math.sin(heading));
    this.#stroke(GROUND, Math.max(0.2 * pixels, 1));
  }

  #handle(place) {
    const [x, y] = this.toCanvas(place);
    this.#context.beginPath();
    this.#context.rect(x - HANDLE, y - HANDLE, 2 * HANDLE, 2 * HANDLE);
    this.#context.fillStyle = GROUND;
    this.#context.fill();
    this.#stroke(TEXT, 1.5);
  }
}

// The color of a listed agent or a crowd, by its number.
const color = (group) => COLORS[group % COLORS.length];
