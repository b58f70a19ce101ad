import type { Centering, Grid } from "../../../../core/grid.ts";
import type { NumberArray } from "../../filters/filter.ts";
import type { ElementNode, Network, NodeId, StencilNode } from "../../network/network.ts";
import { inputsFirst } from "../../network/walk.ts";
import { ownInputs, type Stage } from "../../plan/stages.ts";
import { componentsOf } from "../../types.ts";

/** Values of a field or of an earlier stage: component c of element e is `values[e · stride + offset + c]`. */
export interface StoredArray {
  readonly centering: Centering;
  readonly values: NumberArray;
  readonly components: number;
  readonly stride: number;
  readonly offset: number;
}

/** What is computed of one node, filters by name; `args` are numbers of earlier steps. */
export type Step = { readonly components: number } & (
  | { readonly kind: "constant"; readonly values: readonly number[] }
  | { readonly kind: "read"; readonly array: StoredArray }
  | { readonly kind: "mesh"; readonly filter: string }
  | {
      readonly kind: "element";
      readonly filter: string;
      readonly overload: number;
      readonly args: readonly number[];
    }
  | {
      readonly kind: "stencil";
      readonly filter: string;
      readonly overload: number;
      readonly array: StoredArray;
    }
  | { readonly kind: "recenter"; readonly array: StoredArray }
);

/** One stage as plain data, which crosses to other threads as it is. Its arrays do, too, where they are shared. */
export interface StageTask {
  readonly grid: Grid;
  readonly centering: Centering;
  /** Inputs before the steps that use them. */
  readonly steps: readonly Step[];
  /** Where the values of steps go, interleaved from element 0 on. */
  readonly outputs: readonly { readonly step: number; readonly values: NumberArray }[];
}

/** The stage's steps, and the step of each of its roots. `arrayOf` gives what is read rather than computed. */
export function stageSteps(
  network: Network,
  stage: Stage,
  arrayOf: (id: NodeId) => StoredArray,
): { steps: readonly Step[]; stepOf: ReadonlyMap<NodeId, number> } {
  const stepOf = new Map<NodeId, number>();
  const steps = inputsFirst(stage.roots, (id) => ownInputs(network, stage, id)).map((id, k): Step => {
    stepOf.set(id, k);
    const node = network.nodes[id];
    const components = componentsOf(node.type.value);
    if (stage.stored.has(id)) return { kind: "read", components, array: arrayOf(id) };
    switch (node.kind) {
      case "constant":
        return { kind: "constant", components, values: node.values };
      case "source":
        return { kind: "read", components, array: arrayOf(id) };
      case "mesh":
        return { kind: "mesh", components, filter: node.filter.name };
      case "element": {
        const args = node.inputs.map((input) => stepOf.get(input) as number);
        return { kind: "element", components, ...overloadOf(node), args };
      }
      case "stencil":
        return { kind: "stencil", components, ...overloadOf(node), array: arrayOf(node.inputs[0]) };
      case "recenter":
        return { kind: "recenter", components, array: arrayOf(node.inputs[0]) };
      default:
        throw new Error(`${node.filter.name} is computed before it is measured`);
    }
  });
  return { steps, stepOf };
}

function overloadOf(node: ElementNode | StencilNode): { filter: string; overload: number } {
  const overload =
    node.kind === "element"
      ? node.filter.overloads.indexOf(node.overload)
      : node.filter.overloads.indexOf(node.overload);
  return { filter: node.filter.name, overload };
}
