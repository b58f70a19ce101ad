import { describe, expect, it } from "vitest";
import type { Scope } from "./analyze.ts";
import { hoverAt } from "./hover.ts";

const scope: Scope = {
  fields: [
    { name: "velocity", components: 3, centering: "node" },
    { name: "X Velocity", components: 1, centering: "cell" },
  ],
};

/** Hover at the | of the text. */
function at(marked: string) {
  return hoverAt(marked.replace("|", ""), marked.indexOf("|"), scope);
}

describe("hoverAt", () => {
  it("shows a function's documentation and the type of its value", () => {
    expect(at("q = cu|rl(velocity)")).toMatchObject({
      from: 4,
      to: 8,
      title: "curl(v)",
      type: "vector (3) at the nodes",
      doc: { example: "magnitude(curl(velocity))" },
    });
    expect(at("q = |vorticity(velocity)")?.title).toBe("curl(v)");
    expect(at("q = grad3d|(velocity[0], dims, x, y, z)")?.type).toBe("vector (3) at the nodes");
    expect(at("q = i|f(1 < 2, 3, 4)")?.title).toBe("if(c, a, b)");
    expect(at("q = an|d(1 < 2, 3 < 4)")?.title).toBe("a and b");
  });

  it("shows the types of definitions and of names", () => {
    expect(at("q| = magnitude(velocity)")).toEqual({
      from: 0,
      to: 1,
      title: "q",
      type: "scalar at the nodes",
    });
    expect(at("q = magnitude(velo|city)")?.type).toBe("vector (3) at the nodes");
    expect(at('q = 2 * "X Ve|locity"')).toMatchObject({
      from: 8,
      to: 20,
      title: "X Velocity",
      type: "scalar in the cells",
    });
    expect(at("a = 1\nb = a| + 1")?.type).toBe("scalar, the same everywhere");
  });

  it("shows the functions of the text, with the comments above or beside them", () => {
    const text = "# Length\n# of a vector.\ndef speed(v) = sqrt(dot(v, v))\nq = spe|ed(velocity)";
    expect(at(text)).toMatchObject({
      title: "speed(v)",
      type: "scalar at the nodes",
      doc: { summary: "Length of a vector.", formula: "sqrt(dot(v, v))" },
    });
    expect(at("def sp|eed(v) = v # as fast")?.doc?.summary).toBe("as fast");
    expect(at("def sp|eed(v) = v")?.doc?.summary).toBe("Defined in line 1.");
    expect(at("def cu|rl(v) = v")?.doc?.group).toBe("This text");
  });

  it("shows types in a function's body by the calls of it", () => {
    const once = (marked: string) => at(`${marked}\nq = speed(2 * velocity)`);
    expect(once("def speed(v) = sqrt(do|t(v, v))")).toMatchObject({
      title: "dot(a, b)",
      type: "scalar at the nodes",
    });
    expect(once("def speed(v) = sqrt(dot(v, |v))")).toMatchObject({
      title: "v",
      type: "vector (3) at the nodes",
      info: "Parameter of speed(v).",
    });
    expect(once("def speed(|v) = sqrt(dot(v, v))")?.type).toBe("vector (3) at the nodes");
    expect(once("def sp|eed(v) = sqrt(dot(v, v))")?.type).toBe("scalar at the nodes");
    expect(once('def speed(v) = "X Ve|locity" * v')?.type).toBe("scalar in the cells");
    const twice =
      '\na = double(velocity); b = double("X Velocity") + double("X Velocity"); c = double(velocity)';
    expect(at(`def double(v) = 2 * |v${twice}`)?.type).toBe("vector (3) at the nodes or scalar in the cells");
    const fourTimes = "\ndouble(1); double({1, 2}); double(velocity); double(gradient(velocity)); double(x)";
    expect(at(`def double(v) = 2 * |v${fourTimes}`)?.type).toMatch(
      /^scalar, the same everywhere or .+ or .+ or 2 more$/,
    );
    expect(at("def unused(v) = 2 * |v")).toMatchObject({ title: "v", info: "Parameter of unused(v)." });
    expect(at("def unused(v) = 2 * |v")?.type).toBeUndefined();
  });

  it("says whose a parameter is", () => {
    expect(at("def f(a, velocity) = 2 * velo|city")).toMatchObject({
      title: "velocity",
      info: "Parameter of f(a, velocity).",
    });
    expect(at("def f(|x) = 2 * x")?.info).toBe("Parameter of f(x).");
  });

  it("explains the grid's names, unless something else has them", () => {
    expect(at("q = |x")).toMatchObject({ title: "x", info: expect.stringContaining("coordinate") });
    expect(at("grad3d(velocity, di|ms, x, y, z)")?.info).toContain("dimensions");
    expect(at("x = 3; q = |x")?.info).toBeUndefined();
  });

  it("says what a mesh's name is where VisIt gives one", () => {
    const info = "The mesh, which VisIt names here: there is one, the data set's own grid.";
    expect(at("q = volume(me|sh)")).toMatchObject({ title: "mesh", info });
    expect(at("q = 2 * zoneid(<Me|sh 1>)")).toMatchObject({ from: 15, to: 23, title: "Mesh 1", info });
    expect(at("q = magnitude(me|sh)")).toBeUndefined();
    expect(at("q = volume(velo|city)")?.info).toBeUndefined();
  });

  it.each([
    "q = 1|2",
    "q = 1 |+ 2",
    "# cu|rl",
    "q = noth|ing",
    "q = const|ructor",
    "q = i|f 1 < 2 then 3 else 4",
    "|",
  ])("shows nothing at %s", (text) => {
    expect(at(text)).toBeUndefined();
  });
});
