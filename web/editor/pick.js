// Finds what is at a place of a scene.

export const distance = ([x, y], [u, v]) => Math.hypot(x - u, y - v);

// The distance of a place from a segment.
function fromSegment(place, [start, end]) {
  const [dx, dy] = [end[0] - start[0], end[1] - start[1]];
  const along = ((place[0] - start[0]) * dx + (place[1] - start[1]) * dy) / (dx * dx + dy * dy || 1);
  const share = Math.min(Math.max(along, 0), 1);
  return distance(place, [start[0] + share * dx, start[1] + share * dy]);
}

// The distance of a place from an outline, zero within.
function fromOutline(place, { corners, closed }) {
  if (corners.length === 1) return distance(place, corners[0]);
  const count = closed ? corners.length : corners.length - 1;
  const sides = Array.from({ length: count }, (_, n) => [corners[n], corners[(n + 1) % corners.length]]);
  const crossed = sides.filter(([[x, y], [u, v]]) => y > place[1] !== v > place[1] && place[0] < x + ((place[1] - y) / (v - y)) * (u - x));
  return closed && crossed.length % 2 ? 0 : Math.min(...sides.map((side) => fromSegment(place, side)));
}

const box = ({ min: [left, bottom], max: [right, top] }) => ({ corners: [[left, bottom], [right, bottom], [right, top], [left, top]], closed: true });

// The path of the topmost item that is nearer than `near` to a place, or undefined.
export function itemAt(place, near, { agents, obstacles }, { gates = [], crowds = [], respawns = [], markers = {} }) {
  const outlines = [
    ...agents.map(({ place, radius, item }) => [item, { corners: [place] }, Math.max(radius, near)]),
    ...Object.entries(markers).flatMap(([name, entries]) => entries.map(([, ...place]) => [["markers", name], { corners: [place] }, near])),
    ...gates.map(({ start, end }, n) => [["gates", n], { corners: [start, end] }, near]),
    ...obstacles.map((obstacle, n) => [["obstacles", n], obstacle, Math.max(obstacle.radius, near)]),
    ...crowds.map(({ area }, n) => [["crowds", n], box(area), near]),
    ...respawns.flatMap(({ inside, to }, n) => [inside, to].map((area) => [["respawns", n], box(area), near])),
  ];
  return outlines.find(([, outline, reach]) => fromOutline(place, outline) <= reach)?.[0];
}
