import { describe, expect, it } from "vitest";
import { compile } from "../compile.ts";
import { qCriterion, vorticityMagnitude } from "../listings.ts";
import { createNetwork, type DataflowNetwork } from "./dataflow.ts";
import type { FieldSignature, Network } from "./network.ts";
import { toScript } from "./script.ts";
import { expectSameNetwork } from "./testing/same.ts";

const fields: FieldSignature[] = [
  ...["u", "v", "w"].map((name) => ({ name, components: 1, centering: "node" }) as const),
  { name: "X Velocity", components: 1, centering: "node" },
  { name: "velocity", components: 3, centering: "node" },
  { name: "stress", components: 6, centering: "node" },
  { name: "J", components: 9, centering: "node" },
  { name: "p", components: 1, centering: "cell" },
];

/** Runs a script where `createNetwork` and `fields` are in scope. */
function run(script: string): Network {
  const body = new Function("createNetwork", "fields", `${script}return network;`);
  return (body(createNetwork, fields) as DataflowNetwork).build();
}

describe("toScript", () => {
  it("prints the calls that make the network", () => {
    expect(
      toScript(compile("w = velocity[0] * 2\nr = gradient(w)", fields)),
    ).toBe(`const network = createNetwork(fields);
network.addSource("velocity", { component: 0, name: "source_0" });
network.addConstant(2, "constant_1");
network.addFilter("multiply", "w");
network.connect("source_0", "w", ":a");
network.connect("constant_1", "w", ":b");
network.addFilter("gradient", "gradient_3");
network.connect("source_0", "gradient_3", ":f");
network.addFilter("multiply", "r");
network.connect("constant_1", "r", ":a");
network.connect("gradient_3", "r", ":b");
network.addSink("w", "w");
network.addSink("r", "r");
`);
  });

  it.each([
    ["the seed's vorticity magnitude", vorticityMagnitude],
    ["the seed's Q-criterion", qCriterion],
    [
      "composites",
      "a = curl(velocity); b = lambda2(velocity); c = divergence(velocity); d = q_criterion(velocity)",
    ],
    [
      "names of all sorts",
      'u = 2 * u; "u" = u + v; constant_1 = u; "a \\"b\\\\" = "X Velocity"; source_0 = stress[5]',
    ],
    ["several names of one value", "a = u + v; b = v + u; c = a; d = u"],
    [
      "centrings",
      "a = u + p; b = p * x; c = recenter(u); d = if p > 1 then u else v; e = coords() * {1, 0, 1}[0]",
    ],
    ["booleans", "a = if 1 < 2 then u > 1 else v > 1; b = if u then 1 else 0; c = not (p > 2); d = 1 < 2"],
    [
      "constants",
      "a = u + 1/0; b = u * (0/0); c = v * -0; d = 1e-300 * u; e = {1, 2, 3}; f = {{1, 2, 3}, {4, 5, 6}, {7, 8, 9}}; g = {u, 1}",
    ],
    [
      "tensors",
      "a = J[1]; b = J[1][2]; c = matmul(J, velocity); d = transpose(J) + J; e = gradient(velocity)[2]",
    ],
    [
      "powers and signs",
      "a = u^2 + u^-1 + u^0.5 + u^2.5; b = -u; c = u % 3; d = not u; e = min(u, v) - max(v, u)",
    ],
    [
      "stencils that a parameter chooses",
      "a = laplacian(u, 3); b = mean_filter(velocity, 5); c = gaussian(p, 1.25); d = median_filter(u, 3); e = hessian(u)",
    ],
    [
      "values of the grid",
      "a = random(2) * u; b = random() * p; c = node_id() + u; d = zone_id() * cell_volume(); e = indices() + {p, 0, 0}; f = area() * u; g = max_coord() - min_coord()",
    ],
  ])("makes an equal network again of %s", (_, text) => {
    const network = compile(text, fields);
    expectSameNetwork(run(toScript(network)), network);
  });
});
