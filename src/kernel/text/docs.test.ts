import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { builtins } from "../builtins.ts";
import { reachesOf } from "../footprint.ts";
import { f32, i32 } from "../types.ts";
import { type KernelText, parseKernel } from "./parse.ts";

const page = readFileSync(new URL("../../../docs/kernels.md", import.meta.url), "utf8");
const examples = [...page.matchAll(/```wgsl\n(.*?)```/gs)].map(([, text]) => text);
const reach = ({ reach }: Readonly<Record<string, number | readonly number[]>>) => Number(reach);

const signatures: readonly Omit<KernelText, "text">[] = [
  {
    name: "mean",
    inputs: { values: { scalar: "f32", access: { kind: "offsets" } } },
    outputs: { mean: { scalar: "f32" } },
    constants: { weight: f32 },
  },
  {
    name: "largest",
    inputs: {
      mask: { scalar: "i32", access: { kind: "own" } },
      values: {
        scalar: "f32",
        access: { kind: "footprint", footprint: { before: [reach, reach, 0], after: [reach, reach, 0] } },
      },
    },
    outputs: { largest: { scalar: "f32" }, count: { scalar: "i32" } },
    constants: { reach: i32 },
  },
];

describe("docs/kernels.md", () => {
  it("has examples that are kernels", () => {
    const kernels = examples.map((text, i) => parseKernel({ ...signatures[i], text }));
    expect(kernels.map((kernel) => reachesOf(kernel, { reach: 2 }).values)).toEqual([
      { before: [1, 0, 0], after: [1, 0, 0] },
      { before: [2, 2, 0], after: [2, 2, 0] },
    ]);
  });

  it("names every built-in function", () => {
    const [section] = page.split("### Built-in functions")[1].split("\n## ");
    const named = new Set([...section.matchAll(/`(\w+)`/g)].map(([, name]) => name));
    expect([...builtins.keys()].filter((name) => !named.has(name))).toEqual([]);
    const unknown = [...named].filter((name) => !builtins.has(name));
    expect(unknown.filter((name) => !["f32", "f64", "i32", "u32"].includes(name))).toEqual([]);
  });
});
