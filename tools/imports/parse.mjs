// Reads one module's imports and exports from its syntax tree, so that comments and strings fool nobody.
import { parseSync, Visitor } from "vite";

/**
 * @typedef {object} Import
 * @property {string} specifier as written
 * @property {number} line 1-based
 * @property {"static" | "dynamic" | "type" | "url"} kind type: erased when built; url: `new URL(…, import.meta.url)`
 * @property {readonly string[] | "*"} names exported names that are taken; "default" for the default export
 *
 * @typedef {object} Module
 * @property {readonly Import[]} imports
 * @property {readonly { name: string, line: number, isType: boolean }[]} exports made here; re-exports are imports too
 */

/**
 * @param {string} path decides between TypeScript and JSX
 * @param {string} text
 * @returns {Module}
 */
export function parseModule(path, text) {
  const { program, module, errors } = parseSync(path, text);
  const fault = errors.find((error) => error.severity === "Error");
  if (fault) throw new Error(`${path} does not parse: ${fault.message}`);
  const lineOf = lineFinder(text);

  /** @type {Import[]} */
  const imports = [];
  for (const { start, moduleRequest, entries } of module.staticImports) {
    const isType = entries.length > 0 ? entries.every((entry) => entry.isType) : isTypeStatement(text, start);
    imports.push({
      specifier: moduleRequest.value,
      line: lineOf(moduleRequest.start),
      kind: isType ? "type" : "static",
      names: namesOf(entries.map((entry) => entry.importName)),
    });
  }

  /** @type {{ name: string, line: number, isType: boolean }[]} */
  const exports = [];
  for (const { entries } of module.staticExports) {
    for (const entry of entries) {
      if (entry.moduleRequest) {
        imports.push({
          specifier: entry.moduleRequest.value,
          line: lineOf(entry.moduleRequest.start),
          kind: entry.isType ? "type" : "static",
          names: namesOf([entry.importName]),
        });
      }
      const { kind, name } = entry.exportName;
      if (kind === "None") continue;
      exports.push({ name: name ?? "default", line: lineOf(entry.start), isType: entry.isType });
    }
  }

  /** @param {string} specifier @param {number} at @param {Import["kind"]} kind */
  const whole = (specifier, at, kind) =>
    imports.push({ specifier, line: lineOf(at), kind, names: kind === "url" ? [] : "*" });

  new Visitor({
    ImportExpression({ source }) {
      const specifier = textOf(source);
      if (specifier !== undefined) whole(specifier, source.start, "dynamic");
    },
    TSImportType({ source }) {
      whole(source.value, source.start, "type");
    },
    NewExpression({ callee, arguments: [target, base] }) {
      if (callee.type !== "Identifier" || callee.name !== "URL" || !target || !base) return;
      if (text.slice(base.start, base.end) !== "import.meta.url") return;
      const specifier = textOf(target);
      if (specifier !== undefined && /\.[cm]?[jt]sx?$/.test(specifier)) whole(specifier, target.start, "url");
    },
  }).visit(program);
  return { imports, exports };
}

/** The string that an expression always is, where it is a literal or a template without holes.
 * @param {import("vite").ESTree.Argument} node */
function textOf(node) {
  if (node.type === "Literal" && typeof node.value === "string") return node.value;
  if (node.type === "TemplateLiteral" && node.expressions.length === 0)
    return node.quasis[0].value.cooked ?? undefined;
  return undefined;
}

/** @param {string} text @param {number} start */
function isTypeStatement(text, start) {
  return /^import\s+type\b/.test(text.slice(start, start + 40));
}

/**
 * @param {readonly { kind: string, name?: string | null }[]} names
 * @returns {readonly string[] | "*"}
 */
function namesOf(names) {
  const wanted = [];
  for (const { kind, name } of names) {
    if (kind === "Name" && name) wanted.push(name);
    else if (kind === "Default") wanted.push("default");
    else return "*";
  }
  return wanted;
}

/** @param {string} text */
function lineFinder(text) {
  const starts = [0];
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  return (/** @type {number} */ offset) => {
    let low = 0;
    let high = starts.length;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (starts[middle] <= offset) low = middle;
      else high = middle;
    }
    return low + 1;
  };
}
