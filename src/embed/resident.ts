import { CrinkleError } from "../core/errors.ts";
import { formatBytes } from "../core/format.ts";
import type { Centering, Grid } from "../core/grid.ts";
import { statistics } from "../core/statistics.ts";
import type { GpuContext } from "../gpu/device/context.ts";
import type { GpuField } from "../gpu/fields/gpu-field.ts";
import { createGridTables, type GridTables } from "../gpu/fields/grid-tables.ts";
import type { Network } from "../lang/expression/network/network.ts";
import type { Kernel } from "../lang/expression/strategies/fusion/kernel.ts";
import { fusion } from "../lang/expression/strategies/fusion/plan.ts";
import { chosenOutputs } from "../lang/expression/strategies/outputs.ts";
import { staged } from "../lang/expression/strategies/per-filter.ts";
import { resolveReductions } from "../lang/expression/strategies/reductions.ts";
import { arrayOf, bytesOn, keyOf } from "../lang/expression/strategies/run/lifetimes.ts";
import type { GpuInputs, Strategy } from "../lang/expression/strategies/strategy.ts";
import type { FieldShape, StrategyName } from "./api.ts";
import type { Program } from "./program.ts";
import { badArgument } from "./refusal.ts";

export interface ResidentStrategy extends Strategy {
  readonly name: StrategyName;
}

/** The strategies under which fields stay on the device. Throws BadArgument for others. */
export function residentStrategy(name: StrategyName | "auto"): ResidentStrategy {
  if (name === "auto" || name === "fusion") return { ...fusion, name: "fusion" };
  if (name === "staged") return { ...staged, name: "staged" };
  throw badArgument(
    `The strategy ${name} sends fields to the GPU and back; here they stay on it.`,
    "Choose fusion, staged or auto.",
  );
}

/** Bytes and arrays of a run whose fields are on the device already. */
export interface ResidentCost {
  /** Tables of coordinates, which are sent once. */
  readonly tables: number;
  readonly tableBytes: number;
  readonly kernels: number;
  readonly peakBytes: number;
  /** Whether reductions are measured first, so that kernels depend on the fields' values. */
  readonly isMeasured: boolean;
}

/**
 * What a program will hold, before anything is allocated. With `keepsTemporaries` they live as long as the outputs.
 * Throws TooLarge where that is more than `memory`.
 */
export async function planResident(
  gpu: GpuContext,
  { network, computed }: Program,
  grid: Grid,
  fields: ReadonlyMap<string, FieldShape>,
  strategy: Strategy,
  memory: number,
  keepsTemporaries: boolean,
): Promise<ResidentCost> {
  // What a reduction will give is not known yet, and no matter: any number makes the same kernels.
  let inner: ResidentCost | undefined;
  const known = await resolveReductions(network, computed, async (part, names) => {
    const cost = costOf(gpu, part, names, grid, fields, strategy, false);
    inner = inner ? both(inner, cost) : cost;
    return new Map(names.map((name) => [name, anyStatistics]));
  });
  const own = costOf(gpu, known, computed, grid, fields, strategy, keepsTemporaries && !inner);
  const cost = inner ? both(inner, own) : own;
  if (cost.peakBytes > memory) {
    throw new CrinkleError({
      tag: "TooLarge",
      problem: `The ${strategy.name} strategy would hold ${formatBytes(cost.peakBytes)} on the GPU, the fields included; ${formatBytes(memory)} are allowed.`,
      remedy: "Allow it more memory, or compute fewer outputs at once.",
    });
  }
  return cost;
}

const anyStatistics = statistics(new Float32Array([1, 2]), 1);

/** One after the other. */
const both = (a: ResidentCost, b: ResidentCost): ResidentCost => ({
  tables: Math.max(a.tables, b.tables),
  tableBytes: Math.max(a.tableBytes, b.tableBytes),
  kernels: a.kernels + b.kernels,
  peakBytes: Math.max(a.peakBytes, b.peakBytes),
  isMeasured: true,
});

function costOf(
  gpu: GpuContext,
  network: Network,
  names: readonly string[],
  grid: Grid,
  fields: ReadonlyMap<string, FieldShape>,
  strategy: Strategy,
  keepsTemporaries: boolean,
): ResidentCost {
  const fieldOf = (name: string) => fields.get(name) as FieldShape;
  const layoutOf = (name: string) => {
    const { components } = fieldOf(name);
    return { components, offsets: new Array<number>(components).fill(0) };
  };
  const kernels = strategy.plan(network, chosenOutputs(network, names), layoutOf, {
    storageBuffers: gpu.device.limits.maxStorageBuffersPerShaderStage,
  });
  const bytesOf = bytesOn(grid, network, fieldOf);
  const shared = new Map<string, { bytes: number; isTable: boolean }>();
  for (const binding of kernels.flatMap(({ bindings }) => bindings)) {
    if (binding.kind !== "source" && binding.kind !== "tables") continue;
    const array = arrayOf(binding);
    shared.set(keyOf(array), { bytes: bytesOf(array), isTable: binding.kind === "tables" });
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
    isMeasured: false,
  };
}

/** Temporaries that kernel `k` is the last to touch. */
function deadAfter(kernels: readonly Kernel[], k: number): number[] {
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

/** Fields on the device with the tables of their grid, which are made when first asked for. */
export class ResidentInputs implements GpuInputs {
  readonly grid: Grid;
  readonly #gpu: GpuContext;
  readonly #fields: ReadonlyMap<string, GpuField>;
  readonly #tables = new Map<Centering, GridTables>();

  constructor(gpu: GpuContext, grid: Grid, fields: ReadonlyMap<string, GpuField>) {
    this.grid = grid;
    this.#gpu = gpu;
    this.#fields = fields;
  }

  async field(name: string): Promise<GpuField> {
    return this.#fields.get(name) as GpuField;
  }

  tables(centering: Centering): GridTables {
    let tables = this.#tables.get(centering);
    if (!tables) {
      tables = createGridTables(this.#gpu, this.grid, centering);
      this.#tables.set(centering, tables);
    }
    return tables;
  }

  /** Frees the tables; the fields have other owners. */
  release(): void {
    for (const { buffer } of this.#tables.values()) buffer.release();
    this.#tables.clear();
  }
}
