import { describe, expect, it } from "vitest";
import type { Scope } from "./analyze.ts";
import { completionsAt } from "./complete.ts";

const scope: Scope = {
  fields: [
    { name: "velocity", components: 3, centering: "node" },
    { name: "X Velocity", components: 1, centering: "cell" },
    { name: "stress", components: 6, centering: "node" },
    { name: "p90", components: 1, centering: "node", values: [0.5] },
  ],
};

/** Completions at the | of the text. */
function at(marked: string, explicit = false) {
  const position = marked.indexOf("|");
  return completionsAt(marked.replace("|", ""), position, scope, explicit);
}
const option = (marked: string, label: string) =>
  at(marked, true)?.options.find((each) => each.label === label);

describe("completionsAt", () => {
  it("replaces the word before the cursor", () => {
    expect(at("q = ve|")?.from).toBe(4);
    expect(at("q = a + cu|rl")?.from).toBe(8);
    expect(at("q = ve|")?.validFor.test("velo")).toBe(true);
  });

  it("offers fields with their shapes, in quotes where they need them", () => {
    expect(option("q = |", "velocity")).toEqual({
      label: "velocity",
      type: "property",
      detail: "vector (3), node-centred field",
    });
    expect(option("q = |", '"X Velocity"')?.detail).toBe("scalar, cell-centred field");
    expect(option("q = |", "stress")?.detail).toBe("6 components, node-centred field");
    expect(option("q = |", "p90")).toEqual({
      label: "p90",
      type: "variable",
      detail: "scalar, the same everywhere",
    });
  });

  it("offers the definitions above, with their types", () => {
    expect(option("w = curl(velocity)\nw2 = 1\nq = |", "w")).toEqual({
      label: "w",
      type: "variable",
      detail: "vector (3) at the nodes",
    });
    expect(option("w = 1; q = |", "w")?.type).toBe("variable");
    expect(option("q = |\nw = curl(velocity)", "w")).toBeUndefined();
  });

  it("offers one meaning of a name", () => {
    const options = at("velocity = 1\nx = 2\nq = |", true)?.options ?? [];
    expect(options.filter(({ label }) => label === "velocity").map(({ type }) => type)).toEqual(["variable"]);
    expect(options.filter(({ label }) => label === "x").map(({ type }) => type)).toEqual(["variable"]);
  });

  it("offers functions with documentation and a template to fill in", () => {
    expect(option("q = |", "atan2")).toMatchObject({
      type: "function",
      detail: "atan2(y, x)",
      // biome-ignore lint/suspicious/noTemplateCurlyInString: the editor's snippet syntax
      template: "atan2(${y}, ${x})",
    });
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the editor's snippet syntax
    expect(option("q = |", "lt")?.template).toBe("lt(${a}, ${b})");
    expect(option("q = |", "norm")?.detail).toBe("same as magnitude");
    expect(option("q = |", "grad3d")?.detail).toBe("grad3d(f, dims, x, y, z)");
    expect(option("q = |", "curl_of_gradient")).toBeUndefined();
  });

  it("offers the grid's names and the words of the language", () => {
    expect(option("q = |", "x")?.type).toBe("constant");
    expect(option("q = |", "then")?.type).toBe("keyword");
  });

  it("offers the functions that the text defines above", () => {
    expect(option("# Kinetic energy.\ndef energy(v) = dot(v, v) / 2\nq = en|", "energy")).toEqual({
      label: "energy",
      type: "function",
      detail: "energy(v)",
      info: "Kinetic energy. dot(v, v) / 2",
      // biome-ignore lint/suspicious/noTemplateCurlyInString: the editor's snippet syntax
      template: "energy(${v})",
    });
    expect(option("q = en|\ndef energy(v) = dot(v, v) / 2", "energy")).toBeUndefined();
    const curls = at("def curl(v) = v\nq = cu|")?.options.filter(({ label }) => label === "curl");
    expect(curls?.map(({ detail }) => detail)).toEqual(["curl(v)"]);
  });

  it.each(["def f(velocity, b) = ve|", "def f(velocity, b) = 2 * |", "def f(velocity, b) = (b +\n |)"])(
    "offers the parameters in a function's body: %s",
    (text) => {
      expect(option(text, "velocity")).toEqual({
        label: "velocity",
        type: "variable",
        detail: "parameter of f",
      });
      expect(option(text, "b")?.detail).toBe("parameter of f");
    },
  );

  it("completes names in quotes", () => {
    const list = at('q = "X V|');
    expect(list).toMatchObject({ from: 4, to: 8 });
    expect(list?.options.map(({ label }) => label)).toEqual([
      '"velocity"',
      '"X Velocity"',
      '"stress"',
      '"p90"',
    ]);
    expect(at('q = "X V|elocity" + 1')).toMatchObject({ from: 4, to: 16 });
    expect(at('q = "X Velocity" + v|')?.from).toBe(19);
  });

  it.each([
    ["a comment", "# ve|"],
    ["a quote in a comment", '# "ve|'],
    ["a number", "q = 1e|"],
    ["a name being defined", "q| = 1"],
    ["a function's name being defined", "def cu|(v) = v"],
    ["a parameter", "def f(ve|) = v"],
    ["empty space, unless asked", "q = |"],
  ])("offers nothing in %s", (_, text) => {
    expect(at(text)).toBeUndefined();
  });
});
