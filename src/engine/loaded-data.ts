import type { DataSet, Field } from "../core/field.ts";
import { type Bounds, type Centering, gridBounds } from "../core/grid.ts";
import { checkCancelled, type JobContext } from "../core/job.ts";
import { isPointSet, type PointSet, pointBounds } from "../core/point-set.ts";
import type { Statistics } from "../core/statistics.ts";
import type { GpuContext } from "../gpu/device/context.ts";
import { type CompactField, uploadCompact } from "../gpu/fields/compact-field.ts";
import type { GpuField } from "../gpu/fields/gpu-field.ts";
import { createGridTables, type GridTables } from "../gpu/fields/grid-tables.ts";
import { precisionNote, uploadField } from "../gpu/fields/upload.ts";
import type { FieldSummary, GridSummary, PointsSummary } from "./api.ts";
import type { FieldValue } from "./derived.ts";
import { statisticsOf } from "./host-statistics.ts";
import type { LivingLattice } from "./lattice/living-lattice.ts";
import { asDataSet } from "./points/as-data-set.ts";

/** A data set with its copies on the GPU. Fields are uploaded when first used and stay until `release`. */
export class LoadedData {
  readonly dataSet: DataSet;
  /** The point set whose columns are the fields; undefined if they live on a grid. */
  readonly points: PointSet | undefined;
  /** Bounds of the grid, or of the points. */
  readonly bounds: Bounds;
  /** The lattice whose shown sites are the grid's nodes; undefined where the data do not live. */
  readonly lattice: LivingLattice | undefined;
  /** Whether the fields' values are here. */
  readonly hasValues: boolean;
  readonly #gpu: GpuContext | undefined;
  readonly #fields = new Map<string, Promise<GpuField>>();
  readonly #compact = new Map<string, Promise<CompactField>>();
  readonly #tables = new Map<Centering, GridTables>();
  readonly #statistics: Map<string, Statistics>;

  /**
   * With the statistics of all fields, the values are elsewhere: on the ranks that took the statistics. The fields are then
   * empty. Those of a lattice, which is owned from now on, may be empty, too: it has their values.
   */
  constructor(
    content: DataSet | PointSet | LivingLattice,
    gpu: GpuContext | undefined,
    known?: ReadonlyMap<string, Statistics>,
  ) {
    this.hasValues = known === undefined;
    this.#statistics = new Map(known);
    if ("dataSet" in content) {
      this.lattice = content;
      this.dataSet = content.dataSet;
      this.bounds = content.bounds;
    } else if (isPointSet(content)) {
      this.points = content;
      this.dataSet = asDataSet(content);
      this.bounds = pointBounds(content);
    } else {
      this.dataSet = content;
      this.bounds = gridBounds(content.grid);
    }
    this.#gpu = gpu;
  }

  /** The same data on another device that replaces a lost one. Statistics are kept. */
  on(gpu: GpuContext | undefined): LoadedData {
    const moved = new LoadedData(
      this.lattice ?? this.points ?? this.dataSet,
      gpu,
      this.hasValues ? undefined : this.#statistics,
    );
    for (const [name, known] of this.#statistics) moved.#statistics.set(name, known);
    return moved;
  }

  /** Of a field of the data set, once `prepare` has taken them. */
  statistics({ name }: Field): Statistics {
    const known = this.#statistics.get(name);
    if (!known) throw new Error(`The statistics of ${name} have not been computed yet.`);
    return known;
  }

  /** Statistics of a lattice's field, as it is now. */
  know(name: string, statistics: Statistics): void {
    this.#statistics.set(name, this.lattice?.withRange(name, statistics) ?? statistics);
  }

  /** A loaded field where its values are. */
  value(field: Field): FieldValue {
    return this.lattice?.value(field.name) ?? { kind: "host", field };
  }

  /** Computes the statistics of all fields, so that the summaries are available. Throws Cancelled. */
  async prepare(job: JobContext): Promise<void> {
    const { fields } = this.dataSet;
    for (const [i, field] of fields.entries()) {
      if (this.#statistics.has(field.name)) continue;
      const taken = await statisticsOf(field.data, field.components, (share) => {
        checkCancelled(job, `Opening ${this.dataSet.name}`);
        job.progress((i + share) / fields.length, `Taking statistics of ${field.name}`);
      });
      this.#statistics.set(field.name, taken);
    }
  }

  /** Whether a field is on the GPU, or being uploaded. */
  hasSent(name: string): boolean {
    return this.#fields.has(name) || this.lattice?.value(name)?.kind === "gpu";
  }

  hasTables(centering: Centering): boolean {
    return this.#tables.has(centering);
  }

  gpuField(gpu: GpuContext, field: Field, job: JobContext): Promise<GpuField> {
    const lives = this.lattice?.value(field.name);
    if (lives?.kind === "gpu") return Promise.resolve(lives.field);
    return once(this.#fields, field.name, () => uploadField(gpu, this.dataSet.grid, field, job));
  }

  /** A field that `fitsCompact`, in its stored type. */
  compactField(gpu: GpuContext, field: Field, job: JobContext): Promise<CompactField> {
    return once(this.#compact, field.name, () => uploadCompact(gpu, this.dataSet.grid, field, job));
  }

  tables(gpu: GpuContext, centering: Centering): GridTables {
    let tables = this.#tables.get(centering);
    if (!tables) {
      tables = createGridTables(gpu, this.dataSet.grid, centering);
      this.#tables.set(centering, tables);
    }
    return tables;
  }

  async release(): Promise<void> {
    this.lattice?.dispose();
    if (this.#gpu?.isLost) return;
    for (const tables of this.#tables.values()) tables.buffer.release();
    this.#tables.clear();
    const fields = await Promise.allSettled([...this.#fields.values(), ...this.#compact.values()]);
    for (const field of fields) if (field.status === "fulfilled") field.value.buffer.release();
    this.#fields.clear();
    this.#compact.clear();
  }

  /** Undefined for points. */
  gridSummary(): GridSummary | undefined {
    if (this.points) return undefined;
    const { grid } = this.dataSet;
    return {
      kind: grid.kind,
      dims: grid.dims,
      bounds: this.bounds,
      spacing: grid.kind === "uniform" ? grid.spacing : undefined,
    };
  }

  /** Undefined for a grid. */
  pointsSummary(): PointsSummary | undefined {
    const { points, bounds } = this;
    return points && { count: points.positions.length / 3, dimensions: points.dimensions, bounds };
  }

  fieldSummary(field: Field): FieldSummary {
    const { name, components, centering, dtype } = field;
    const note = this.hasValues ? precisionNote(field) : undefined;
    return {
      name,
      components,
      centering,
      dtype,
      statistics: this.statistics(field),
      ...(note ? { precisionNote: note } : {}),
    };
  }
}

/** A map's entry for a name, made if it is missing; a failed entry is removed. */
function once<T>(known: Map<string, Promise<T>>, name: string, make: () => Promise<T>): Promise<T> {
  let made = known.get(name);
  if (!made) {
    made = make();
    known.set(name, made);
    made.catch(() => known.delete(name));
  }
  return made;
}
