// Builds the page (dist/web), the command line (dist/node) or the library (dist/lib, dist/types) where it is missing or older than
// its sources; run by itself, it builds all three. `node tools/build.mjs package` makes of them what a package carries.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { writeDeclarations } from "./declarations.mjs";
import { newestChange } from "./files.mjs";
import { writeNotices } from "./notices.mjs";
import { packPage } from "./pack-page.mjs";

export const root = join(dirname(fileURLToPath(import.meta.url)), "..");

const targets = {
  web: {
    what: "the page",
    config: "vite.config.ts",
    product: "dist/web/index.html",
    sources: ["src", "public", "index.html", "vite.config.ts", "package.json"],
  },
  node: {
    what: "the command line",
    config: "vite.node.config.ts",
    product: "dist/node/crinkle.js",
    sources: ["src", "vite.node.config.ts", "package.json"],
  },
  lib: {
    what: "the library",
    config: "vite.lib.config.ts",
    product: "dist/types/embed/crinkle.d.ts",
    sources: ["src", "vite.lib.config.ts", "tsconfig.lib.json", "package.json"],
  },
};

/** @typedef {keyof typeof targets} Target */

/** Written after a build, with the time at which it began. @param {Target} target */
const marker = (target) => join(root, `dist/.built-${target}`);
const isSource = (/** @type {string} */ path) => !/\.test\.\w+$/.test(path);
const vite = join(root, "node_modules/vite/bin/vite.js");

/** @param {Target} target */
function isStale(target) {
  const { product, sources } = targets[target];
  if (!existsSync(join(root, product)) || !existsSync(marker(target))) return true;
  const paths = sources.map((path) => join(root, path));
  return newestChange(paths, isSource) > statSync(marker(target)).mtimeMs;
}

/** @param {Target} target */
function runBuild(target) {
  const { what, config } = targets[target];
  const begun = new Date();
  const { status } = spawnSync(process.execPath, [vite, "build", "--config", config, "--logLevel", "warn"], {
    cwd: root,
    stdio: ["ignore", 2, 2],
  });
  if (status !== 0) throw new Error(`Building ${what} failed; its messages are above.`);
  if (target === "lib") writeDeclarations(root);
  writeFileSync(marker(target), "");
  utimesSync(marker(target), begun, begun);
}

/** Whether the process that wrote its number into the lock still lives. @param {string} lock */
function isHeld(lock) {
  try {
    process.kill(Number(readFileSync(lock, "utf8")), 0);
    return true;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}

/**
 * Builds what is stale; several processes that ask at once build it once.
 * @param {Target} target @param {(message: string) => void} say
 */
export async function ensureBuilt(target, say) {
  if (!isStale(target)) return;
  if (!existsSync(vite)) {
    if (existsSync(join(root, targets[target].product))) return;
    throw new Error(`${targets[target].what} is not built, and Vite is not installed: run npm ci first.`);
  }
  mkdirSync(join(root, "dist"), { recursive: true });
  const lock = join(root, `dist/.building-${target}`);
  while (isStale(target)) {
    try {
      writeFileSync(lock, String(process.pid), { flag: "wx" });
    } catch {
      if (isHeld(lock)) await sleep(100);
      else rmSync(lock, { force: true });
      continue;
    }
    try {
      say(`Building ${targets[target].what} …`);
      runBuild(target);
    } finally {
      rmSync(lock, { force: true });
    }
    return;
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const isPackage = process.argv[2] === "package";
  for (const target of /** @type {Target[]} */ (Object.keys(targets))) {
    if (isPackage) await ensureBuilt(target, console.error);
    else runBuild(target);
  }
  if (isPackage) {
    packPage(root);
    writeNotices(root, Object.keys(targets));
  }
}
