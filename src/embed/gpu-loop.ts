import type { Grid } from "../core/grid.ts";
import type { JobContext } from "../core/job.ts";
import { zeroCost } from "../core/run-cost.ts";
import type { GpuContext } from "../gpu/device/context.ts";
import type { GpuField } from "../gpu/fields/gpu-field.ts";
import { chooseStrategy, type ResidentChoice } from "../lang/expression/execute/gpu/choose-strategy.ts";
import type { Derived, FieldShape, Surface } from "./api.ts";
import { BoundKernels } from "./bound-kernels.ts";
import { GpuSurface } from "./gpu-surface.ts";
import type { Intake } from "./intake.ts";
import type { Program } from "./program.ts";
import type { Inputs } from "./read-fields.ts";
import { requestOf, type Settings } from "./read-options.ts";
import { gpuReport, quantityRecords } from "./reports.ts";
import { ResidentInputs } from "./resident.ts";

/** How outputs on the device become what the caller gets. */
export type Outtake<Field> = (
  names: readonly string[],
  fields: ReadonlyMap<string, GpuField>,
) => Promise<Readonly<Record<string, Field>>>;

interface Parts {
  readonly gpu: GpuContext;
  readonly grid: Grid;
  readonly program: Program;
  readonly settings: Settings;
  readonly shapes: ReadonlyMap<string, FieldShape>;
  readonly intake: Intake;
}

/** A program whose fields, kernels and outputs stay on the device from step to step. */
export class GpuLoop {
  readonly #parts: Parts;
  readonly #choice: ResidentChoice;
  readonly #inputs: ResidentInputs;
  readonly #kernels: BoundKernels;
  readonly #surface: GpuSurface | undefined;
  /** Whether a step has sent the tables of coordinates. */
  #hasTables = false;

  private constructor(parts: Parts, inputs: ResidentInputs, choice: ResidentChoice) {
    const { gpu, program, settings } = parts;
    this.#parts = parts;
    this.#choice = choice;
    this.#inputs = inputs;
    this.#kernels = new BoundKernels(gpu, program, inputs, choice, settings.memory);
    this.#surface = settings.surface && new GpuSurface(gpu, this.#inputs, settings.surface);
  }

  /** Throws TooLarge before anything is allocated. */
  static async create(parts: Parts): Promise<GpuLoop> {
    const { gpu, grid, program, settings, shapes, intake } = parts;
    const { network, computed } = program;
    const inputs = new ResidentInputs(gpu, grid, intake.fields, shapes);
    const locations = { device: inputs, isRepeated: true };
    const choice = await chooseStrategy(gpu, network, computed, requestOf(settings), locations);
    if (choice.isMeasured) {
      const text = "The expression reduces fields: each step waits for what they come down to.";
      settings.onEvent({ kind: "note", text });
    }
    return new GpuLoop(parts, inputs, choice);
  }

  async run<Field>(given: Inputs, job: JobContext, take: Outtake<Field>): Promise<Derived<Field>> {
    const { gpu, program, intake } = this.#parts;
    const { network, outputs } = program;
    const start = performance.now();
    const sent = await intake.accept(given, job);
    this.#surface?.invalidate();
    const sources = [...intake.fields.values()].map(({ buffer }) => buffer);
    const bound = await this.#kernels.on(sources, job);
    await bound.compute();
    const fields = await take(outputs, bound.fields);
    const ms = performance.now() - start;
    const tables = this.#hasTables ? zeroCost : this.#choice.cost;
    this.#hasTables = true;
    const returned = intake.kind === "host" ? outputs.filter((name) => bound.fields.has(name)) : [];
    const cost = {
      uploads: sent.length + tables.uploads,
      uploadedBytes: sent.reduce((sum, bytes) => sum + bytes, tables.uploadedBytes),
      downloads: returned.length,
      downloadedBytes: returned.reduce((sum, name) => sum + (bound.fields.get(name)?.buffer.size ?? 0), 0),
      kernels: bound.kernels,
      peakBytes: this.#kernels.peakBytes,
    };
    const report = gpuReport(gpu, this.#choice.strategy, this.#choice.reason(cost), cost, ms);
    return { fields, ...quantityRecords(outputs, bound.quantities), report, notes: network.notes };
  }

  /** Of a loop that was given a surface, after a run. */
  isosurface(isovalue: number): Promise<Surface> {
    return (this.#surface as GpuSurface).cut(this.#kernels.latest.fields, isovalue);
  }

  release(): void {
    this.#surface?.release();
    this.#kernels.release();
    this.#inputs.release();
    this.#parts.intake.release();
  }
}
