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
  it("gives the type of every definition", () => {
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

  it("marks an error of a call in the call and in the function's body", () => {
    const text = "def f(a) = 2 * curl(a)\nb = f(u)";
    const { diagnostics } = analyze(text, scope);
    expect(diagnostics.map(({ from, to }) => text.slice(from, to))).toEqual(["curl(a)", "f(u)"]);
    expect(new Set(diagnostics.map(({ message }) => message)).size).toBe(1);
  });

  it("gives one type for a name, although a function has many", () => {
    const text = "def f(a) = 2 * a\nb = f(u) + magnitude(f(velocity))";
    const { types } = analyze(text, scope);
    expect(types.every(({ span }) => span.line === 2)).toBe(true);
  });

  it("passes notes on", () => {
    expect(analyze("u + p", scope).notes).toHaveLength(1);
  });

  it("has nothing to say about an empty text", () => {
    expect(analyze("", scope)).toEqual({
      diagnostics: [],
      definitions: [],
      functions: [],
      types: [],
      typesInBodies: [],
      notes: [],
    });
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
