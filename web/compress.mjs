// Compresses the gallery's program with Brotli: node web/compress.mjs FOLDER. Few servers compress with Brotli, so the page decompresses the
// program, with a decoder that is copied to the folder. The extension is not "br", because some servers would then make the browser decompress
// the file as well.

import { cpSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, constants } from "node:zlib";

const folder = process.argv[2];
const program = join(folder, "app_bg.wasm");
const bytes = readFileSync(program);
const small = brotliCompressSync(bytes, {
  params: {
    [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS,
    [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
  },
});
writeFileSync(`${program}.brotli`, small);
rmSync(program);

const decoder = dirname(fileURLToPath(import.meta.resolve("brotli-dec-wasm")));
for (const file of ["brotli_dec_wasm.js", "brotli_dec_wasm_bg.wasm"]) cpSync(join(decoder, "pkg", file), join(folder, file));

console.log(`${program}.brotli: ${(small.length / 1e6).toFixed(1)} MB`);
