import { expect, it } from "vitest";
import type { NetworkLayout } from "../../engine/api.ts";
import { edgePath, measuredWords, nextNode, nodeWords } from "./network-graph.ts";

const box = { width: 40, height: 26, lines: [] };
const graph: NetworkLayout = {
  width: 300,
  height: 200,
  nodes: [
    { ...box, id: "n0", kind: "source", label: "u", type: "scalar, node", references: 2, x: 50, y: 20 },
    {
      ...box,
      id: "n1",
      kind: "constant",
      label: "2",
      type: "scalar, constant",
      references: 1,
      x: 150,
      y: 20,
    },
    {
      ...box,
      id: "n2",
      kind: "filter",
      label: "multiply",
      type: "scalar, node",
      references: 1,
      x: 100,
      y: 80,
      bytes: 2048,
      milliseconds: 0.131,
    },
    { ...box, id: "s0", kind: "sink", label: "r", type: "", references: 0, x: 100, y: 140 },
  ],
  edges: [
    {
      from: "n0",
      to: "n2",
      port: "a",
      points: [
        [50, 33],
        [90, 67],
      ],
    },
    {
      from: "n1",
      to: "n2",
      port: "b",
      points: [
        [150, 33],
        [110, 67],
      ],
    },
    {
      from: "n2",
      to: "s0",
      port: "",
      points: [
        [100, 93],
        [100, 127],
      ],
    },
  ],
};

it("curves edges through their bends", () => {
  const points = [
    [0, 0],
    [10, 20],
    [10, 40],
  ] as const;
  expect(edgePath({ points })).toBe("M0 0 C0 10 10 10 10 20 C10 30 10 30 10 40");
});

it("describes a box, its inputs and its measurements", () => {
  expect(nodeWords(graph, graph.nodes[2])).toEqual([
    "filter",
    "scalar, node",
    "of a = u, b = 2",
    "used once",
    "2.0\u00a0KiB · 131\u00a0µs",
  ]);
  expect(nodeWords(graph, graph.nodes[0])).toEqual(["field", "scalar, node", "used twice"]);
  expect(nodeWords(graph, graph.nodes[3])).toEqual(["result", "of multiply"]);
  expect(measuredWords({})).toBe("");
});

it.each([
  ["n2", "ArrowUp", "n0"],
  ["n0", "ArrowDown", "n2"],
  ["n0", "ArrowRight", "n1"],
  ["n1", "ArrowLeft", "n0"],
  ["n0", "ArrowLeft", "n0"],
  ["s0", "ArrowDown", "s0"],
  ["n2", "Home", "n0"],
  ["n0", "End", "s0"],
  ["gone", "End", "gone"],
] as const)("leads from %s by %s to %s", (from, key, to) => {
  expect(nextNode(graph, from, key)).toBe(to);
});
