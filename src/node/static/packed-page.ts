import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { brotliDecompressSync } from "node:zlib";
import { CrinkleError } from "../../core/errors.ts";
import { type FindFile, filesIn, filesInMemory } from "./files.ts";

/**
 * The built page beside the folder into which this program was bundled: the folder web of a checkout; of a package web.br, which is
 * a fourth as large. Throws BadArgument where neither is there.
 */
export function builtPage(): FindFile {
  const folder = join(dirname(fileURLToPath(import.meta.url)), "..", "web");
  const inFolder = filesIn(folder);
  if (existsSync(join(folder, "index.html"))) return inFolder;
  const packed = `${folder}.br`;
  if (existsSync(packed)) {
    const inMemory = packedPage(readFileSync(packed));
    // What is compressed as it is lies in the folder, here too.
    return async (url) => (await inMemory(url)) ?? inFolder(url);
  }
  throw new CrinkleError({
    tag: "BadArgument",
    problem: `The page is not built: ${folder} has no index.html.`,
    remedy: "Run npm run build, or npm start, which builds it.",
  });
}

/** The files that tools/pack-page.mjs has put together. */
function packedPage(packed: Uint8Array): FindFile {
  const bytes = brotliDecompressSync(packed);
  const indexEnd = bytes.indexOf(0);
  const index = JSON.parse(bytes.toString("utf8", 0, indexEnd)) as Index;
  const files = new Map<string, Uint8Array>();
  let at = indexEnd + 1;
  for (const [path, size] of index.files) {
    files.set(path, bytes.subarray(at, at + size));
    at += size;
  }
  return filesInMemory(files, index.tag);
}

interface Index {
  readonly files: readonly (readonly [path: string, bytes: number])[];
  readonly tag: string;
}
