// Writes the types of the library beside it (dist/types): the declarations of what it exports, and of what those name.
import { spawnSync } from "node:child_process";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { filesBelow } from "./files.mjs";

/** What programs import, in src/embed. */
export const entries = ["cluster", "crinkle", "data", "primitives", "ranks", "trees"];

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
  const reached = reachedFrom(entries.map((name) => join(types, `embed/${name}.d.ts`)));
  for (const path of filesBelow(types)) if (!reached.has(path)) rmSync(path);
  for (const path of reached) {
    const text = readFileSync(path, "utf8");
    writeFileSync(
      path,
      `${globalsOf(relative(types, dirname(path)), text)}${text.replace(relativeImport, '$1"$2.js"')}`,
    );
  }
  const declared = [...globals].map(([name, rest]) => `export type ${name} = Global<"${name}", ${rest}>;\n`);
  writeFileSync(join(types, globalsFile), `${globalType}${declared.join("")}`);
}

/**
 * Types of browsers that declarations name, and what they are where a program has none of them: neither TypeScript's library
 * `dom` nor Node's or WebGPU's types.
 */
const globals = new Map([
  ["AbortSignal", "{ readonly aborted: boolean }"],
  ["Blob", "{ readonly size: number; arrayBuffer(): Promise<ArrayBuffer> }"],
  ["GPUBuffer", "{ readonly size: number; readonly usage: number; destroy(): void; readonly label: string }"],
  ["GPUDevice", "{ readonly queue: object; readonly lost: Promise<object>; destroy(): void }"],
]);
const globalsFile = "globals.d.ts";
const globalType = `/** A type of the platform where the program knows it, else as much as is needed of it. */
type Global<Name extends string, Rest> = typeof globalThis extends { readonly [N in Name]: { readonly prototype: infer Known } }
  ? Known
  : Rest;
`;

/** The import of the globals that a declaration names. @param {string} folder of it, below the types @param {string} text */
function globalsOf(folder, text) {
  const code = text.replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, "");
  const named = [...globals.keys()].filter((name) => new RegExp(`\\b${name}\\b`).test(code));
  if (named.length === 0) return "";
  const up = "../".repeat(folder.split(sep).length);
  return `import type { ${named.join(", ")} } from "${up}globals.js";\n`;
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
