// Puts the built page (dist/web) into one file, dist/web.br, as packages carry it: all scripts compressed together, since those of
// the workers repeat each other. What is compressed already, the samples, stays beside it.
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { brotliCompressSync, constants } from "node:zlib";
import { filesBelow } from "./files.mjs";

/** @param {string} root the project's folder */
export function packPage(root) {
  const folder = join(root, "dist/web");
  const nameOf = (/** @type {string} */ path) => relative(folder, path).split(sep).join("/");
  const paths = filesBelow(folder).filter((path) => !nameOf(path).startsWith("samples/"));
  // By their names, so that files of the same name are near each other.
  const files = paths.sort().map((path) => ({ path: nameOf(path), bytes: readFileSync(path) }));
  const contents = Buffer.concat(files.map(({ bytes }) => bytes));
  const tag = createHash("sha256").update(contents).digest("base64url").slice(0, 12);
  const index = JSON.stringify({ files: files.map(({ path, bytes }) => [path, bytes.length]), tag });
  const packed = brotliCompressSync(Buffer.concat([Buffer.from(`${index}\0`), contents]), {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: 11,
      [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS,
      [constants.BROTLI_PARAM_SIZE_HINT]: contents.length,
    },
  });
  writeFileSync(join(root, "dist/web.br"), packed);
}
