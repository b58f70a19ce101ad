import type { JobContext } from "../core/job.ts";
import type { Quantity } from "../core/quantity.ts";
import { submitPass } from "../gpu/compute/dispatch.ts";
import type { GpuContext } from "../gpu/device/context.ts";
import type { PooledBuffer } from "../gpu/device/pool.ts";
import type { GpuField } from "../gpu/fields/gpu-field.ts";
import type { ResidentChoice } from "../lang/expression/execute/gpu/choose-strategy.ts";
import { evaluateOnGpu, prepareOnGpu } from "../lang/expression/execute/gpu/evaluate.ts";
import type { Program } from "./program.ts";
import type { ResidentInputs } from "./resident.ts";

/** Kernels bound to the buffers of some fields, with the outputs that they write. */
export interface Bound {
  readonly fields: ReadonlyMap<string, GpuField>;
  readonly quantities: ReadonlyMap<string, Quantity>;
  readonly kernels: number;
  compute(): Promise<void>;
  release(): void;
}

interface Binding extends Bound {
  readonly sources: readonly PooledBuffer[];
}

/** Fields that alternate between two buffers are bound twice; more come and go. */
const maxBound = 2;

/** A program's kernels on the fields of a loop, as they change their buffers. */
export class BoundKernels {
  readonly #gpu: GpuContext;
  readonly #program: Program;
  readonly #inputs: ResidentInputs;
  readonly #choice: ResidentChoice;
  readonly #memory: number;
  /** The one in use is last. */
  #bound: Binding[] = [];

  constructor(
    gpu: GpuContext,
    program: Program,
    inputs: ResidentInputs,
    choice: ResidentChoice,
    memory: number,
  ) {
    this.#gpu = gpu;
    this.#program = program;
    this.#inputs = inputs;
    this.#choice = choice;
    this.#memory = memory;
  }

  get latest(): Bound {
    return this.#bound[this.#bound.length - 1];
  }

  /** The most bytes held at once, the fields' included. */
  get peakBytes(): number {
    const { peakBytes, uploadedBytes: tableBytes } = this.#choice.cost;
    const n = this.#bound.length;
    return n * peakBytes - (n - 1) * tableBytes;
  }

  /** The kernels bound to these buffers: compiled and allocated only where they are new. */
  async on(sources: readonly PooledBuffer[], job: JobContext): Promise<Bound> {
    if (this.#choice.isMeasured) {
      this.release();
      this.#bound.push({ sources, ...(await this.#evaluated(job)) });
      return this.latest;
    }
    const known = this.#bound.findIndex((bound) =>
      bound.sources.every(
        ({ buffer, offset }, k) => buffer === sources[k].buffer && offset === sources[k].offset,
      ),
    );
    if (known >= 0) this.#bound.push(...this.#bound.splice(known, 1));
    else {
      while (this.#bound.length > 0 && !this.#fits(this.#bound.length + 1)) this.#bound.shift()?.release();
      this.#bound.push({ sources, ...(await this.#prepared(job)) });
    }
    return this.latest;
  }

  release(): void {
    for (const bound of this.#bound.splice(0)) bound.release();
  }

  #fits(count: number): boolean {
    return count <= maxBound && count * this.#choice.cost.peakBytes <= this.#memory;
  }

  async #prepared(job: JobContext): Promise<Bound> {
    const gpu = this.#gpu;
    const { network, computed } = this.#program;
    const options = { job, strategy: this.#choice.strategy };
    const evaluation = await prepareOnGpu(gpu, network, this.#inputs, computed, options);
    const label = computed.join(", ");
    return {
      fields: evaluation.fields,
      quantities: evaluation.quantities,
      kernels: evaluation.kernels,
      compute: () =>
        gpu.checked(`Computing ${label}`, () => submitPass(gpu, label, (pass) => evaluation.record(pass))),
      release: () => evaluation.release(),
    };
  }

  /** Where kernels depend on values: compiled and run at once. */
  async #evaluated(job: JobContext): Promise<Bound> {
    const { network, computed } = this.#program;
    const evaluation = await evaluateOnGpu(this.#gpu, network, this.#inputs, computed, job, this.#choice);
    const { fields, quantities } = evaluation;
    return {
      fields,
      quantities,
      kernels: this.#choice.cost.kernels,
      compute: async () => {},
      release: () => {
        for (const { buffer } of fields.values()) buffer.release();
      },
    };
  }
}
