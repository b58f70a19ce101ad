import { describe, expect, it } from "vitest";
import { analyze, diagnose, type Scope } from "./analyze.ts";

const scope: Scope = {
  fields: [
    { name: "velocity", components: 3, centering: "node" },
    { name: "u", components: 1, centering: "node" },
    { name: "p", components: 1, centering: "cell" },
  ],
};

describe("analyze", () => {
  it("tells the type of every definition", () => {
    const { definitions, diagnostics } = analyze("w = curl(velocity); m = p > 2\n2 * 3", scope);
    expect(diagnostics).toEqual([]);
    expect(definitions.map(({ name, type }) => [name, type])).toEqual([
      ["w", "vector (3) at the nodes"],
      ["m", "boolean in the cells"],
      ["result", "scalar, the same everywhere"],
    ]);
  });

  it("goes on past errors, and reports each once", () => {
    const text = "a = (u + p\nd = curl(velocity)\ne = d + a\nf = u +\ng = curl(u)\nh = g + 1\ni = nothing";
    const { definitions, diagnostics } = analyze(text, scope);
    expect(diagnostics.map(({ tag, from, to }) => [tag, text.slice(from, to)])).toEqual([
      ["SyntaxError", "("],
      ["SyntaxError", "+"],
      ["TypeError", "curl(u)"],
      ["UnknownName", "nothing"],
    ]);
    expect(definitions.find(({ name }) => name === "d")?.type).toBe("vector (3) at the nodes");
    expect(definitions.find(({ name }) => name === "e")?.type).toBeUndefined();
  });

  it("passes notes on", () => {
    expect(analyze("u + p", scope).notes).toHaveLength(1);
  });

  it("has nothing to say about an empty text", () => {
    expect(analyze("", scope)).toEqual({ diagnostics: [], definitions: [], types: [], notes: [] });
  });
});

describe("diagnose", () => {
  it("gives ranges to underline, with the words of the command line", () => {
    expect(diagnose("q = curl(u)", scope)).toEqual([
      {
        from: 4,
        to: 11,
        severity: "error",
        tag: "TypeError",
        message: "“curl(v)” was given a scalar (line 1, column 5). It takes a vector (3) or a vector (2).",
      },
    ]);
  });
});
