import { type DataSet, type Field, fieldNamed } from "../../../../core/field.ts";
import type { Centering, Grid } from "../../../../core/grid.ts";
import type { JobContext } from "../../../../core/job.ts";
import type { GpuContext } from "../../../../gpu/device/context.ts";
import type { GpuField } from "../../../../gpu/fields/gpu-field.ts";
import { createGridTables, type GridTables } from "../../../../gpu/fields/grid-tables.ts";
import { centeringOffsets, uploadField } from "../../../../gpu/fields/upload.ts";
import type { Network, NetworkOutput } from "../../network/network.ts";
import { inputsFirst } from "../../network/walk.ts";
import type { PlacedLayout } from "../../plan/kernel-planner.ts";
import type { PlanInputs } from "../../plan/planner.ts";
import { inputsOf } from "../../plan/stages.ts";
import type { InputArray } from "../../plan/steps.ts";

/**
 * What a run reads. Where inputs are resident, the caller owns fields and tables and keeps them until the run has
 * returned; where the run has them sent, it frees them.
 */
export interface GpuInputs {
  readonly grid: Grid;
  /** A field of the data set, sent to the GPU when it is not there. */
  field(name: string): Promise<GpuField>;
  tables(centering: Centering): GridTables;
  /** Whether a resident input is on the device before it is asked for; all are where this is left out. */
  isPresent?(input: InputArray): boolean;
}

/** The fields of a data set on the host, and what plans must know of them. */
export class HostFields implements PlanInputs {
  readonly dataSet: DataSet;
  readonly #layouts = new Map<string, PlacedLayout>();

  constructor(dataSet: DataSet) {
    this.dataSet = dataSet;
  }

  get grid(): Grid {
    return this.dataSet.grid;
  }

  layout(name: string): PlacedLayout {
    let layout = this.#layouts.get(name);
    if (!layout) {
      const field = fieldNamed(this.dataSet, name) as Field;
      const { components, centering } = field;
      layout = { components, centering, offsets: centeringOffsets(field) };
      this.#layouts.set(name, layout);
    }
    return layout;
  }

  /** The fields of the data set, or of a block of it, as a run sends them. */
  sent(gpu: GpuContext, job: JobContext, { grid, fields }: DataSet = this.dataSet): GpuInputs {
    return {
      grid,
      field: (name) => {
        const field = fields.find((each) => each.name === name) as Field;
        return uploadField(gpu, grid, field, job, this.layout(name).offsets);
      },
      tables: (centering) => createGridTables(gpu, grid, centering),
    };
  }
}

/** The names of the fields that outputs of a network depend on. */
export function fieldsRead(network: Network, outputs: readonly NetworkOutput[]): Set<string> {
  const order = inputsFirst(
    outputs.map(({ node }) => node),
    (id) => inputsOf(network.nodes[id]),
  );
  return new Set(
    order.flatMap((id) => {
      const node = network.nodes[id];
      return node.kind === "source" ? [node.field] : [];
    }),
  );
}
