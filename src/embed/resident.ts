import type { Centering, Grid } from "../core/grid.ts";
import type { GpuContext } from "../gpu/device/context.ts";
import type { GpuField } from "../gpu/fields/gpu-field.ts";
import { createGridTables, type GridTables } from "../gpu/fields/grid-tables.ts";
import { type ResidentCost, residentCost } from "../lang/expression/execute/gpu/resident.ts";
import { fusion } from "../lang/expression/plan/fusion.ts";
import type { GpuInputs, Strategy } from "../lang/expression/plan/kernel-planner.ts";
import { staged } from "../lang/expression/plan/per-filter.ts";
import { tooMuchMemory } from "../lang/expression/plan/refusals.ts";
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

/**
 * What a program will hold, before anything is allocated. With `keepsTemporaries` they live as long as the outputs.
 * Throws TooLarge where that is more than `memory`.
 */
export async function planResident(
  gpu: GpuContext,
  { network, computed }: Program,
  grid: Grid,
  fields: ReadonlyMap<string, FieldShape>,
  strategy: ResidentStrategy,
  memory: number,
  keepsTemporaries: boolean,
): Promise<ResidentCost> {
  const shapeOf = (name: string) => fields.get(name) as FieldShape;
  const cost = await residentCost(gpu, network, computed, grid, shapeOf, strategy, keepsTemporaries);
  if (cost.peakBytes > memory) throw tooMuchMemory(strategy.name, cost.peakBytes, memory, false);
  return cost;
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
