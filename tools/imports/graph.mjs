// The modules of a tree of sources, with every relative import resolved to a path of that tree.
import { posix } from "node:path";
import { parseModule } from "./parse.mjs";

/**
 * @typedef {import("./parse.mjs").Import & { target: string | undefined }} Edge target: a path of the tree; undefined
 *   for packages and for files that are no modules (styles, text)
 * @typedef {object} Node
 * @property {readonly Edge[]} edges
 * @property {import("./parse.mjs").Module["exports"]} exports
 *
 * @typedef {ReadonlyMap<string, Node>} Graph
 */

const modulePath = /\.[cm]?[jt]sx?$/;

/**
 * @param {ReadonlyMap<string, string>} files path in the repository, with "/" → text; HTML pages and modules
 * @returns {{ graph: Graph, faults: string[] }} faults: relative imports that lead nowhere
 */
export function buildGraph(files) {
  /** @type {Map<string, Node>} */
  const graph = new Map();
  const faults = [];
  for (const [path, text] of files) {
    const module = path.endsWith(".html") ? parsePage(text) : parseModule(path, text);
    /** @type {Edge[]} */
    const edges = [];
    for (const edge of module.imports) {
      const target = resolve(files, path, edge.specifier);
      const mustExist = isRelative(edge.specifier) && modulePath.test(withoutQuery(edge.specifier));
      if (target === undefined && mustExist && !isBuilt(path, edge.specifier)) {
        faults.push(`${path}:${edge.line} imports ${edge.specifier}, which does not exist.`);
      }
      edges.push({ ...edge, target });
    }
    graph.set(path, { edges, exports: module.exports });
  }
  return { graph, faults };
}

/** @param {string} text @returns {import("./parse.mjs").Module} */
function parsePage(text) {
  const sources = [...text.matchAll(/<script[^>]*\ssrc="([^"]+)"/g)];
  return {
    imports: sources.map((match) => ({
      specifier: match[1],
      line: text.slice(0, match.index).split("\n").length,
      kind: "static",
      names: [],
    })),
    exports: [],
  };
}

/** @param {string} specifier */
const isRelative = (specifier) => specifier.startsWith(".") || specifier.startsWith("/");
/** @param {string} specifier */
const withoutQuery = (specifier) => specifier.replace(/\?.*$/, "");

/** Whether a specifier names what a build makes. @param {string} from @param {string} specifier */
const isBuilt = (from, specifier) => posix.join(posix.dirname(from), specifier).startsWith("dist/");

/** @param {ReadonlyMap<string, string>} files @param {string} from @param {string} specifier */
function resolve(files, from, specifier) {
  if (!isRelative(specifier)) return undefined;
  const bare = withoutQuery(specifier);
  const path = bare.startsWith("/") ? bare.slice(1) : posix.join(posix.dirname(from), bare);
  return [path, `${path}.ts`, `${path}.tsx`, `${path}/index.ts`].find((candidate) => files.has(candidate));
}
