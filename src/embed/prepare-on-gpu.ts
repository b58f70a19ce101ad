import type { Grid } from "../core/grid.ts";
import { checkCancelled, type JobContext } from "../core/job.ts";
import type { GpuContext } from "../gpu/device/context.ts";
import { downloadField } from "../gpu/fields/download.ts";
import type { GpuField } from "../gpu/fields/gpu-field.ts";
import type { Network } from "../lang/expression/network/network.ts";
import { evaluateOnGpu, prepareOnGpu } from "../lang/expression/strategies/fusion/evaluate.ts";
import type { Strategy } from "../lang/expression/strategies/strategy.ts";
import type { BufferField, Derived, FieldShape, HostField, StrategyName, Surface } from "./api.ts";
import { bufferFields } from "./buffer-fields.ts";
import { residentReason } from "./derive.ts";
import { GpuSurface } from "./gpu-surface.ts";
import { BufferIntake, HostIntake, type Intake } from "./intake.ts";
import { compileProgram, type Program } from "./program.ts";
import { type BufferInput, type HostInput, hostField, type Inputs } from "./read-fields.ts";
import type { Settings } from "./read-options.ts";
import { gpuReport, hostFields } from "./reports.ts";
import { planResident, type ResidentCost, ResidentInputs, residentStrategy } from "./resident.ts";
import type { Stepper } from "./steps.ts";

/** Steps from arrays to arrays through buffers that stay. */
export async function prepareHostOnGpu(
  gpu: GpuContext,
  expression: unknown,
  grid: Grid,
  inputs: readonly HostInput[],
  settings: Settings,
): Promise<Stepper<HostField>> {
  const first = inputs.map((input) => hostField(grid, input));
  const program = compileProgram(expression, first, settings);
  const loop = await GpuLoop.create(
    gpu,
    grid,
    program,
    first,
    settings,
    new HostIntake(gpu, grid, first, usedFields(program.network)),
  );
  return stepper(loop, async (names, fields) => {
    const found = await Promise.all(
      names.map(async (name) => [name, await downloadField(gpu, fields.get(name) as GpuField)] as const),
    );
    return hostFields(names, new Map(found));
  });
}

/** Steps from buffers to buffers, on the device that they are of. */
export async function prepareOnDevice(
  gpu: GpuContext,
  expression: unknown,
  grid: Grid,
  inputs: readonly BufferInput[],
  settings: Settings,
): Promise<Stepper<BufferField>> {
  const first = await bufferFields(gpu, grid, inputs);
  const program = compileProgram(expression, first, settings);
  const loop = await GpuLoop.create(gpu, grid, program, first, settings, new BufferIntake(gpu, grid, first));
  return stepper(loop, async (names, fields) =>
    Object.fromEntries(
      names.map((name) => {
        const { buffer, components, centering } = fields.get(name) as GpuField;
        return [name, { buffer: buffer.buffer, components, centering }];
      }),
    ),
  );
}

type Outtake<Field> = (
  names: readonly string[],
  fields: ReadonlyMap<string, GpuField>,
) => Promise<Readonly<Record<string, Field>>>;

function stepper<Field>(loop: GpuLoop, take: Outtake<Field>): Stepper<Field> {
  return {
    kind: loop.intake.kind,
    shapes: loop.shapes,
    run: (given, job) => loop.run(given, job, take),
    isosurface: (isovalue) => loop.isosurface(isovalue),
    release: () => loop.release(),
  };
}

/** Kernels bound to the buffers of some fields, with the outputs that they write. */
interface Bound {
  readonly sources: readonly GPUBuffer[];
  readonly offsets: readonly number[];
  readonly fields: ReadonlyMap<string, GpuField>;
  readonly kernels: number;
  compute(): Promise<void>;
  release(): void;
}

/** Fields that alternate between two buffers are bound twice; more come and go. */
const mostBound = 2;

class GpuLoop {
  readonly intake: Intake;
  readonly shapes: ReadonlyMap<string, FieldShape>;
  readonly #gpu: GpuContext;
  readonly #program: Program;
  readonly #settings: Settings;
  readonly #strategy: Strategy & { readonly name: StrategyName };
  readonly #cost: ResidentCost;
  readonly #inputs: ResidentInputs;
  readonly #surface: GpuSurface | undefined;
  #tablesAreDue = true;
  /** The one in use is last. */
  #bound: Bound[] = [];

  private constructor(
    gpu: GpuContext,
    grid: Grid,
    program: Program,
    shapes: ReadonlyMap<string, FieldShape>,
    settings: Settings,
    strategy: Strategy & { readonly name: StrategyName },
    cost: ResidentCost,
    intake: Intake,
  ) {
    this.intake = intake;
    this.shapes = shapes;
    this.#gpu = gpu;
    this.#program = program;
    this.#settings = settings;
    this.#strategy = strategy;
    this.#cost = cost;
    this.#inputs = new ResidentInputs(gpu, grid, intake.fields);
    this.#surface = settings.surface && new GpuSurface(gpu, this.#inputs, settings.surface);
  }

  /** Throws TooLarge before anything is allocated. */
  static async create(
    gpu: GpuContext,
    grid: Grid,
    program: Program,
    first: readonly (FieldShape & { readonly name: string })[],
    settings: Settings,
    intake: Intake,
  ): Promise<GpuLoop> {
    const shapes = new Map(first.map((field) => [field.name, field]));
    const strategy = residentStrategy(settings.strategy);
    const cost = await planResident(gpu, program, grid, shapes, strategy, settings.memory, true);
    if (cost.isMeasured) {
      const text =
        "The expression reduces fields to numbers: each step waits for them, and compiles what uses them.";
      settings.onEvent({ kind: "note", text });
    }
    return new GpuLoop(gpu, grid, program, shapes, settings, strategy, cost, intake);
  }

  async run<Field>(given: Inputs, job: JobContext, take: Outtake<Field>): Promise<Derived<Field>> {
    checkCancelled(job, "Computing the expression");
    const { network, outputs } = this.#program;
    const start = performance.now();
    const sent = await this.intake.accept(given, job);
    this.#surface?.invalidate();
    const bound = await this.#bind(job);
    await bound.compute();
    const fields = await take(outputs, bound.fields);
    const ms = performance.now() - start;
    const { tables, tableBytes, peakBytes } = this.#cost;
    const isFirst = this.#tablesAreDue;
    this.#tablesAreDue = false;
    const returned = this.intake.kind === "host" ? outputs : [];
    const n = this.#bound.length;
    const moved = {
      uploads: sent.length + (isFirst ? tables : 0),
      uploadedBytes: sent.reduce((sum, bytes) => sum + bytes, isFirst ? tableBytes : 0),
      downloads: returned.length,
      downloadedBytes: returned.reduce(
        (sum, name) => sum + (bound.fields.get(name) as GpuField).buffer.size,
        0,
      ),
      kernels: bound.kernels,
      peakBytes: n * peakBytes - (n - 1) * tableBytes,
    };
    const report = gpuReport(this.#gpu, this.#strategy.name, residentReason(this.#settings), moved, ms);
    return { fields, report, notes: network.notes };
  }

  isosurface(isovalue: number): Promise<Surface> {
    const bound = this.#bound.at(-1) as Bound;
    return (this.#surface as GpuSurface).cut(bound.fields, isovalue);
  }

  release(): void {
    this.#surface?.release();
    for (const bound of this.#bound) bound.release();
    this.#bound = [];
    this.#inputs.release();
    this.intake.release();
  }

  /** The kernels bound to the fields as they are now. */
  async #bind(job: JobContext): Promise<Bound> {
    const buffers = [...this.intake.fields.values()].map(({ buffer }) => buffer);
    const sources = buffers.map(({ buffer }) => buffer);
    const offsets = buffers.map(({ offset = 0 }) => offset);
    if (this.#cost.isMeasured) {
      for (const bound of this.#bound.splice(0)) bound.release();
      this.#bound.push(await this.#evaluated(sources, offsets, job));
    } else {
      const known = this.#bound.findIndex(
        (bound) =>
          bound.sources.every((source, k) => source === sources[k]) &&
          bound.offsets.every((offset, k) => offset === offsets[k]),
      );
      if (known >= 0) this.#bound.push(...this.#bound.splice(known, 1));
      else {
        const { peakBytes } = this.#cost;
        while (this.#bound.length > 0 && !this.#fits(this.#bound.length + 1, peakBytes))
          this.#bound.shift()?.release();
        this.#bound.push(await this.#prepared(sources, offsets, job));
      }
    }
    return this.#bound.at(-1) as Bound;
  }

  #fits(count: number, bytes: number): boolean {
    return count <= mostBound && count * bytes <= this.#settings.memory;
  }

  async #prepared(
    sources: readonly GPUBuffer[],
    offsets: readonly number[],
    job: JobContext,
  ): Promise<Bound> {
    const gpu = this.#gpu;
    const { network, computed } = this.#program;
    const evaluation = await prepareOnGpu(gpu, network, this.#inputs, computed, {
      job,
      strategy: this.#strategy,
    });
    const label = computed.join(", ");
    return {
      sources,
      offsets,
      fields: evaluation.fields,
      kernels: evaluation.kernels.length,
      compute: () =>
        gpu.checked(`Computing ${label}`, () => {
          const encoder = gpu.device.createCommandEncoder({ label });
          const pass = encoder.beginComputePass({ label });
          evaluation.record(pass);
          pass.end();
          gpu.device.queue.submit([encoder.finish()]);
        }),
      release: () => evaluation.release(),
    };
  }

  /** Where kernels depend on values: compiled and run at once. */
  async #evaluated(
    sources: readonly GPUBuffer[],
    offsets: readonly number[],
    job: JobContext,
  ): Promise<Bound> {
    const { network, computed } = this.#program;
    const strategy = this.#strategy;
    const { fields } = await evaluateOnGpu(this.#gpu, network, this.#inputs, computed, job, { strategy });
    return {
      sources,
      offsets,
      fields,
      kernels: this.#cost.kernels,
      compute: async () => {},
      release: () => {
        for (const { buffer } of fields.values()) buffer.release();
      },
    };
  }
}

const usedFields = ({ nodes }: Network): Set<string> =>
  new Set(nodes.flatMap((node) => (node.kind === "source" ? [node.field] : [])));
