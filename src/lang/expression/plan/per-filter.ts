import { CrinkleError } from "../../../core/errors.ts";
import type { Network, NetworkNode, NetworkOutput, NodeId } from "../network/network.ts";
import { inputsFirst } from "../network/walk.ts";
import { composeStage } from "./composition/compose-stage.ts";
import type { ExpressionKernel, Store } from "./kernel.ts";
import type { FieldLayout, KernelLimits, KernelPlanner } from "./kernel-planner.ts";
import { centeringOf, inputsOf } from "./stages.ts";
import { writeKernel } from "./wgsl/write-kernel.ts";

/**
 * One kernel a filter, whose value is stored (seed 001, § III.C): constants are literals, fields are read where they are.
 * Values that `isTakenApart` names have no kernel: whoever runs the plan has them as parts of their input.
 */
function planFilters(
  network: Network,
  outputs: readonly NetworkOutput[],
  layout: (field: string) => FieldLayout,
  limits: KernelLimits,
  isTakenApart: (network: Network, node: NetworkNode) => boolean,
): ExpressionKernel[] {
  const wanted = new Map<NodeId, string[]>();
  for (const { node, name } of outputs) wanted.set(node, [...(wanted.get(node) ?? []), name]);
  const stored = new Set<NodeId>();
  const kernels: ExpressionKernel[] = [];
  for (const id of inputsFirst(wanted.keys(), (at) => inputsOf(network.nodes[at])).sort((a, b) => a - b)) {
    const node = network.nodes[id];
    const isGiven = node.kind === "source" || node.kind === "constant";
    if (isGiven && !wanted.has(id)) continue;
    if (!isTakenApart(network, node) || wanted.has(id)) {
      const stores = (wanted.get(id) ?? [undefined]).map(
        (output): Store => ({ node: id, type: node.type.value, output }),
      );
      const stage = { centering: centeringOf(node), roots: [id], stored: new Set(stored) };
      const kernel = writeKernel(composeStage(network, stage, stores, layout));
      if (kernel.bindings.length > limits.storageBuffers) throw tooManyArrays(kernel, limits);
      kernels.push(kernel);
    }
    if (!isGiven) stored.add(id);
  }
  return kernels;
}

const tooManyArrays = (
  { label, bindings }: ExpressionKernel,
  { storageBuffers }: KernelLimits,
): CrinkleError =>
  new CrinkleError({
    tag: "TooLarge",
    problem: `“${label}” reads and writes ${bindings.length} arrays; this GPU allows a kernel ${storageBuffers}.`,
    remedy: "Use the fusion strategy.",
  });

/** One kernel a filter; values stay on the device until nobody reads them any more. */
export const staged: KernelPlanner = {
  name: "staged",
  plan: (network, outputs, layout, limits) => planFilters(network, outputs, layout, limits, () => false),
};

/** Which component of a computed value a node is: `v[i]`, or the ith row of a tensor. */
export function partOf(network: Network, node: NetworkNode): number | undefined {
  if (node.kind !== "element" || network.nodes[node.inputs[0]].kind === "source") return undefined;
  const index = /^component_(\d)$/.exec(node.filter.name)?.[1];
  return index === undefined ? undefined : Number(index);
}

/** One kernel a filter, but none for components, which the host takes out of what came back to it. */
export const roundtrip: KernelPlanner = {
  name: "roundtrip",
  plan: (network, outputs, layout, limits) =>
    planFilters(network, outputs, layout, limits, (among, node) => partOf(among, node) !== undefined),
};
