import { describe, expect, it } from "vitest";
import { checkCycles, checkExports, checkLayers, checkReachable } from "./check.mjs";
import { buildGraph } from "./graph.mjs";
import { parseModule } from "./parse.mjs";

/** @param {Record<string, string>} files */
const graphOf = (files) => buildGraph(new Map(Object.entries(files))).graph;

describe("parseModule", () => {
  it("finds every form of import with its line, and nothing in comments or strings", () => {
    const { imports } = parseModule(
      "src/ui/x.tsx",
      [
        `// import a from "./comment.ts";`,
        `/* import("./comment.ts") */ const s = "import('./string.ts')";`,
        `import b, { c as d, type E } from "./b.ts";`,
        `import * as f from "./f.ts";`,
        `import type { G } from "./g.ts";`,
        `import { type H } from "./h.ts";`,
        `import "./style.css";`,
        `export { i } from "./i.ts"; export * from "./j.ts"; export type { K } from "./k.ts";`,
        `let l: import("./l.ts").L; const m = <p>{await import("./m.ts")}</p>;`,
        `new Worker(new URL("./n.ts", import.meta.url)); new URL("./o.ts", "http://x");`,
        "await import(`./p.ts`); await import(s);",
      ].join("\n"),
    );
    const seen = Object.fromEntries(
      imports.map(({ specifier, line, kind, names }) => [specifier, [line, kind, names]]),
    );
    expect(seen).toEqual({
      "./b.ts": [3, "static", ["default", "c", "E"]],
      "./f.ts": [4, "static", "*"],
      "./g.ts": [5, "type", ["G"]],
      "./h.ts": [6, "type", ["H"]],
      "./style.css": [7, "static", []],
      "./i.ts": [8, "static", ["i"]],
      "./j.ts": [8, "static", "*"],
      "./k.ts": [8, "type", ["K"]],
      "./l.ts": [9, "type", "*"],
      "./m.ts": [9, "dynamic", "*"],
      "./n.ts": [10, "url", []],
      "./p.ts": [11, "dynamic", "*"],
    });
  });

  it("lists exports and says which are types", () => {
    const { exports } = parseModule(
      "a.ts",
      "export const a = 1;\nexport interface B {}\nexport default () => a;\nconst c = 1;\nexport { c as d };",
    );
    expect(exports).toEqual([
      { name: "a", line: 1, isType: false },
      { name: "B", line: 2, isType: true },
      { name: "default", line: 3, isType: false },
      { name: "d", line: 5, isType: false },
    ]);
  });
});

describe("checkLayers", () => {
  const target = { "src/engine/session.ts": "", "src/engine/api.ts": "", "src/gpu/device/pool.ts": "" };

  it("names the line, the import and the rule", () => {
    const graph = graphOf({
      ...target,
      "src/data/vti.ts": `import "../core/grid.ts";\nimport { Session } from "../engine/session.ts";`,
      "src/core/grid.ts": "",
    });
    expect(checkLayers(graph)).toEqual([
      "src/data/vti.ts:2 imports src/engine/session.ts: data may import core.",
    ]);
  });

  it("holds types to the table too", () => {
    const graph = graphOf({ ...target, "src/core/x.ts": `import type { P } from "../gpu/device/pool.ts";` });
    expect(checkLayers(graph)).toEqual([
      "src/core/x.ts:1 imports src/gpu/device/pool.ts: core may import nothing.",
    ]);
  });

  it("opens the engine's interface to the page for types only", () => {
    const graph = graphOf({
      ...target,
      "src/ui/a.tsx": `import type { EngineApi } from "../engine/api.ts";`,
      "src/ui/b.tsx": `import { start } from "../engine/api.ts";`,
      "src/ui/c.tsx": `import { Session } from "../engine/session.ts";`,
    });
    const faults = checkLayers(graph);
    expect(faults).toHaveLength(2);
    expect(faults[0]).toBe("src/ui/b.tsx:1 imports src/engine/api.ts: ui may take only types from there.");
    expect(faults[1]).toMatch(/^src\/ui\/c\.tsx:1 imports src\/engine\/session\.ts: ui may import core, /);
  });

  it("keeps the order inside gpu", () => {
    const graph = graphOf({
      "src/gpu/device/a.ts": `import "../shader/b.ts";`,
      "src/gpu/shader/b.ts": "",
      "src/gpu/primitives/scan.ts": `import "../surfaces/surface.ts";`,
      "src/gpu/surfaces/surface.ts": `import "../primitives/reduce.ts"; import "../fields/field.ts";`,
      "src/gpu/primitives/reduce.ts": "",
      "src/gpu/fields/field.ts": `import "../device/a.ts";`,
    });
    expect(checkLayers(graph)).toEqual([
      "src/gpu/device/a.ts:1 imports src/gpu/shader/b.ts: inside gpu, device may import none of its neighbours.",
      "src/gpu/primitives/scan.ts:1 imports src/gpu/surfaces/surface.ts: inside gpu, primitives may import device, shader, compute, fields.",
    ]);
  });

  it("keeps planning apart from execution, and filters apart from networks, inside expressions", () => {
    const graph = graphOf({
      "src/lang/expression/plan/steps.ts": `import "../execute/run.ts"; import "../network/network.ts"; import "../types.ts";`,
      "src/lang/expression/execute/run.ts": `import "../plan/cost.ts";`,
      "src/lang/expression/plan/cost.ts": "",
      "src/lang/expression/network/network.ts": `import "../filters/filter.ts";`,
      "src/lang/expression/filters/filter.ts": `import "../types.ts";`,
      "src/lang/expression/filters/curl.ts": `import "../network/network.ts";`,
      "src/lang/expression/types.ts": "",
    });
    expect(checkLayers(graph)).toEqual([
      "src/lang/expression/plan/steps.ts:1 imports src/lang/expression/execute/run.ts: inside lang/expression, plan may import filters, network, syntax.",
      "src/lang/expression/filters/curl.ts:1 imports src/lang/expression/network/network.ts: inside lang/expression, filters may import syntax.",
    ]);
  });

  it("keeps packages at home", () => {
    const graph = graphOf({
      "src/viewer/a.ts": `import * as T from "three/webgpu"; import "react";`,
      "src/ui/b.tsx": `import { create } from "zustand"; import "three"; import "@mantine/core/styles.css";`,
      "src/engine/c.ts": `import { createStore } from "zustand/vanilla"; import "node:fs"; import "peerjs";`,
      "src/cluster/transport/rtc/d.ts": `import "peerjs";`,
      "src/engine/c.test.ts": `import "node:fs"; import "three";`,
    });
    expect(checkLayers(graph)).toEqual([
      "src/viewer/a.ts:1 imports react: React has its home in ui.",
      "src/ui/b.tsx:1 imports three: three has its home in viewer.",
      "src/engine/c.ts:1 imports node:fs: Node's library has its home in node, cluster/transport/tcp.",
      "src/engine/c.ts:1 imports peerjs: PeerJS has its home in cluster/transport/rtc.",
      "src/engine/c.test.ts:1 imports three: three has its home in viewer.",
    ]);
  });

  it("lets tests compare with other folders, but no source use tests or testing/", () => {
    const graph = graphOf({
      "src/cpu/scan.test.ts": `import "../gpu/device/pool.ts"; import "../core/testing/compare.ts";`,
      "src/gpu/device/pool.ts": `import "../../core/testing/compare.ts";`,
      "src/core/testing/compare.ts": "",
    });
    expect(checkLayers(graph)).toEqual([
      "src/gpu/device/pool.ts:1 imports src/core/testing/compare.ts: testing/ is for tests only.",
    ]);
  });

  it("refuses a folder without a row", () => {
    expect(checkLayers(graphOf({ "src/misc/a.ts": "" }))).toEqual([
      "src/misc/a.ts: src/misc has no row in the import table (tools/imports/rules.mjs).",
    ]);
  });
});

describe("checkCycles", () => {
  it("reports the chain of a cycle", () => {
    const graph = graphOf({
      "src/core/a.ts": `import "./b.ts";`,
      "src/core/b.ts": `export * from "./c.ts";`,
      "src/core/c.ts": `const b = await import("./b.ts");`,
    });
    expect(checkCycles(graph)).toEqual(["Import cycle: src/core/b.ts → src/core/c.ts → src/core/b.ts."]);
  });

  it("lets types refer to each other, and a client name its worker", () => {
    const graph = graphOf({
      "src/core/a.ts": `import type { B } from "./b.ts"; new URL("./c.ts", import.meta.url);`,
      "src/core/b.ts": `import { a } from "./a.ts";`,
      "src/core/c.ts": `import "./a.ts";`,
    });
    expect(checkCycles(graph)).toEqual([]);
  });
});

describe("dead code", () => {
  const graph = graphOf({
    "index.html": `<html>\n<script type="module" src="/src/ui/main.tsx"></script></html>`,
    "src/ui/main.tsx": `import { used } from "../core/a.ts";`,
    "src/core/a.ts": "export const used = 1;\nexport const unused = 2;\nexport type Free = 3;",
    "src/core/b.ts": "export const tested = 1;",
    "src/core/b.test.ts": `import { tested } from "./b.ts";`,
  });

  it("finds files that no program imports, tests not counting", () => {
    expect(checkReachable(graph)).toEqual(["src/core/b.ts: no program imports it."]);
  });

  it("takes what a library exports as it is, and what it imports as used", () => {
    const library = graphOf({
      "src/cpu/primitives/cpu-primitives.ts": `import { scan } from "./scan.ts";\nexport const sum = scan;`,
      "src/cpu/primitives/scan.ts": "export const scan = 1;\nexport const unused = 2;",
    });
    expect(checkReachable(library)).toEqual([]);
    expect(checkExports(library)).toEqual([
      "src/cpu/primitives/scan.ts:2 exports unused, which nobody imports.",
    ]);
  });

  it("finds exported values that nobody takes", () => {
    expect(checkExports(graph)).toEqual(["src/core/a.ts:2 exports unused, which nobody imports."]);
  });
});

describe("buildGraph", () => {
  it("reports relative imports that lead nowhere", () => {
    const { faults } = buildGraph(
      new Map([
        ["src/core/a.ts", `import "./gone.ts"; import "./style.css";`],
        ["bin/b.js", `import "../dist/node/b.js";`],
      ]),
    );
    expect(faults).toEqual(["src/core/a.ts:1 imports ./gone.ts, which does not exist."]);
  });
});
