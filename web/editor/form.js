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
    const isVector = schema.type === "array" && schema.minItems === schema.maxItems;
    if ((isVector || schema.type === "string") && hint(key) !== undefined) return hint(key);
    if (schema.type === "array") return Array.from({ length: schema.minItems ?? 0 }, () => this.simplest(schema.items, hint, key));
    if (schema.type === "string") return "";
    if (schema.type === "boolean") return true;
    return Math.max(schema.minimum ?? 0, Math.min(schema.maximum ?? 10, 10));
  }
}

// Forms for values. Each calls `change` with a new value, or with undefined if the field is to be left out.
export class Form {
  // `hint` returns the first value of a field by its key, or undefined.
  constructor(schema, hint) {
    this.schema = schema;
    this.hint = hint;
  }

  // The elements that show a value and change it.
  field(given, value, change, label) {
    const schema = this.schema.resolve(given);
    const choices = this.schema.choices(schema);
    if (choices) return this.#choice(choices, value, change, label);
    if (schema.type === "object" && schema.properties) return this.object(schema, value ?? {}, change);
    if (schema.type === "array") return this.#list(schema, value ?? [], change, label);
    if (schema.type === "boolean") {
      const box = element("input", { type: "checkbox", checked: value ?? schema.default ?? false, ariaLabel: label });
      box.onchange = () => change(box.checked === (schema.default ?? false) ? undefined : box.checked);
      return box;
    }
    if (schema.type === "string") return this.#input({ type: "text", value: value ?? "" }, change, label, (text) => text);
    if (schema.type === "number" || schema.type === "integer") {
      const number = { type: "number", step: "any", value: value?.rawJSON ?? value ?? "", placeholder: "default" };
      return this.#input(number, change, label, Number);
    }
    return element("code", { textContent: JSON.stringify(value) });
  }

  #input(properties, change, label, read) {
    const input = element("input", { ...properties, ariaLabel: label });
    input.onchange = () => change(input.value === "" ? undefined : read(input.value));
    return input;
  }

  #choice(choices, value, change, label) {
    const now = value === undefined ? undefined : this.schema.choice(choices, value);
    const select = element("select", { ariaLabel: label }, ...(now ? [] : [element("option", { value: "", textContent: "default" })]));
    for (const { name } of choices) select.append(element("option", { value: name, textContent: name, selected: name === now?.name }));
    select.onchange = () => {
      const { schema } = choices.find(({ name }) => name === select.value);
      change(this.schema.simplest(schema, this.hint, label));
    };
    if (!now || "const" in now.schema) return select;
    const inner = now.schema.properties ? now.schema.properties[now.name] : now.schema;
    const wrap = (part) => (now.schema.properties && part !== undefined ? { [now.name]: part } : part);
    return element("div", { className: "choice" }, select, this.field(inner, now.schema.properties ? value[now.name] : value, (part) => change(wrap(part)), label));
  }

  // The fields of an object, except those that are left out. Fields without a value can be added, and those that are not required can be
  // removed.
  object(given, value, change, leftOut = [], kept = []) {
    const { properties, required = [] } = this.schema.resolve(given);
    const set = (key, part) => {
      const { [key]: _, ...rest } = value;
      change(part === undefined ? rest : { ...value, [key]: part });
    };
    const isRequired = (key) => required.includes(key);
    const known = Object.keys(properties).sort((one, other) => isRequired(other) - isRequired(one));
    const keys = known.filter((key) => !leftOut.includes(key) && !("const" in this.schema.resolve(properties[key])));
    const isPlain = (key) => ["number", "integer", "boolean", "string"].includes(this.schema.resolve(properties[key]).type);
    const shown = keys.filter((key) => key in value || isRequired(key) || isPlain(key) || this.#isShort(properties[key]));
    const rows = shown.map((key) => {
      const remove = element("button", { type: "button", textContent: "×", title: `Remove ${key}`, onclick: () => set(key, undefined) });
      const removable = key in value && ![...required, ...kept].includes(key) && !isPlain(key);
      const title = this.schema.resolve(properties[key]).description ?? "";
      const name = element("span", { className: "name", textContent: key.replaceAll("_", " "), title });
      return element("div", { className: "row" }, name, this.field(properties[key], value[key], (part) => set(key, part), key), removable ? remove : undefined);
    });
    const hidden = keys.filter((key) => !shown.includes(key));
    return element("div", { className: "object" }, ...rows, hidden.length ? this.#adder(hidden, (key) => {
      const schema = this.schema.resolve(properties[key]);
      // An empty list would be left out.
      set(key, this.schema.simplest(schema.type === "array" ? { ...schema, minItems: schema.minItems || 1 } : schema, this.hint, key));
    }) : undefined);
  }

  // Whether a field is one control, which can be shown without a value.
  #isShort(given) {
    const choices = this.schema.choices(this.schema.resolve(given));
    return choices !== undefined && choices.every(({ schema }) => "const" in schema);
  }

  // A list from which something can be added.
  #adder(names, add, text = "add …") {
    const options = names.map((name) => element("option", { value: name, textContent: name.replaceAll("_", " ") }));
    const select = element("select", { className: "add", ariaLabel: text }, element("option", { value: "", textContent: text }), ...options);
    select.onchange = () => add(select.value);
    return select;
  }

  #list(schema, value, change, label) {
    const { items, minItems = 0, maxItems = Infinity } = schema;
    const set = (number, part) => change(value.with(number, part));
    const one = (part, number) => this.field(items, part, (part) => part !== undefined && set(number, part), `${label} ${number}`);
    // A place or a vector.
    if (minItems === maxItems) {
      const shown = value.length ? value : Array.from({ length: minItems });
      const parts = shown.map((part, number) => this.field(items, part, (part) => change(Array.from(shown, (other, n) => (n === number ? part : other) ?? 0)), `${label} ${number}`));
      return element("div", { className: "vector" }, ...parts);
    }
    const rows = value.map((part, number) => {
      const remove = element("button", { type: "button", textContent: "×", title: `Remove ${label} ${number}` });
      remove.onclick = () => change(value.toSpliced(number, 1));
      return element("div", { className: "item" }, one(part, number), value.length > minItems ? remove : undefined);
    });
    const add = element("button", { type: "button", textContent: "+", title: `Add to ${label}` });
    add.onclick = () => change([...value, this.schema.simplest(items, this.hint, label)]);
    return element("div", { className: "list" }, ...rows, value.length < maxItems ? add : undefined);
  }

  // The behaviors of an agent: one card each, and a list of the others.
  behaviors(value, change) {
    const choices = this.schema.choices(this.schema.named("Behavior"));
    const cards = value.map((behavior, number) => {
      const { name, schema } = this.schema.choice(choices, behavior);
      const set = (fields) => change(value.with(number, { [name]: fields ?? {} }));
      const remove = element("button", { type: "button", textContent: "×", title: `Remove ${name}`, onclick: () => change(value.toSpliced(number, 1)) });
      const title = element("summary", { title: schema.description }, element("b", { textContent: name.replaceAll("_", " ") }), remove);
      return element("details", { className: "behavior", open: true }, title, this.object(schema.properties[name], behavior[name], set));
    });
    const taken = new Set(value.map((behavior) => Object.keys(behavior)[0]));
    const others = choices.map(({ name }) => name).filter((name) => !taken.has(name));
    const add = (added) => {
      const { schema } = choices.find(({ name }) => name === added);
      change([...value, this.schema.simplest(schema, this.hint, added)]);
    };
    return element("div", { className: "behaviors" }, ...cards, this.#adder(others, add, "add a behavior …"));
  }
}
