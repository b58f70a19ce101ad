// Writes the types of the library beside it (dist/types): the declarations of what it exports, and of what those name.
import { spawnSync } from "node:child_process";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { filesBelow } from "./files.mjs";

const relativeImport = /(from |import\()"(\.[^"]+)\.ts"/g;

/** @param {string} root the project's folder */
export function writeDeclarations(root) {
  const types = join(root, "dist/types");
  rmSync(types, { recursive: true, force: true });
  const compiler = join(root, "node_modules/typescript/bin/tsc");
  const { status } = spawnSync(process.execPath, [compiler, "-p", "tsconfig.lib.json"], {
    cwd: root,
    stdio: ["ignore", 2, 2],
  });
  if (status !== 0) throw new Error("Writing the library's types failed; the compiler's messages are above.");
  const reached = reachedFrom(["crinkle", "ranks"].map((name) => join(types, `embed/${name}.d.ts`)));
  for (const path of filesBelow(types)) if (!reached.has(path)) rmSync(path);
  for (const path of reached) {
    const text = readFileSync(path, "utf8");
    writeFileSync(path, text.replace(relativeImport, '$1"$2.js"'));
  }
}

/** @param {readonly string[]} first @returns {Set<string>} these, and the declarations that they import in any number of steps */
function reachedFrom(first) {
  const reached = new Set(first);
  for (const path of reached) {
    for (const [, , specifier] of readFileSync(path, "utf8").matchAll(relativeImport)) {
      reached.add(join(dirname(path), `${specifier}.d.ts`));
    }
  }
  return reached;
}
