import { CrinkleError } from "../../../core/errors.ts";
import type { Network, NetworkOutput, NodeId } from "../network/network.ts";
import { inputsFirst } from "../network/walk.ts";
import { type ComposedStage, composeStage } from "./composition/compose-stage.ts";
import { canFetch } from "./fetching.ts";
import type { ExpressionKernel, Store } from "./kernel.ts";
import type { FieldLayout, KernelLimits, KernelPlanner } from "./kernel-planner.ts";
import { ownInputs, planStages, type Stage, type StagePlan } from "./stages.ts";
import { writeKernel } from "./wgsl/write-kernel.ts";

/**
 * As few kernels as the stencils allow: element-wise values live in registers, and only computed values that a stencil
 * cannot recompute are stored.
 */
export const fusion: KernelPlanner = { name: "fusion", plan: planKernels };

/**
 * A stage whose buffers exceed the limit is split into several kernels; where one value alone needs too many, a part
 * of it becomes a temporary.
 */
function planKernels(
  network: Network,
  outputs: readonly NetworkOutput[],
  layout: (field: string) => FieldLayout,
  limits: KernelLimits,
): ExpressionKernel[] {
  const forced = new Set<NodeId>();
  for (;;) {
    const nodes = outputs.map(({ node }) => node);
    const plan = planStages(
      network,
      nodes,
      (id, temporaries, reader) => canFetch(network, id, temporaries, reader),
      forced,
    );
    const kernels: ExpressionKernel[] = [];
    let excess: { stage: Stage; store: Store } | undefined;
    for (const stage of plan.stages) {
      const stores = stage.roots.flatMap((root) => storesOf(network, root, outputs, plan));
      const written = splitStage(network, stage, stores, layout, limits);
      kernels.push(...written.kernels);
      excess ??= written.excess && { stage, store: written.excess };
    }
    if (!excess) return kernels;
    const part = partToStore(network, excess.stage, excess.store.node, forced, layout, limits);
    if (part === undefined) throw tooManyFields(excess.store, limits);
    forced.add(part);
  }
}

function storesOf(
  network: Network,
  node: NodeId,
  outputs: readonly NetworkOutput[],
  plan: StagePlan,
): Store[] {
  const type = network.nodes[node].type.value;
  const named = outputs.filter((output) => output.node === node);
  if (named.length > 0) return named.map(({ name }) => ({ node, type, output: name }));
  return plan.temporaries.has(node) ? [{ node, type, output: undefined }] : [];
}

/** One kernel for all stores where the limit allows, else as few as taking them in order gives. */
function splitStage(
  network: Network,
  stage: Stage,
  stores: readonly Store[],
  layout: (field: string) => FieldLayout,
  limits: KernelLimits,
): { kernels: ExpressionKernel[]; excess?: Store } {
  const kernels: ExpressionKernel[] = [];
  let from = 0;
  while (from < stores.length) {
    let to = stores.length;
    let composed: ComposedStage;
    do {
      const part = stores.slice(from, to);
      composed = composeStage(network, { ...stage, roots: part.map(({ node }) => node) }, part, layout);
    } while (composed.bindings.length > limits.storageBuffers && --to > from);
    if (to === from) return { kernels, excess: stores[from] };
    kernels.push(writeKernel(composed));
    from = to;
  }
  return { kernels };
}

/** The largest part of a value that a kernel of its own can compute within the limit. */
function partToStore(
  network: Network,
  stage: Stage,
  root: NodeId,
  forced: ReadonlySet<NodeId>,
  layout: (field: string) => FieldLayout,
  limits: KernelLimits,
): NodeId | undefined {
  let best: NodeId | undefined;
  let bestBindings = 3;
  for (const id of inputsFirst([root], (id) => ownInputs(network, stage, id))) {
    const node = network.nodes[id];
    if (node.kind === "source" || node.kind === "constant") continue;
    if (id === root || forced.has(id) || stage.stored.has(id)) continue;
    const store = { node: id, type: node.type.value, output: undefined };
    const { bindings } = composeStage(network, { ...stage, roots: [id] }, [store], layout);
    // Of several with as many buffers the last one comes nearest to the whole.
    if (bindings.length <= limits.storageBuffers && bindings.length >= bestBindings) {
      best = id;
      bestBindings = bindings.length;
    }
  }
  return best;
}

function tooManyFields(store: Store, limits: KernelLimits): CrinkleError {
  return new CrinkleError({
    tag: "TooLarge",
    problem: `${store.output === undefined ? "A part of the expression" : `“${store.output}”`} reads more arrays at once than the ${limits.storageBuffers} buffers that this GPU allows.`,
    remedy: "Give parts of it names of their own, and compute them first.",
  });
}
