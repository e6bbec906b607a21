// The sources of the book: a folder in which each file has the path that it has in the repository, so that relative links work.

import { cpSync, existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

process.chdir(fileURLToPath(new URL("../..", import.meta.url)));
const folder = "target/book";
rmSync(folder, { recursive: true, force: true });

// Ends the program with one line that says what is wrong.
export function fail(problem) {
  console.error(problem);
  process.exit(1);
}

// Adds a file with this text.
export function write(path, text) {
  const file = join(folder, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

// Adds a file of the repository.
export function include(path) {
  if (!existsSync(path)) fail(`${path} does not exist`);
  cpSync(path, join(folder, path));
}
