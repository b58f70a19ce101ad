import { describe, expect, it } from "vitest";
import { compile } from "../compile.ts";
import { qCriterion, velocityMagnitude, vorticityMagnitude } from "../listings.ts";
import type { FieldSignature } from "../network/network.ts";
import { describeNetwork } from "../network/testing/describe.ts";
import { parse } from "../syntax/parse.ts";

const scalar = (name: string, centering: "node" | "cell" = "cell"): FieldSignature => ({
  name,
  components: 1,
  centering,
});
const velocity = [scalar("u"), scalar("v"), scalar("w")];
const names = (text: string, fields = velocity) => {
  const network = compile(text, fields);
  return network.nodes.map((node) => ("filter" in node ? node.filter.name : node.kind));
};
const count = (list: readonly string[], name: string) => list.filter((each) => each === name).length;

describe("the listings of seed 001, Figure 3", () => {
  it("A: velocity magnitude", () => {
    expect(names(velocityMagnitude).filter((name) => name !== "source")).toEqual([
      "multiply",
      "multiply",
      "add",
      "multiply",
      "add",
      "sqrt",
    ]);
  });

  it("B: vorticity magnitude, with one gradient a component", () => {
    const filters = names(vorticityMagnitude);
    expect(count(filters, "gradient")).toBe(3);
    expect(filters.at(-1)).toBe("sqrt");
    expect(count(filters, "mesh")).toBe(0);
  });

  it("C: Q-criterion, repaired; s_3, s_6 and s_7 are s_1, s_2 and s_5", () => {
    const { outputs, nodes } = compile(qCriterion, velocity);
    const node = (name: string) => outputs.find((output) => output.name === name)?.node;
    expect(outputs.at(-1)?.name).toBe("q_crit");
    expect(node("s_3")).toBe(node("s_1"));
    expect(node("s_6")).toBe(node("s_2"));
    expect(node("s_7")).toBe(node("s_5"));
    expect(node("w_3")).not.toBe(node("w_1"));
    expect(nodes.every(({ type }) => type.placement !== "node")).toBe(true);
  });

  it("C as printed lacks a +, which is reported", () => {
    const printed = qCriterion.replace("s_5*s_5 +", "s_5*s_5");
    const { errors } = parse(printed);
    expect(
      errors.map(({ message, span }) => [message, printed.slice(span?.from, span?.to).slice(0, 9)]),
    ).toEqual([
      [
        "Only the last statement can do without a name (line 18, column 10). Write name = in front of it, or end the line above it with an operator.",
        "s_6*s_6 +",
      ],
    ]);
  });
});

describe("grad3d", () => {
  it("is the gradient", () => {
    const network = compile("a = grad3d(u, dims, x, y, z); b = gradient(u); c = grad3d(u)", velocity);
    expect(new Set(network.outputs.map(({ node }) => node)).size).toBe(1);
    expect(network.notes).toEqual([]);
  });

  it("takes coordinates under other names", () => {
    const text = "r = coords(); gx = x; a = grad3d(u, dims, gx, r[1], coords[2])";
    expect(describeNetwork(compile(text, velocity))).toMatch(/gradient\(\d\): vec3, cell\n.*a = \d$/s);
  });

  it("takes a data set's own fields x, y and z for the coordinates, and says so", () => {
    const own = [...velocity, scalar("x", "node"), scalar("y", "node"), scalar("z", "node")];
    const network = compile("grad3d(u, dims, x, y, z)", own);
    expect(describeNetwork(network)).toBe("0 = u: scalar, cell\n1 = gradient(0): vec3, cell\nresult = 1");
    expect(network.notes).toEqual(
      ["x", "y", "z"].map((name) => `grad3d takes the grid's own coordinates for the field “${name}”.`),
    );
  });

  it.each([
    [
      "grad3d(u, 3, x, y, z)",
      "The second argument of “grad3d(f, dims, x, y, z)” must be dims (line 1, column 11).",
    ],
    [
      "grad3d(u, dims, x, z, y)",
      "The fourth argument of “grad3d(f, dims, x, y, z)” must be y (line 1, column 20).",
    ],
    // Code 3 of seed 004 passes x where z is expected.
    [
      "grad3d(u, dims, x, y, x)",
      "The fifth argument of “grad3d(f, dims, x, y, z)” must be z (line 1, column 23).",
    ],
    [
      "grad3d(u, dims, 2*x, y, z)",
      "The third argument of “grad3d(f, dims, x, y, z)” must be x (line 1, column 17).",
    ],
    ["x = u; grad3d(u, dims, x, y, z)", "The third argument of “grad3d(f, dims, x, y, z)” must be x"],
    ["grad3d(u, dims)", "“grad3d(f, dims, x, y, z)” takes 5 arguments, but was given 2 (line 1, column 1)."],
  ])("refuses %s", (text, message) => {
    expect(() => compile(text, velocity)).toThrow(message);
  });
});

describe("recenter", () => {
  const fields = [scalar("n", "node"), scalar("c", "cell")];
  const last = (text: string) => compile(text, fields).nodes.at(-1);

  it("goes to the other centring, or to the one named", () => {
    expect(last("recenter(n)")).toMatchObject({ kind: "recenter", to: "cell", type: { placement: "cell" } });
    expect(last("recenter(c)")).toMatchObject({ kind: "recenter", to: "node" });
    expect(last('recenter(c, "node")')).toMatchObject({ kind: "recenter", to: "node" });
    expect(last('recenter(n, "cell")')).toMatchObject({ kind: "recenter", to: "cell" });
    expect(last('recenter(c, "nodal")')).toMatchObject({ to: "node" });
  });

  it("does nothing where nothing is to do", () => {
    expect(last('recenter(n, "node")')).toMatchObject({ kind: "source" });
    expect(last("recenter(2)")).toMatchObject({ kind: "constant" });
  });

  it("takes coordinates exactly", () => {
    expect(names("recenter(x * y)", fields)).not.toContain("recenter");
  });

  it("is asked for, so there is no note", () => {
    expect(compile("n + recenter(c)", fields).notes).toEqual([]);
  });

  it.each([
    [
      'recenter(n, "edge")',
      'The second argument of “recenter(f, where)” must be "node" or "cell" (line 1, column 13).',
    ],
    [
      "recenter(n, 1)",
      'The second argument of “recenter(f, where)” must be "node" or "cell" (line 1, column 13).',
    ],
    ["recenter()", "“recenter(f)” takes 1 or 2 arguments, but was given 0 (line 1, column 1)."],
  ])("refuses %s", (text, message) => {
    expect(() => compile(text, fields)).toThrow(message);
  });
});
