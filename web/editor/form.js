// Forms for values that a JSON Schema describes.

// An element with properties and children.
export function element(tag, properties = {}, ...children) {
  const made = Object.assign(document.createElement(tag), properties);
  made.append(...children.filter((child) => child !== undefined));
  return made;
}

export class Schema {
  #definitions;

  constructor(schema) {
    this.root = schema;
    this.#definitions = schema.$defs;
  }

  // The schema of a name under `$defs`.
  named(name) {
    return this.#definitions[name];
  }

  // A schema without a reference. Its own description has precedence.
  resolve(schema) {
    if (!schema.$ref) return schema;
    const { $ref, ...own } = schema;
    return { ...this.resolve(this.named($ref.split("/").at(-1))), ...own };
  }

  // The alternatives of a schema, each with a name, or undefined. Alternatives that are words are one alternative each.
  choices(schema) {
    if (schema.type === "boolean") return [true, false].map((value) => ({ name: String(value), schema: { const: value } }));
    if (schema.enum) return schema.enum.map((word) => ({ name: word, schema: { const: word } }));
    if (!schema.oneOf || schema.properties) return undefined;
    return schema.oneOf.flatMap((choice) => {
      const resolved = this.resolve(choice);
      if (resolved.enum) return this.choices(resolved);
      const name = resolved.const ?? resolved.required?.[0] ?? resolved.type;
      return [{ name, schema: resolved }];
    });
  }

  // The alternative that a value is.
  choice(choices, value) {
    return choices.find(({ name, schema }) =>
      "const" in schema
        ? schema.const === value
        : schema.properties
          ? value !== null && typeof value === "object" && name in value
          : schema.type === "array"
            ? Array.isArray(value)
            : typeof value === "number",
    );
  }

  // A simple value. `hint` returns what fields with this key should be, if it knows.
  simplest(given, hint, key) {
    const schema = this.resolve(given);
    const choices = this.choices(schema);
    if ("const" in schema) return schema.const;
    if (choices) return this.simplest(choices[0].schema, hint, key);
    if (schema.type === "object") {
      const fields = (schema.required ?? []).map((key) => [key, this.simplest(schema.properties[key], hint, key)]);
      return Object.fromEntries(fields);
    }
    if ((isVector(schema) || schema.type === "string") && hint(key) !== undefined) return hint(key);
    if (schema.type === "array") return Array.from({ length: schema.minItems ?? 0 }, () => this.simplest(schema.items, hint, key));
    if (schema.type === "string") return "";
    return Math.max(schema.minimum ?? 0, Math.min(schema.maximum ?? 10, 10));
  }
}

// Whether a schema is that of lists of a fixed length.
const isVector = ({ type, minItems, maxItems }) => type === "array" && minItems !== undefined && minItems === maxItems;

// Forms for the values of a file. A value is found by its path.
export class Form {
  // `read` returns the value at a path. `write` replaces it, or removes it if it is undefined, and then builds the form anew if its third
  // argument is true. `hint` returns the first value of a field by its key, or undefined.
  constructor(schema, { read, write, hint }) {
    Object.assign(this, { schema, read, write, hint });
  }

  // The control of the value at a path.
  field(given, path, isRequired = typeof path.at(-1) === "number") {
    const schema = this.schema.resolve(given);
    const choices = this.schema.choices(schema);
    if (choices) return this.#choice(choices, path, isRequired);
    if (schema.type === "object" && schema.properties) return this.object(schema, path);
    if (isVector(schema)) return this.#vector(schema, path);
    if (schema.type === "array") return this.#list(schema, path);
    return this.#input(schema, path, isRequired);
  }

  // An input of a number or a text.
  #input({ type }, path, isRequired, write = this.write) {
    const isNumber = type !== "string";
    const shown = () => this.read(path)?.rawJSON ?? this.read(path) ?? "";
    const placeholder = isRequired ? "" : "default";
    const input = labelled("input", path, { type: isNumber ? "number" : "text", step: "any", placeholder, value: shown() });
    input.onchange = () => {
      if (input.validity.badInput || (input.value === "" && isRequired)) input.value = shown();
      else write(path, input.value === "" ? undefined : isNumber ? number(input.value) : input.value);
    };
    return input;
  }

  // A list of numbers of a fixed length. Without a value, its numbers are zero until they are set.
  #vector({ items, minItems }, path) {
    const numbers = () => this.read(path) ?? Array.from({ length: minItems }, () => 0);
    const write = (inner, value) => this.write(path, numbers().with(inner.at(-1), value));
    const isNumber = this.schema.resolve(items).type === "number";
    const part = (inner) => (isNumber ? this.#input(items, inner, true, write) : this.field(items, inner));
    const parts = Array.from({ length: minItems }, (_, n) => part([...path, n]));
    return element("div", { className: isNumber ? "vector" : "list" }, ...parts);
  }

  // A list of alternatives, and the fields of the one that the value is.
  #choice(choices, path, isRequired) {
    const value = this.read(path);
    const now = value === undefined ? undefined : this.schema.choice(choices, value);
    const options = choices.map(({ name }) => element("option", { textContent: name, selected: name === now?.name }));
    const none = now && isRequired ? undefined : element("option", { value: "", textContent: "default" });
    const select = labelled("select", path, {}, none, ...options);
    select.onchange = () => {
      const chosen = choices.find(({ name }) => name === select.value);
      this.write(path, chosen && this.schema.simplest(chosen.schema, this.hint, path.at(-1)), true);
    };
    if (!now || "const" in now.schema) return select;
    const { properties } = now.schema;
    return element("div", { className: "choice" }, select, properties ? this.field(properties[now.name], [...path, now.name], true) : this.field(now.schema, path, true));
  }

  // The fields of an object, except those that are left out. Fields without a value can be added, and those that are not required can be
  // removed.
  object(given, path, leftOut = [], kept = []) {
    const { properties, required = [] } = this.schema.resolve(given);
    const value = this.read(path) ?? {};
    const isRequired = (key) => required.includes(key);
    const known = Object.keys(properties).filter((key) => !leftOut.includes(key) && !("const" in this.schema.resolve(properties[key])));
    const keys = known.sort((one, other) => isRequired(other) - isRequired(one));
    const shown = keys.filter((key) => key in value || isRequired(key) || this.#isPlain(properties[key]));
    const rows = shown.map((key) => {
      const name = element("span", { className: "name", textContent: key.replaceAll("_", " "), title: this.schema.resolve(properties[key]).description ?? "" });
      const isFixed = isRequired(key) || kept.includes(key) || this.#isPlain(properties[key]);
      return element("div", { className: "row" }, name, this.field(properties[key], [...path, key], isRequired(key)), isFixed ? undefined : this.#remover([...path, key]));
    });
    const hidden = keys.filter((key) => !shown.includes(key));
    const add = (key) => {
      const schema = this.schema.resolve(properties[key]);
      // An empty list would be no value.
      const filled = schema.type === "array" ? { ...schema, minItems: schema.minItems || 1 } : schema;
      this.write([...path, key], this.schema.simplest(filled, this.hint, key), true);
    };
    return element("div", { className: "object" }, ...rows, hidden.length ? this.#adder(hidden, path, add) : undefined);
  }

  // Whether a field is one control, which is shown without a value, too.
  #isPlain(given) {
    const schema = this.schema.resolve(given);
    const choices = this.schema.choices(schema);
    return choices ? choices.every(({ schema }) => "const" in schema) : ["number", "integer", "boolean", "string"].includes(schema.type);
  }

  #list({ items, minItems = 0 }, path) {
    const value = this.read(path) ?? [];
    const rows = value.map((_, n) =>
      element("div", { className: "item" }, this.field(items, [...path, n]), value.length > minItems ? this.#remover([...path, n]) : undefined),
    );
    const isNames = this.schema.resolve(items).type === "string";
    const next = () => (value.length && !isNames ? after(value.at(-1)) : this.schema.simplest(items, this.hint, path.at(-1)));
    const add = labelled("button", [...path, "+"], { type: "button", textContent: "+" });
    add.onclick = () => this.write([...path, value.length], next(), true);
    return element("div", { className: "list" }, ...rows, add);
  }

  #remover(path, name = String(path.at(-1)).replaceAll("_", " ")) {
    return element("button", { type: "button", textContent: "×", title: `Remove ${name}`, onclick: () => this.write(path, undefined, true) });
  }

  // A list from which something can be added to the value at a path.
  #adder(names, path, add, text = "add …") {
    const options = names.map((name) => element("option", { value: name, textContent: name.replaceAll("_", " ") }));
    const select = labelled("select", [...path, "+"], { className: "add" }, element("option", { value: "", textContent: text }), ...options);
    select.onchange = () => add(select.value);
    return select;
  }

  // The behaviors of an agent: one card each, and a list of the others.
  behaviors(path) {
    const value = this.read(path) ?? [];
    const choices = this.schema.choices(this.schema.named("Behavior"));
    const cards = value.map((behavior, n) => {
      const { name, schema } = this.schema.choice(choices, behavior);
      const title = element("h4", { title: schema.description }, name.replaceAll("_", " "), this.#remover([...path, n], name));
      return element("div", { className: "behavior" }, title, this.object(schema.properties[name], [...path, n, name]));
    });
    const taken = new Set(value.map((behavior) => Object.keys(behavior)[0]));
    const others = choices.map(({ name }) => name).filter((name) => !taken.has(name));
    const add = (added) => {
      const { schema } = choices.find(({ name }) => name === added);
      this.write([...path, value.length], this.schema.simplest(schema, this.hint, added), true);
    };
    return element("div", { className: "behaviors" }, ...cards, this.#adder(others, path, add, "add a behavior …"));
  }
}

// A control that can be found by the path of its value, for people and for programs.
function labelled(tag, path, properties, ...children) {
  const control = element(tag, { ...properties, ariaLabel: path.slice(-2).join(" ").replaceAll("_", " ") }, ...children);
  control.dataset.path = path.join("/");
  return control;
}

// A number from its digits. Integers that a number cannot hold keep them.
function number(text) {
  const value = Number(text);
  return Number.isInteger(value) && !Number.isSafeInteger(value) && JSON.rawJSON ? JSON.rawJSON(text) : value;
}

// The entry to add to a list after its last one: beside it if it is a place, and a second later if it is an entry of a marker.
function after(last) {
  if (!Array.isArray(last)) return structuredClone(last);
  return last.length === 3 ? [last[0] + 1, last[1] + 20, last[2]] : last.map((number) => number + 20);
}
