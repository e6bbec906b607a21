// The items of a file: what they are called, how new ones look, and which of their places move with them.

import { at, places } from "./document.js";

// The lists of a file, with the schema of their items, and what an item is called.
export const LISTED = {
  agents: { type: "Agent", name: ({ id }) => id },
  crowds: { type: "Crowd", name: ({ prefix }) => prefix },
  obstacles: { type: "Obstacle", name: shapeOf },
  gates: { type: "Gate", name: ({ id }) => id },
  respawns: { type: "Respawn", name: () => "respawn" },
  fields: { type: "FlowField", name: ({ id }) => id },
  formations: { type: "Formation", name: ({ anchor }) => `formation of ${anchor}` },
};
// The lists whose items can be copied. An agent is in one formation, and a marker is its name.
export const COPIED = new Set(["agents", "crowds", "obstacles", "gates", "respawns", "fields"]);
export const SHAPES = ["circle", "rectangle", "segment", "capsule", "polygon", "polyline"];

export function shapeOf(obstacle) {
  return SHAPES.find((shape) => shape in obstacle) ?? "obstacle";
}

// What can be added, at a place: the list and the new item, or nothing if it cannot be added now.
export const NEW = {
  Agent: (content, [x, y]) => ["agents", { id: unused(content, "agents", "id", "agent "), position: [x, y], behaviors: usual([x + 150, y]) }],
  Crowd: (content, [x, y]) => [
    "crowds",
    {
      // Ends with a space, so that `crowd 1` and its tenth agent are not `crowd 11` and its first one.
      prefix: unused(content, "crowds", "prefix", "crowd ", " "),
      count: 20,
      area: { min: [x - 60, y - 60], max: [x + 60, y + 60] },
      spacing: 18,
      agent: { behaviors: [...usual([x + 200, y]), { avoid_neighbors: {} }] },
    },
  ],
  Circle: (_, [x, y]) => ["obstacles", { circle: { center: [x, y], radius: 30 } }],
  Rectangle: (_, [x, y]) => ["obstacles", { rectangle: { center: [x, y], half_size: [40, 20] } }],
  Walls: (_, [x, y]) => ["obstacles", { polyline: { points: [[x - 60, y], [x, y + 30], [x + 60, y]] } }],
  Polygon: (_, [x, y]) => ["obstacles", { polygon: { points: [[x - 40, y - 30], [x + 40, y - 30], [x, y + 40]] } }],
  Gate: (content, [x, y]) => ["gates", { id: unused(content, "gates", "id", "gate "), start: [x, y - 40], end: [x, y + 40] }],
  Respawn: (_, [x, y]) => ["respawns", { inside: { min: [x, y], max: [x + 40, y + 40] }, to: { min: [x - 200, y], max: [x - 160, y + 40] } }],
  Marker: (content, [x, y]) => ["markers", unused(content, "markers", "", "marker "), [[0, x, y]]],
  "Flow field": (content, [x, y]) => ["fields", { id: unused(content, "fields", "id", "field "), toward: [[x, y]], cell: 10, clearance: 10 }],
  Formation: (content) => {
    const free = inNoFormation(content);
    const anchor = free.find((name) => content.agents?.some(({ id }) => id === name));
    const members = free.filter((name) => name !== anchor);
    return anchor && members.length ? ["formations", { anchor, pattern: "wedge", members }] : undefined;
  },
};

const usual = (point) => [{ arrive: { target: { point } } }, { avoid_obstacles: {} }];

// A name that nothing in a list has yet: a number between two texts.
export function unused(content, list, key, before, after = "") {
  const names = list === "markers" ? Object.keys(content.markers ?? {}) : (content[list] ?? []).map((item) => item[key]);
  for (let number = 1; ; number += 1) if (!names.includes(before + number + after)) return before + number + after;
}

// The ids of agents, and the prefixes of crowds, that are in no formation.
export function inNoFormation({ agents = [], crowds = [], formations = [] }) {
  const taken = new Set(formations.flatMap(({ anchor, members }) => [anchor, ...members]));
  return [...agents.map(({ id }) => id), ...crowds.map(({ prefix }) => prefix)].filter((name) => !taken.has(name));
}

// The paths of the places that move with an item as a whole: those of an agent's targets stay.
export function ownPlaces(content, item) {
  const paths = places(at(content, item), item);
  if (item[0] === "agents") return paths.filter((path) => path.length === 3);
  return item[0] === "crowds" ? paths.filter((path) => path[2] === "area") : paths;
}
