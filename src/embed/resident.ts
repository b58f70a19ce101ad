import type { Centering, Grid } from "../core/grid.ts";
import type { GpuContext } from "../gpu/device/context.ts";
import type { GpuField } from "../gpu/fields/gpu-field.ts";
import { createGridTables, type GridTables } from "../gpu/fields/grid-tables.ts";
import type { GpuInputs } from "../lang/expression/execute/gpu/inputs.ts";
import { type PlacedLayout, withoutOffsets } from "../lang/expression/plan/kernel-planner.ts";
import type { PlanInputs } from "../lang/expression/plan/planner.ts";
import type { InputArray } from "../lang/expression/plan/steps.ts";
import type { FieldShape } from "./api.ts";

/** Fields on the device with the tables of their grid, which are made when first asked for. */
export class ResidentInputs implements GpuInputs, PlanInputs {
  readonly grid: Grid;
  readonly #gpu: GpuContext;
  readonly #fields: ReadonlyMap<string, GpuField>;
  readonly #shapes: ReadonlyMap<string, FieldShape>;
  readonly #tables = new Map<Centering, GridTables>();

  /** `shapes` are those of fields that may come to be in `fields` later. */
  constructor(
    gpu: GpuContext,
    grid: Grid,
    fields: ReadonlyMap<string, GpuField>,
    shapes: ReadonlyMap<string, FieldShape> = fields,
  ) {
    this.grid = grid;
    this.#gpu = gpu;
    this.#fields = fields;
    this.#shapes = shapes;
  }

  layout(name: string): PlacedLayout {
    return withoutOffsets(this.#shapes.get(name) as FieldShape);
  }

  async field(name: string): Promise<GpuField> {
    return this.#fields.get(name) as GpuField;
  }

  isPresent(input: InputArray): boolean {
    return input.kind === "field" || this.#tables.has(input.centering);
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
