import type { Centering, Grid } from "../../../../core/grid.ts";
import type { GpuContext } from "../../../../gpu/device/context.ts";
import type { Network, NodeId } from "../../network/network.ts";
import type { Kernel } from "../../plan/kernel.ts";
import type { Strategy } from "../../plan/kernel-planner.ts";
import { arrayOf, bytesOn, keyOf } from "../../plan/lifetimes.ts";
import { chosenOutputs } from "../../plan/outputs.ts";
import { type Part, partsOf } from "../../plan/reductions.ts";

/** Bytes and arrays of a run whose fields are on the device, and whose outputs stay there. */
export interface ResidentCost {
  /** Tables of coordinates, which are sent once. */
  readonly tables: number;
  readonly tableBytes: number;
  readonly kernels: number;
  /** The most bytes held at once, the fields' included. */
  readonly peakBytes: number;
  readonly largestArray: number;
  /** Whether reductions are measured first, so that kernels depend on the fields' values. */
  readonly isMeasured: boolean;
}

/** What a plan must know of a field on the device. */
export interface ResidentShape {
  readonly components: number;
  readonly centering: Centering;
}

/**
 * What outputs of a network will cost by a strategy whose values stay on the device. With `keepsTemporaries` they live as
 * long as the outputs. Allocates nothing.
 */
export async function residentCost(
  gpu: GpuContext,
  network: Network,
  names: readonly string[],
  grid: Grid,
  shapeOf: (field: string) => ResidentShape,
  strategy: Strategy,
  keepsTemporaries: boolean,
): Promise<ResidentCost> {
  const parts = await partsOf(network, names);
  const isMeasured = parts.length > 1;
  const keeps = keepsTemporaries && !isMeasured;
  const costs = parts.map((part) => costOfPart(gpu, part, grid, shapeOf, strategy, keeps));
  return { ...costs.reduce(inTurn), isMeasured };
}

type PartCost = Omit<ResidentCost, "isMeasured">;

const inTurn = (a: PartCost, b: PartCost): PartCost => ({
  tables: Math.max(a.tables, b.tables),
  tableBytes: Math.max(a.tableBytes, b.tableBytes),
  kernels: a.kernels + b.kernels,
  peakBytes: Math.max(a.peakBytes, b.peakBytes),
  largestArray: Math.max(a.largestArray, b.largestArray),
});

function costOfPart(
  gpu: GpuContext,
  { network, names }: Part,
  grid: Grid,
  shapeOf: (field: string) => ResidentShape,
  strategy: Strategy,
  keepsTemporaries: boolean,
): PartCost {
  const layoutOf = (name: string) => {
    const { components } = shapeOf(name);
    return { components, offsets: new Array<number>(components).fill(0) };
  };
  const kernels = strategy.plan(network, chosenOutputs(network, names), layoutOf, {
    storageBuffers: gpu.device.limits.maxStorageBuffersPerShaderStage,
  });
  const bytesOf = bytesOn(grid, network, shapeOf);
  const shared = new Map<string, { bytes: number; isTable: boolean }>();
  let largestArray = 0;
  for (const binding of kernels.flatMap(({ bindings }) => bindings)) {
    const array = arrayOf(binding);
    const bytes = bytesOf(array);
    largestArray = Math.max(largestArray, bytes);
    if (binding.kind !== "source" && binding.kind !== "tables") continue;
    shared.set(keyOf(array), { bytes, isTable: binding.kind === "tables" });
  }
  const sum = (all: readonly { bytes: number }[]) => all.reduce((total, { bytes }) => total + bytes, 0);
  const tables = [...shared.values()].filter(({ isTable }) => isTable);
  let held = sum([...shared.values()]);
  let peakBytes = held;
  for (const [k, kernel] of kernels.entries()) {
    for (const binding of kernel.bindings) if (binding.kind === "store") held += bytesOf(arrayOf(binding));
    peakBytes = Math.max(peakBytes, held);
    if (!keepsTemporaries) for (const node of deadAfter(kernels, k)) held -= bytesOf({ kind: "value", node });
  }
  return {
    tables: tables.length,
    tableBytes: sum(tables),
    kernels: kernels.length,
    peakBytes,
    largestArray,
  };
}

/** Temporaries that kernel `k` is the last to touch. */
function deadAfter(kernels: readonly Kernel[], k: number): NodeId[] {
  const touched = ({ bindings }: Kernel) =>
    bindings.flatMap((binding) => {
      if (binding.kind === "temporary") return [binding.node];
      return binding.kind === "store" && binding.store.output === undefined ? [binding.store.node] : [];
    });
  const outputs = new Set(
    kernels.flatMap(({ bindings }) =>
      bindings.flatMap((one) =>
        one.kind === "store" && one.store.output !== undefined ? [one.store.node] : [],
      ),
    ),
  );
  const later = new Set(kernels.slice(k + 1).flatMap(touched));
  return [...new Set(touched(kernels[k]))].filter((node) => !outputs.has(node) && !later.has(node));
}
