import { describe, expect, it } from "vitest";
import { compile } from "../compile.ts";
import { elementLoop } from "../filters/element-loops.ts";
import { createNetworkBuilder } from "./graph.ts";
import type { FieldSignature } from "./network.ts";
import { describeNetwork } from "./testing/describe.ts";

const field = (name: string, components = 1, centering: "node" | "cell" = "node"): FieldSignature => ({
  name,
  components,
  centering,
});
const fields = [
  field("u"),
  field("v"),
  field("velocity", 3),
  field("J", 9),
  field("stress", 6),
  field("p", 1, "cell"),
  field("flux", 3, "cell"),
];

const lines = (text: string) => describeNetwork(compile(text, fields)).split("\n");
/** The nodes that are neither fields nor constants, without their types. */
const operations = (text: string) =>
  lines(text)
    .map((line) => line.replace(/:.*/, ""))
    .filter((line) => line.includes("("));

describe("sharing", () => {
  it("makes one node of each distinct value, wherever it nests", () => {
    expect(operations("a = sqrt(u + v) * sin(u + v); b = (u + v) / sqrt(u + v)")).toEqual([
      "2 = add(0, 1)",
      "3 = sqrt(2)",
      "4 = sin(2)",
      "5 = multiply(3, 4)",
      "6 = divide(2, 3)",
    ]);
  });

  it("takes a+b and b+a for one, but not a-b and b-a", () => {
    expect(
      operations("a = u + v; b = v + u; c = dot(velocity, flux) ; d = dot(flux, velocity)"),
    ).toHaveLength(3);
    expect(operations("a = u - v; b = v - u")).toHaveLength(2);
  });

  it("takes s*v and v*s for one, whose overloads differ", () => {
    expect(lines("a = u * velocity; b = velocity * u")).toEqual([
      "0 = u: scalar, node",
      "1 = velocity: vec3, node",
      "2 = multiply(0, 1): vec3, node",
      "a = 2",
      "b = 2",
    ]);
  });

  it("takes them for one also where they were moved to another centring", () => {
    const ofCoordinates = "a = if x then u else v; c = {p, x, 1}[1]; b = if c + u > 0 and c then 1 else 2";
    expect(operations(ofCoordinates).filter((line) => line.includes("ne("))).toHaveLength(1);
  });

  it("shares one gradient among what is made of gradients", () => {
    expect(
      operations(
        "a = curl(velocity); b = q_criterion(velocity); c = divergence(velocity); d = gradient(velocity)[0]",
      ),
    ).toEqual([
      "1 = gradient(0)",
      "2 = curl_of_gradient(1)",
      "3 = q_of_gradient(1)",
      "4 = trace(1)",
      "5 = component_0(1)",
    ]);
  });

  it("pools constants by value, signs of zero apart", () => {
    expect(lines("a = u + 2; b = v * 2.0; c = u + (1 + 1)").filter((line) => /= 2:/.test(line))).toHaveLength(
      1,
    );
    const builder = createNetworkBuilder(elementLoop);
    expect(builder.constant([0])).not.toBe(builder.constant([-0]));
    expect(builder.constant([Number.NaN])).toBe(builder.constant([Number.NaN]));
    expect(builder.constant([1, 2, 3])).not.toBe(builder.constant([1, 2]));
  });
});

describe("folding", () => {
  it.each([
    ["2 + 3 * 4", "14"],
    ["-2^2", "-4"],
    ["2^-1", "0.5"],
    ["(-2)^3", "-8"],
    ["31 % 5", "1"],
    ["8.5 % 2.5", "1"],
    ["1 / 0", "Infinity"],
    ["0 / 0", "NaN"],
    ["if 1 < 2 then 3 else 4", "3"],
    ["number(1 < 2 and not (3 < 2))", "1"],
    ["{1, 2, 3}[1] + dot({1, 2, 3}, {4, 5, 6})", "34"],
    ["magnitude({3, 4})", "5"],
    ["{{1, 2, 3}, {4, 5, 6}, {7, 8, 9}}[1][2]", "6"],
    ["trace({{1, 2, 3}, {4, 5, 6}, {7, 8, 9}})", "15"],
    ["gradient(7)[0] + laplacian(7)", "0"],
    ["recenter(3)", "3"],
  ])("%s is %s", (text, expected) => {
    expect(lines(text)).toEqual([`0 = ${expected}: scalar, constant`, "result = 0"]);
  });

  it("leaves constants without a place, which they take from their partners", () => {
    expect(lines("p + 1").at(-2)).toBe("2 = add(0, 1): scalar, cell");
    expect(lines("u + 1").at(-2)).toBe("2 = add(0, 1): scalar, node");
  });
});

describe("powers", () => {
  it.each([
    ["u^1 + v", ["2 = add(0, 1)"]],
    ["u^2", ["1 = multiply(0, 0)"]],
    ["u^3", ["1 = multiply(0, 0)", "2 = multiply(0, 1)"]],
    ["u^4", ["1 = multiply(0, 0)", "2 = multiply(1, 1)"]],
    ["u^-1", ["2 = divide(1, 0)"]],
    ["u^0.5", ["1 = sqrt(0)"]],
    ["u^2.5", ["2 = pow(0, 1)"]],
    ["2^u", ["2 = pow(0, 1)"]],
    ["pow(u, 2) + u*u", ["1 = multiply(0, 0)", "2 = add(1, 1)"]],
  ])("%s", (text, expected) => {
    expect(operations(text)).toEqual(expected);
  });
});

describe("components", () => {
  it("of fields are read without the rest", () => {
    expect(lines("a = velocity[1]; b = J[1][2]; c = stress[5]; d = {u, v, u}[1]")).toEqual([
      "0 = velocity[1]: scalar, node",
      "1 = J[5]: scalar, node",
      "2 = stress[5]: scalar, node",
      "3 = v: scalar, node",
      "a = 0",
      "b = 1",
      "c = 2",
      "d = 3",
    ]);
  });

  it("of a named field too", () => {
    expect(lines("w = velocity; a = w[1]; t = J; b = t[1]; c = b[2]")).toEqual([
      "0 = velocity: vec3, node",
      "1 = velocity[1]: scalar, node",
      "2 = J: mat3, node",
      "3 = component_1(2): vec3, node",
      "4 = J[5]: scalar, node",
      "w = 0",
      "a = 1",
      "t = 2",
      "b = 3",
      "c = 4",
    ]);
  });

  it("may be counted by any constant", () => {
    expect(lines("velocity[3 - 1]")[0]).toBe("0 = velocity[2]: scalar, node");
  });
});

describe("centring", () => {
  it("moves cell values to the nodes where both meet, and says so", () => {
    const network = compile("a = u + p\nb = u * (p + 1)", fields);
    expect(describeNetwork(network).split("\n").slice(0, 4)).toEqual([
      "0 = u: scalar, node",
      "1 = p: scalar, cell",
      "2 = recenter_to_node(1): scalar, node",
      "3 = add(0, 2): scalar, node",
    ]);
    expect(network.notes).toEqual([
      "The cell-centred field “p” was recentred to the nodes for “a + b” (line 1, column 5).",
      "A cell-centred value was recentred to the nodes for “a * b” (line 2, column 5).",
    ]);
  });

  it("leaves alone what agrees", () => {
    const network = compile("p * flux + 2 * gradient(p)", fields);
    expect(describeNetwork(network)).not.toContain("recenter");
    expect(network.notes).toEqual([]);
  });

  it("takes the grid's coordinates wherever the other values are, whatever was made of them", () => {
    expect(lines("r = sqrt(x^2 + y^2); a = p * r; b = u * r")).toEqual([
      "0 = coords(): vec3, node",
      "1 = component_0(0): scalar, node",
      "2 = multiply(1, 1): scalar, node",
      "3 = component_1(0): scalar, node",
      "4 = multiply(3, 3): scalar, node",
      "5 = add(2, 4): scalar, node",
      "6 = sqrt(5): scalar, node",
      "7 = p: scalar, cell",
      "8 = coords(): vec3, cell",
      "9 = component_0(8): scalar, cell",
      "10 = multiply(9, 9): scalar, cell",
      "11 = component_1(8): scalar, cell",
      "12 = multiply(11, 11): scalar, cell",
      "13 = add(10, 12): scalar, cell",
      "14 = sqrt(13): scalar, cell",
      "15 = multiply(7, 14): scalar, cell",
      "16 = u: scalar, node",
      "17 = multiply(6, 16): scalar, node",
      "r = 6",
      "a = 15",
      "b = 17",
    ]);
  });

  it("moves long chains of coordinates without walking them twice", () => {
    const chain = Array.from({ length: 200 }, (_, i) => `a${i + 1} = a${i} * a${i} + x`).join("\n");
    const network = compile(`a0 = x\n${chain}\nr = p * a200`, fields, { outputs: ["r"] });
    expect(network.nodes).toHaveLength(404);
  });

  it("moves a condition by the greater share of its cells", () => {
    expect(operations("if p > 1 then u else v")).toEqual([
      "2 = gt(0, 1)",
      "5 = number(2)",
      "6 = recenter_to_node(5)",
      "8 = gt(6, 7)",
      "9 = if(8, 3, 4)",
    ]);
  });
});

describe("booleans and numbers", () => {
  it("stand for each other where one is expected", () => {
    expect(operations("(p > 2) * p")).toEqual(["2 = gt(0, 1)", "3 = number(2)", "4 = multiply(0, 3)"]);
    expect(operations("if p then 1 else 2")).toEqual(["4 = ne(0, 3)", "5 = if(4, 1, 2)"]);
  });

  it("come out as 0 and 1", () => {
    expect(lines("a = p > 2; b = not a")).toEqual([
      "0 = p: scalar, cell",
      "1 = 2: scalar, constant",
      "2 = gt(0, 1): bool, cell",
      "3 = not(2): bool, cell",
      "4 = number(2): scalar, cell",
      "5 = number(3): scalar, cell",
      "a = 4",
      "b = 5",
    ]);
  });
});

describe("derivatives", () => {
  it.each([
    ["gradient(u + 3)", "gradient(u)"],
    ["gradient(3 - u)", "-gradient(u)"],
    ["gradient((2 * u - 5) / 4)", "2 * gradient(u) / 4"],
    ["laplacian(u * 3 + 1)", "laplacian(u) * 3"],
  ])("%s is %s", (text, same) => {
    const parts = (value: string) =>
      compile(`a = ${value}`, fields)
        .nodes.map((node) => ("filter" in node ? node.filter.name : node.kind))
        .sort();
    expect(parts(text)).toEqual(parts(same));
  });

  it("keep what is no number where they read it", () => {
    expect(lines("a = gradient(u + 1 / 0)").join()).toContain("add");
    expect(lines("a = gradient(u / v)").join()).toContain("divide");
  });
});

describe("outputs", () => {
  it("are all statements, in order, the last definition of each name", () => {
    const { outputs } = compile("a = u; b = a + 1; a = b; a", fields);
    expect(outputs.map(({ name }) => name)).toEqual(["b", "a", "result"]);
  });

  it("can be wanted at the nodes, conditions as those of most cells", () => {
    const network = compile("a = p > 2; b = u", fields, { centering: "node" });
    expect(network.outputs.map(({ node }) => network.nodes[node].type.placement)).toEqual(["node", "node"]);
    expect(describeNetwork(network)).toContain("recenter");
    expect(describeNetwork(network)).toContain("0.5: scalar, constant");
  });

  it("can be fewer, with only what they need", () => {
    const network = compile("a = sin(u); b = v + 1; c = b * 2", fields, { outputs: ["c"] });
    expect(describeNetwork(network).split("\n")).toEqual([
      "0 = v: scalar, node",
      "1 = 1: scalar, constant",
      "2 = add(0, 1): scalar, node",
      "3 = 2: scalar, constant",
      "4 = multiply(2, 3): scalar, node",
      "c = 4",
    ]);
    expect(() => compile("a = u", fields, { outputs: ["q"] })).toThrow(
      "No statement defines “q”. Defined are: a.",
    );
  });

  it("keep inputs before their users", () => {
    const { nodes } = compile("a = curl(velocity)[0] * u^3; b = a + p", fields);
    nodes.forEach((node, id) => {
      for (const input of "inputs" in node ? node.inputs : []) expect(input).toBeLessThan(id);
    });
  });
});
