import type { Neighborhood } from "../../filters/filter.ts";
import type { Network, NetworkNode, NodeId } from "../../network/network.ts";
import { inputsFirst } from "../../network/walk.ts";
import { componentsOf } from "../../types.ts";
import { ownInputs, type Stage } from "../stages.ts";
import { recenterElements } from "./mesh.ts";
import { type HostSources, readElements } from "./sources.ts";

/** Elements evaluated at a time: their intermediate values stay in the processor's cache. */
export const chunkElements = 1024;

interface Step {
  readonly buffer: Float64Array;
  run(first: number, count: number): void;
}

/** One stage's nodes, ready to be evaluated chunk by chunk. */
export class Sweep {
  readonly #steps = new Map<NodeId, Step>();

  /** `stored` holds the arrays of the stage's stored nodes. */
  constructor(
    network: Network,
    stage: Stage,
    sources: HostSources,
    stored: ReadonlyMap<NodeId, Neighborhood>,
  ) {
    const near = (input: NodeId) => arrayOf(network.nodes[input], stored.get(input), sources);
    for (const id of inputsFirst(stage.roots, (id) => ownInputs(network, stage, id))) {
      const node = network.nodes[id];
      const array = stage.stored.has(id) ? stored.get(id) : undefined;
      const buffer = new Float64Array(chunkElements * componentsOf(node.type.value));
      const args = ownInputs(network, stage, id).map((input) => this.values(input));
      const run = array
        ? (first: number, count: number) => readElements(array, first, count, buffer)
        : runner(node, stage, sources, args, near, buffer);
      this.#steps.set(id, { buffer, run });
    }
  }

  /** Evaluates elements `first` … `first + count − 1` of every node. */
  run(first: number, count: number): void {
    for (const step of this.#steps.values()) step.run(first, count);
  }

  /** The chunk's values of one node, interleaved. */
  values(id: NodeId): Float64Array {
    return (this.#steps.get(id) as Step).buffer;
  }
}

function arrayOf(node: NetworkNode, stored: Neighborhood | undefined, sources: HostSources): Neighborhood {
  if (node.kind === "source") return sources.neighborhood(node);
  if (!stored) throw new Error(`a ${node.kind} is read at neighbours before it is stored`);
  return stored;
}

function runner(
  node: NetworkNode,
  stage: Stage,
  sources: HostSources,
  args: readonly Float64Array[],
  near: (input: NodeId) => Neighborhood,
  buffer: Float64Array,
): Step["run"] {
  const dims = sources.dims(stage.centering);
  switch (node.kind) {
    case "constant": {
      const width = node.values.length;
      for (let i = 0; i < buffer.length; i++) buffer[i] = node.values[i % width];
      return () => {};
    }
    case "source": {
      const array = sources.neighborhood(node);
      return (first, count) => readElements(array, first, count, buffer);
    }
    case "mesh": {
      const place = sources.place(stage.centering);
      return (first, count) => node.filter.cpu(place, first, count, buffer);
    }
    case "element":
      return (_, count) => node.overload.cpu(args, buffer, count);
    case "stencil": {
      const input = near(node.inputs[0]);
      return (first, count) => node.overload.cpu(input, first, count, buffer);
    }
    case "reduction":
      throw new Error(`${node.filter.name} is computed before it is measured`);
    case "recenter": {
      const input = near(node.inputs[0]);
      const toCells = node.to === "cell";
      return (first, count) => recenterElements(input, dims, toCells, first, count, buffer);
    }
  }
}
