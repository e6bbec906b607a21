// A scenario file that is edited: its content, and what can be undone.

// The fields whose value is a place, and those whose value is a list of places.
export const PLACES = new Set(["center", "start", "end", "pivot", "position", "place", "point", "mirrored", "min", "max"]);
export const LISTS = new Set(["points", "path", "toward"]);

const isPlace = (value) => Array.isArray(value) && value.length === 2 && value.every((number) => typeof number === "number");

// The value at a path within a value.
export const at = (value, path) => path.reduce((inner, key) => inner?.[key], value);

// Sets the value at a path, or removes it if it is undefined. Missing objects on the way are created.
export function set(value, path, inner) {
  const [key, ...rest] = path;
  if (rest.length) set((value[key] ??= {}), rest, inner);
  else if (inner !== undefined) value[key] = inner;
  else if (Array.isArray(value)) value.splice(key, 1);
  else delete value[key];
}

// The paths of all places within a value. The path of an entry of a marker leads to `[time, x, y]`.
export function places(value, path = []) {
  if (value === null || typeof value !== "object") return [];
  if (path.length === 2 && path[0] === "markers") return value.map((_, number) => [...path, number]);
  return Object.entries(value).flatMap(([key, inner]) => {
    const here = [...path, Array.isArray(value) ? Number(key) : key];
    if (PLACES.has(key) && isPlace(inner)) return [here];
    if (!LISTS.has(key) || !Array.isArray(inner)) return places(inner, here);
    return inner.flatMap((place, number) => (isPlace(place) ? [[...here, number]] : []));
  });
}

// Rounds a place to hundredths, which are far below a pixel, so that files remain legible.
export const rounded = (place) => place.map((number) => Math.round(100 * number) / 100);

// The place at a path that `places` returned.
export const placeAt = (value, path) => at(value, path).slice(-2);

// Moves the places at these paths.
export function move(value, paths, [dx, dy]) {
  for (const path of paths) {
    const [x, y] = placeAt(value, path);
    set(value, path, [...at(value, path).slice(0, -2), ...rounded([x + dx, y + dy])]);
  }
}

// JSON with short values in one line, as a person would write it.
export function print(value, indent = "", limit = 110) {
  const line = JSON.stringify(value, null, 1).replace(/\n\s*/g, " ").replaceAll("[ ", "[").replaceAll(" ]", "]").replaceAll("{ ", "{").replaceAll(" }", "}");
  if (value === null || typeof value !== "object" || line.length + indent.length <= limit) return line;
  const deeper = `${indent}  `;
  const inner = Array.isArray(value)
    ? value.map((item) => deeper + print(item, deeper, limit))
    : Object.entries(value).map(([key, item]) => `${deeper}${JSON.stringify(key)}: ${print(item, deeper, limit)}`);
  const [open, close] = Array.isArray(value) ? "[]" : "{}";
  return `${open}\n${inner.join(",\n")}\n${indent}${close}`;
}

export class Document {
  #past = [];
  #future = [];

  constructor(text) {
    this.text = text;
  }

  // The content. Throws if the text is not JSON. Integers that a number cannot hold, such as large seeds, keep their digits.
  get content() {
    return JSON.parse(this.text, (_, value, { source } = {}) =>
      Number.isInteger(value) && !Number.isSafeInteger(value) && source ? JSON.rawJSON(source) : value,
    );
  }

  // Replaces the text.
  write(text) {
    if (text === this.text) return;
    this.#past.push(this.text);
    this.#future = [];
    this.text = text;
  }

  // Changes the content.
  edit(change) {
    const content = this.content;
    change(content);
    this.write(`${print(content)}\n`);
  }

  undo() {
    this.#swap(this.#past, this.#future);
  }

  redo() {
    this.#swap(this.#future, this.#past);
  }

  #swap(from, to) {
    if (!from.length) return;
    to.push(this.text);
    this.text = from.pop();
  }
}
