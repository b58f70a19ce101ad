import type { Field } from "../../../core/field.ts";
import { axisRange, type Grid, gridPart } from "../../../core/grid.ts";
import { exactInF32, levelOf, needsF64 } from "../../../core/levels.ts";
import type { MeshNode, Network, NodeId } from "../network/network.ts";
import { inputsFirst } from "../network/walk.ts";
import { inputsOf } from "./stages.ts";

/** Of values in memory. */
export type Precision = "f32" | "f64";

/** What the values of nodes need. */
export type PrecisionOf = (node: NodeId) => Precision;

type Values = Pick<Field, "name" | "dtype" | "data" | "isWide">;

/**
 * What a CPU keeps values of a network in, which it computes in f64: f64 where f32 would round a field that they come from, or
 * positions far from the origin or numbers of elements beyond 2²⁴; f32 for all others, and for booleans. Of a part of a grid, what
 * the whole has.
 */
export function precisionsOf(network: Network, grid: Grid, fields: readonly Values[]): PrecisionOf {
  const { nodes } = network;
  const isWide = new Map<string, boolean>();
  const fieldIsWide = (name: string): boolean => {
    let known = isWide.get(name);
    if (known === undefined) {
      const field = fields.find((each) => each.name === name);
      known = field !== undefined && needsF64(field);
      isWide.set(name, known);
    }
    return known;
  };
  const carriesDigits = (id: NodeId) => nodes[id].type.value !== "bool";
  return (root) => {
    if (!carriesDigits(root)) return "f32";
    const origins = inputsFirst([root], (id) => inputsOf(nodes[id]).filter(carriesDigits));
    const needs = origins.some((id) => {
      const node = nodes[id];
      if (node.kind === "source") return fieldIsWide(node.field);
      return node.kind === "mesh" && meshIsWide(node, grid);
    });
    return needs ? "f64" : "f32";
  };
}

function meshIsWide({ filter: { name } }: MeshNode, grid: Grid): boolean {
  const { dims, bounds } = gridPart(grid);
  if (name === "node_id" || name === "zone_id") return dims[0] * dims[1] * dims[2] > exactInF32;
  if (name === "indices" || name === "cell_size") return false;
  return [0, 1, 2].some((axis) => {
    const { min, max } = axisRange(bounds, axis);
    return levelOf([min, max]) !== 0;
  });
}
