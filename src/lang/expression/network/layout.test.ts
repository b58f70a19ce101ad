import { describe, expect, it } from "vitest";
import { compile } from "../compile.ts";
import { qCriterion } from "../listings.ts";
import { toDot } from "./dot.ts";
import { layoutNetwork, type NetworkLayout } from "./layout.ts";

const fields = [
  ...["u", "v", "w"].map((name) => ({ name, components: 1, centering: "node" }) as const),
  { name: 'a "b"', components: 3, centering: "cell" } as const,
];
const network = (text: string) => compile(text, fields);

function byLabel({ nodes }: NetworkLayout, label: string) {
  return nodes.find((node) => node.label === label);
}

/** Pairs of boxes that cover each other. */
function overlaps({ nodes }: NetworkLayout): string[] {
  return nodes.flatMap((a, i) =>
    nodes
      .slice(i + 1)
      .filter(
        (b) =>
          Math.abs(a.x - b.x) < (a.width + b.width) / 2 && Math.abs(a.y - b.y) < (a.height + b.height) / 2,
      )
      .map((b) => `${a.id} ${b.id}`),
  );
}

describe("layoutNetwork", () => {
  it("draws sources, constants, filters and sinks, inputs above their users", () => {
    const layout = layoutNetwork(network("r = sqrt(u * 2) + u"));
    expect(layout.nodes.map(({ kind, label }) => `${kind} ${label}`)).toEqual([
      "source u",
      "constant 2",
      "filter multiply",
      "filter sqrt",
      "filter add",
      "sink r",
    ]);
    const y = (label: string) => byLabel(layout, label)?.y ?? Number.NaN;
    expect(y("u")).toBe(y("2"));
    expect(y("u")).toBeLessThan(y("multiply"));
    expect(y("multiply")).toBeLessThan(y("sqrt"));
    expect(y("sqrt")).toBeLessThan(y("add"));
    expect(y("add")).toBeLessThan(y("r"));
    expect(byLabel(layout, "u")?.references).toBe(2);
    expect(layout.edges.map(({ from, to, port }) => [from, to, port])).toEqual([
      ["n0", "n2", "a"],
      ["n1", "n2", "b"],
      ["n2", "n3", "a"],
      ["n0", "n4", "a"],
      ["n3", "n4", "b"],
      ["n4", "s0", ""],
    ]);
  });

  it("stands sources right above their first user", () => {
    const layout = layoutNetwork(network("r = sin(sin(sin(u))) + v"));
    expect(byLabel(layout, "v")?.y).toBe(layout.nodes[3].y);
  });

  it.each([
    ["the seed's Q-criterion", qCriterion],
    ["one field", "u"],
    ["a chain", `r = ${"sin(".repeat(100)}u${")".repeat(100)}`],
    ["many sums", Array.from({ length: 60 }, (_, i) => `r${i} = u * ${i} + v`).join("\n")],
  ])("covers nothing and stays inside: %s", (_, text) => {
    const layout = layoutNetwork(network(text));
    expect(overlaps(layout)).toEqual([]);
    for (const { x, y, width, height } of layout.nodes) {
      expect(Math.min(x - width / 2, y - height / 2)).toBeGreaterThanOrEqual(0);
      expect(x + width / 2).toBeLessThanOrEqual(layout.width);
      expect(y + height / 2).toBeLessThanOrEqual(layout.height);
    }
    const at = new Map(layout.nodes.map((node) => [node.id, node]));
    for (const { from, to, points } of layout.edges) {
      const [start, end] = [at.get(from), at.get(to)];
      expect(points[0]).toEqual([start?.x, (start?.y ?? 0) + (start?.height ?? 0) / 2]);
      expect(points.at(-1)?.[1]).toBe((end?.y ?? 0) - (end?.height ?? 0) / 2);
      expect(points.map(([, y]) => y)).toEqual(points.map(([, y]) => y).sort((a, b) => a - b));
    }
  });

  it("crosses no arrows where none need to cross", () => {
    const { edges } = layoutNetwork(network("a = sin(u); b = cos(v); c = sqrt(w); d = c + 1"));
    const crossings = edges.flatMap((e, i) =>
      edges.slice(i + 1).filter((f) => {
        const [[ex, ey], [eX, eY]] = [e.points[0], e.points[e.points.length - 1]];
        const [[fx, fy], [fX, fY]] = [f.points[0], f.points[f.points.length - 1]];
        return ey === fy && eY === fY && (ex - fx) * (eX - fX) < 0;
      }),
    );
    expect(crossings).toEqual([]);
  });

  it("writes the bytes and milliseconds of a run into the boxes", () => {
    const reports = new Map([[1, { bytes: 12_582_912, milliseconds: 0.31234 }]]);
    const layout = layoutNetwork(network("r = sqrt(u)"), reports);
    expect(layout.nodes.map(({ lines }) => lines)).toEqual([["u"], ["sqrt", "12.6 MB, 0.312 ms"], ["r"]]);
    expect(layout.nodes[1]).toMatchObject({ node: 1, bytes: 12_582_912, milliseconds: 0.31234 });
  });

  it("takes long texts within seconds", () => {
    const text = Array.from({ length: 100 }, (_, k) => `s${k} = ${"u * v + ".repeat(20)}w + ${k}`).join("\n");
    const layout = layoutNetwork(network(text));
    expect(layout.nodes.length).toBeGreaterThan(200);
  });
});

describe("toDot", () => {
  it("writes the network for Graphviz", () => {
    const reports = new Map([[2, { bytes: 64 }]]);
    expect(toDot(network('r = 2 * "a \\"b\\""'), reports)).toBe(`digraph network {
  rankdir=TB;
  node [fontname="sans-serif", fontsize=11];
  n0 [label="2\\nscalar, constant", shape=plaintext];
  n1 [label="a \\"b\\"\\nvector (3), cell", shape=ellipse];
  n2 [label="multiply\\nvector (3), cell\\n64 bytes", shape=box];
  s0 [label="r", shape=doubleoctagon];
  n0 -> n2 [headlabel="a"];
  n1 -> n2 [headlabel="b"];
  n2 -> s0;
}
`);
  });
});
