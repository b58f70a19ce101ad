import { expect, it } from "vitest";
import { compile } from "../compile.ts";
import type { FieldSignature, NodeId } from "../network/network.ts";
import { planStages, storedReads } from "./stages.ts";

const fields: FieldSignature[] = [
  { name: "v", components: 3, centering: "node" },
  { name: "p", components: 1, centering: "node" },
  { name: "rho", components: 1, centering: "cell" },
];

/** Stages as "centring: what each root is", where stencils may read sources alone. */
function stagesOf(text: string): string[] {
  const network = compile(text, fields);
  const { nodes } = network;
  const isStored = (id: NodeId, temporaries: ReadonlySet<NodeId>) =>
    temporaries.has(id) || nodes[id].kind === "source";
  const outputs = network.outputs.map(({ node }) => node);
  const plan = planStages(network, outputs, isStored);
  const nameOf = (id: NodeId) => {
    const node = nodes[id];
    const output = network.outputs.find((candidate) => candidate.node === id);
    return output?.name ?? ("filter" in node ? node.filter.name : node.kind);
  };
  return plan.stages.map(
    (stage) =>
      `${stage.centering}: ${stage.roots.map(nameOf).join(" ")} from ${[...storedReads(network, stage)].map(nameOf).join(" ")}`,
  );
}

it("needs one stage per centring without computed stencils", () => {
  expect(stagesOf("a = curl(v); b = laplacian(p); c = 2 * rho")).toEqual([
    "node: a b from ",
    "cell: c from ",
  ]);
});

it("needs one more stage for each stencil of a stencil", () => {
  expect(stagesOf("a = gradient(magnitude(curl(v)))")).toEqual([
    "node: magnitude from ",
    "node: a from magnitude",
  ]);
  expect(stagesOf("a = laplacian(laplacian(laplacian(p)))")).toEqual([
    "node: laplacian from ",
    "node: laplacian from laplacian",
    "node: a from laplacian",
  ]);
});

it("computes temporaries of one depth together", () => {
  expect(stagesOf("a = gradient(p * p) + gradient(sin(p))")).toEqual([
    "node: multiply sin from ",
    "node: a from multiply sin",
  ]);
});

it("keeps centrings apart", () => {
  expect(stagesOf("a = gradient(recenter(2 * p))")).toEqual([
    "node: multiply from ",
    "cell: recenter from multiply",
    "cell: a from recenter",
  ]);
});
