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

// The place at a path that `places` returned.
export const placeAt = (value, path) => at(value, path).slice(-2);

// Moves the places at these paths. Twelve digits are more than the simulation has.
export function move(value, paths, displacement) {
  for (const path of paths) {
    const moved = placeAt(value, path).map((number, axis) => Number((number + displacement[axis]).toPrecision(12)));
    set(value, path, [...at(value, path).slice(0, -2), ...moved]);
  }
}

// JSON in which values that fit in a line are in one line.
export function print(value, indent = "", limit = 110) {
  if (value === null || typeof value !== "object" || JSON.isRawJSON?.(value)) return JSON.stringify(value);
  const isList = Array.isArray(value);
  const show = (deeper) => {
    if (isList) return value.map((item) => print(item, deeper, limit));
    return Object.entries(value).map(([key, item]) => `${JSON.stringify(key)}: ${print(item, deeper, limit)}`);
  };
  const [open, close] = isList ? "[]" : "{}";
  const line = `${open}${show(indent).join(", ")}${close}`;
  if (!line.includes("\n") && line.length + indent.length <= limit) return line;
  const deeper = `${indent}  `;
  return `${open}\n${show(deeper).map((item) => deeper + item).join(",\n")}\n${indent}${close}`;
}

// Reads JSON. Integers that a number cannot hold, such as large seeds, keep their digits.
const parse = (text) =>
  JSON.parse(text, (_, value, { source } = {}) =>
    Number.isInteger(value) && !Number.isSafeInteger(value) && source ? JSON.rawJSON(source) : value,
  );

// The text of a file, or of its scenario if it also has an expected motion.
function scenario(text) {
  try {
    const { scenario } = parse(text);
    return scenario ? print(scenario) : text;
  } catch {
    return text;
  }
}

export class Document {
  #past = [];
  #future = [];

  #isTyping = false;

  constructor(text) {
    this.text = text;
  }

  // The content. Throws if the text is not JSON.
  get content() {
    return parse(this.text);
  }

  // Replaces the text. All that is typed in a row is undone at once.
  write(text, isTyped = false) {
    if (text === this.text) return;
    if (!isTyped || !this.#isTyping) this.#past.push(this.text);
    this.#isTyping = isTyped;
    this.#future = [];
    this.text = scenario(text);
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
    this.#isTyping = false;
    to.push(this.text);
    this.text = from.pop();
  }
}
