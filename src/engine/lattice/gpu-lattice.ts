import type { Field } from "../../core/field.ts";
import { valueCount } from "../../core/grid.ts";
import { componentNames } from "../../core/lattice/model.ts";
import type { SimulationState, Stroke } from "../../core/lattice/simulation.ts";
import { Recorder } from "../../gpu/compute/recorder.ts";
import type { GpuContext } from "../../gpu/device/context.ts";
import type { BufferScope } from "../../gpu/device/pool.ts";
import { downloadField } from "../../gpu/fields/download.ts";
import type { GpuField } from "../../gpu/fields/gpu-field.ts";
import { type GatherPlane, planeGather } from "../../gpu/lattice/plane-gather.ts";
import type { ShownFields } from "../../gpu/lattice/shown-fields.ts";
import { createGpuSimulation, type GpuSimulation } from "../../gpu/lattice/simulation.ts";
import type { FieldValue } from "../derived.ts";
import type { LatticePlane, Numbers } from "./api.ts";
import type { LatticeDevice, OnSums } from "./device.ts";
import { gridOf, isWhole, sitePlaneOf } from "./plane.ts";
import { ReadRing } from "./read-ring.ts";
import type { LatticeSettings } from "./settings.ts";

interface Parts {
  readonly gpu: GpuContext;
  readonly settings: LatticeSettings;
  readonly simulation: GpuSimulation;
  readonly shown: ShownFields;
  /** Undefined where the planes that are shown are the fields themselves. */
  readonly gather: GatherPlane | undefined;
  readonly fields: ReadonlyMap<string, GpuField>;
  readonly scope: BufferScope;
  readonly ring: ReadRing;
}

/** A lattice on a GPU: sweeps, their sums and what is shown are recorded together, and nothing is allocated for them. */
export class GpuLattice implements LatticeDevice {
  readonly simulation: GpuSimulation;
  readonly #parts: Parts;
  readonly #recorder: Recorder;
  readonly #onSums: OnSums;
  #plane: LatticePlane;
  #draw: ((stroke: Stroke) => void) | undefined;

  /** Throws TooLarge, OutOfMemory, DeviceLost. */
  static async create(
    gpu: GpuContext,
    settings: LatticeSettings,
    onSums: OnSums,
    failed: (error: unknown) => void,
    state?: SimulationState,
  ): Promise<GpuLattice> {
    const { plan, size, seed, start, parameters, plane } = settings;
    const words = [seed % 2 ** 32, Math.floor(seed / 2 ** 32)] as const;
    const simulation = await createGpuSimulation(gpu, plan, { seed: words, start, parameters, state });
    const scope = gpu.scope();
    try {
      const shown = await simulation.show();
      const isDirect =
        isWhole(size, plane) && Object.values(plan.fields).every(({ components }) => components === 1);
      const gather = isDirect ? undefined : await planeGather(gpu);
      const fields = await gpu.checked("A lattice's fields", () =>
        fieldsOf(settings, shown, isDirect, scope),
      );
      const { places, bytesPerPlace } = simulation.sums;
      const ring = await ReadRing.create(gpu, "lattice: sums", places * bytesPerPlace, failed);
      return new GpuLattice({ gpu, settings, simulation, shown, gather, fields, scope, ring }, onSums);
    } catch (error) {
      scope.release();
      simulation.dispose();
      throw error;
    }
  }

  private constructor(parts: Parts, onSums: OnSums) {
    this.#parts = parts;
    this.simulation = parts.simulation;
    this.#recorder = new Recorder(parts.gpu, "lattice: picture");
    this.#onSums = onSums;
    this.#plane = parts.settings.plane;
  }

  get draw() {
    return this.#draw;
  }

  async prepareBrush(): Promise<void> {
    this.#draw ??= await this.simulation.brush();
  }

  advance(sweeps: number, parameters: Numbers): number {
    const { ring, simulation } = this.#parts;
    const { buffer, places, bytesPerPlace } = simulation.sums;
    const begun = Math.min(sweeps, places * ring.free);
    if (begun === 0) return 0;
    const copies: { readonly to: GPUBuffer; readonly count: number }[] = [];
    for (let first = 0; first < begun; first += places) {
      const count = Math.min(places, begun - first);
      const to = ring.take() as GPUBuffer;
      for (let k = 0; k < count; k++) simulation.recordMeasured(this.#recorder, parameters, k);
      this.#recorder.encoder.copyBufferToBuffer(buffer.buffer, 0, to, 0, count * bytesPerPlace);
      copies.push({ to, count });
    }
    this.#recordShown();
    this.#recorder.submit();
    for (const { to, count } of copies) {
      ring.read(to, count * bytesPerPlace, (bytes) => this.#onSums(simulation.sums.totals(bytes, count)));
    }
    return begun;
  }

  measured(): Promise<void> {
    return this.#parts.ring.settled();
  }

  show(plane: LatticePlane): void {
    this.#plane = plane;
    this.#recordShown();
    this.#recorder.submit();
  }

  value(name: string): FieldValue | undefined {
    const field = this.#parts.fields.get(name);
    return field && { kind: "gpu", field };
  }

  read(name: string): Promise<Field> {
    return downloadField(this.#parts.gpu, this.#parts.fields.get(name) as GpuField);
  }

  dispose(): void {
    const { ring, scope } = this.#parts;
    ring.dispose();
    scope.release();
    this.#recorder.dispose();
    this.simulation.dispose();
  }

  #recordShown(): void {
    const { shown, gather, settings, fields } = this.#parts;
    shown.record(this.#recorder);
    if (!gather) return;
    const plane = sitePlaneOf(settings.size, this.#plane);
    for (const [name, { buffer, count }] of fields) {
      for (const [c, component] of componentNames(name, settings.plan.fields[name]).entries())
        gather(this.#recorder, shown.planes[component], plane, buffer, c * count);
    }
  }
}

function fieldsOf(
  { plan, size, plane }: LatticeSettings,
  shown: ShownFields,
  isDirect: boolean,
  scope: BufferScope,
): ReadonlyMap<string, GpuField> {
  const grid = gridOf(size, plane);
  const count = valueCount(grid, "node");
  return new Map(
    Object.entries(plan.fields).map(([name, { components }]) => {
      const buffer = isDirect
        ? shown.planes[name]
        : scope.allocate(
            `lattice: shown ${name}`,
            4 * components * count,
            GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC,
          );
      const offsets = new Array<number>(components).fill(0);
      return [name, { name, centering: "node", components, dims: grid.dims, count, buffer, offsets }];
    }),
  );
}
