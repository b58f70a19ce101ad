// What the import rules find in a graph: one sentence a fault, with its file and line.
import { doors, entries, folders, generated, inside, libraries, packages } from "./rules.mjs";

/**
 * @typedef {import("./graph.mjs").Graph} Graph
 * @typedef {import("./graph.mjs").Edge} Edge
 */

/** @param {string} path */
export const isTest = (path) => /\.test\.[cm]?[jt]sx?$/.test(path);
/** @param {string} path */
const isTesting = (path) => path.includes("/testing/");

/** `src/gpu/device/pool.ts` → ["gpu", "device", "pool.ts"]; undefined outside src/. @param {string} path */
function placeOf(path) {
  return path.startsWith("src/") ? path.slice(4).split("/") : undefined;
}

/** Imports that the table forbids, and packages away from their home. @param {Graph} graph */
export function checkLayers(graph) {
  const faults = [];
  for (const [path, { edges }] of graph) {
    const place = placeOf(path);
    if (!place) continue;
    if (!(place[0] in folders)) {
      faults.push(`${path}: src/${place[0]} has no row in the import table (tools/imports/rules.mjs).`);
      continue;
    }
    for (const edge of edges) {
      const reason = edge.target
        ? refusal(path, place, edge, edge.target)
        : packageRefusal(path, place, edge);
      if (reason) faults.push(`${path}:${edge.line} imports ${edge.target ?? edge.specifier}: ${reason}.`);
    }
  }
  return faults;
}

/**
 * @param {string} path @param {readonly string[]} from @param {Edge} edge @param {string} target
 * @returns {string | undefined}
 */
function refusal(path, from, edge, target) {
  const to = placeOf(target);
  const inTest = isTest(path) || isTesting(path);
  if (!to)
    return inTest || from[0] === "ui" ? undefined : "src/ stands on its own, without tools, bench or e2e";
  if (isTest(target)) return "a test is nobody's module";
  if (isTesting(target) && !inTest) return "testing/ is for tests only";
  if (from[0] === to[0]) return insideRefusal(from, to, inTest);
  if (inTest && to[0] !== "ui" && to[0] !== "node") return undefined;
  if (folders[from[0]].includes(to[0])) return undefined;
  const below = to.join("/");
  const door = (doors[from[0]] ?? []).find(({ path }) => below.startsWith(path));
  if (!door) return `${from[0]} may import ${listOf(from[0])}`;
  return door.typesOnly && edge.kind !== "type" ? `${from[0]} may take only types from there` : undefined;
}

/** @param {readonly string[]} from @param {readonly string[]} to @param {boolean} inTest */
function insideRefusal(from, to, inTest) {
  if (inTest) return undefined;
  for (const [folder, layers] of Object.entries(inside)) {
    const path = folder.split("/");
    if (path.some((part, k) => from[k] !== part || to[k] !== part)) continue;
    const [own, other] = [from[path.length], to[path.length]];
    const allowed = layers[own];
    // A file beside the subfolders belongs to none of them.
    if (!allowed || own === other || to.length === path.length + 1 || allowed.includes(other)) continue;
    return `inside ${folder}, ${own} may import ${allowed.length ? allowed.join(", ") : "none of its neighbours"}`;
  }
  return undefined;
}

/** @param {string} folder */
function listOf(folder) {
  const known = folders[folder];
  const extra = (doors[folder] ?? []).map(({ path, typesOnly }) => (typesOnly ? `${path} (types)` : path));
  return [...known, ...extra].join(", ") || "nothing";
}

/** @param {string} path @param {readonly string[]} from @param {Edge} edge */
function packageRefusal(path, from, edge) {
  const rule = packages.find(({ pattern }) => pattern.test(edge.specifier));
  if (!rule || (!rule.tests && (isTest(path) || isTesting(path)))) return undefined;
  const below = from.join("/");
  if (rule.homes.some((home) => below.startsWith(`${home}/`))) return undefined;
  return `${rule.what} has its home in ${rule.homes.join(", ")}`;
}

/** Circles of imports that exist at run time, each reported once as its chain. @param {Graph} graph */
export function checkCycles(graph) {
  /** @type {Map<string, "open" | "closed">} */
  const state = new Map();
  /** @type {string[]} */
  const chain = [];
  /** @type {string[]} */
  const faults = [];
  /** @param {string} path */
  const visit = (path) => {
    state.set(path, "open");
    chain.push(path);
    for (const { target, kind } of graph.get(path)?.edges ?? []) {
      if (!target || kind === "type" || kind === "url") continue;
      if (state.get(target) === "open") {
        faults.push(`Import cycle: ${[...chain.slice(chain.indexOf(target)), target].join(" → ")}.`);
      } else if (!state.has(target)) visit(target);
    }
    chain.pop();
    state.set(path, "closed");
  };
  for (const path of graph.keys()) if (!state.has(path)) visit(path);
  return faults;
}

/** Sources that no program and no test's helper reaches. @param {Graph} graph */
export function checkReachable(graph) {
  const reached = new Set();
  const isRoot = (/** @type {string} */ path) =>
    entries.includes(path) ||
    libraries.includes(path) ||
    (!path.startsWith("src/") && /^(e2e|bench|bin|tools)\//.test(path));
  const open = [...graph.keys()].filter(isRoot);
  const openTests = [...graph.keys()].filter((path) => isTest(path));
  for (let path = open.pop(); path; path = open.pop()) {
    if (reached.has(path)) continue;
    reached.add(path);
    for (const { target } of graph.get(path)?.edges ?? []) if (target) open.push(target);
  }
  for (const test of openTests) reached.add(test);
  for (const path of graph.keys()) if (isTesting(path)) reached.add(path);
  return [...graph.keys()]
    .filter((path) => path.startsWith("src/") && !reached.has(path))
    .map((path) => `${path}: no program imports it.`);
}

/** Exported values that nobody takes, tests included. @param {Graph} graph */
export function checkExports(graph) {
  /** @type {Map<string, Set<string> | "*">} */
  const taken = new Map();
  for (const { edges } of graph.values()) {
    for (const { target, names } of edges) {
      if (!target) continue;
      const known = taken.get(target) ?? new Set();
      if (names === "*" || known === "*") taken.set(target, "*");
      else taken.set(target, new Set([...known, ...names]));
    }
  }
  const faults = [];
  for (const [path, { exports }] of graph) {
    if (!path.startsWith("src/") || isTest(path)) continue;
    if (generated.includes(path) || entries.includes(path) || libraries.includes(path)) continue;
    const names = taken.get(path) ?? new Set();
    if (names === "*") continue;
    for (const { name, line, isType } of exports) {
      if (!isType && !names.has(name)) faults.push(`${path}:${line} exports ${name}, which nobody imports.`);
    }
  }
  return faults;
}
