// What the browser tests share: a server, Chromium, and checks that a scene moves.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { extname, join } from "node:path";
import { chromium } from "playwright-core";

// Timeouts. Without a GPU, a frame takes a while.
const LOADS = 180_000;
export const MOVES = 240_000;

const TYPES = {
  ".css": "text/css",
  ".html": "text/html",
  ".js": "text/javascript",
  ".png": "image/png",
  ".svg": "image/svg+xml",
  ".wasm": "application/wasm",
  ".woff2": "font/woff2",
};

// Serves a folder at a path, and returns its address and a function that stops the server.
export async function serve(folder, base = "/") {
  const server = createServer(async (request, response) => {
    const path = decodeURIComponent(new URL(request.url, "http://page").pathname);
    const file = join(folder, path.slice(base.length), path.endsWith("/") ? "index.html" : "");
    try {
      if (!path.startsWith(base)) throw new Error("not in the folder");
      const body = await readFile(file);
      response.writeHead(200, { "content-type": TYPES[extname(file)] ?? "application/octet-stream" }).end(body);
    } catch {
      response.writeHead(path === "/favicon.ico" ? 204 : 404).end();
    }
  });
  await new Promise((listening) => server.listen(0, "127.0.0.1", listening));
  return { address: `http://127.0.0.1:${server.address().port}${base}`, stop: () => server.close() };
}

// Starts Chromium, which renders without a GPU.
export function launch() {
  return chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: [
      "--no-sandbox",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
      "--use-gl=angle",
      "--use-angle=swiftshader",
      "--enable-unsafe-swiftshader",
      "--ignore-gpu-blocklist",
    ],
  });
}

// Adds the errors on the console of a page to `problems`.
export function note(page, problems) {
  const add = (problem) => problems.push(`${page.url()}: ${problem}`);
  page.on("console", (message) => message.type() === "error" && add(message.text()));
  page.on("pageerror", (error) => {
    // Bevy throws this to leave its startup function.
    if (!error.message.includes("Using exceptions for control flow")) add(error.message);
  });
}

// Waits until the gallery has loaded in a page or a frame.
export const loaded = (frame) => frame.waitForSelector("#loading", { state: "detached", timeout: LOADS });

// Waits until a page or an element changes, and returns the new screenshot.
export async function changed(view, before, what) {
  const end = Date.now() + MOVES;
  for (;;) {
    const now = await view.screenshot({ timeout: MOVES });
    if (!now.equals(before)) return now;
    assert.ok(Date.now() < end, `${what}: the picture does not change`);
    await new Promise((waited) => setTimeout(waited, 200));
  }
}

// Opens a scene in the gallery, checks that it moves, and returns a screenshot.
export async function play(page, scene) {
  const before = await page.screenshot({ timeout: MOVES });
  await page.evaluate((scene) => (location.hash = scene), scene);
  await changed(page, before, scene);
  await page.waitForTimeout(2500);
  return changed(page, await page.screenshot({ timeout: MOVES }), scene);
}
