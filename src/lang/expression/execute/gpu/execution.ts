import type { Field } from "../../../../core/field.ts";
import { checkCancelled, type JobContext } from "../../../../core/job.ts";
import { submitPass } from "../../../../gpu/compute/dispatch.ts";
import type { BufferScope } from "../../../../gpu/device/pool.ts";
import type { PassTimer } from "../../../../gpu/device/timing.ts";
import type { GpuField } from "../../../../gpu/fields/gpu-field.ts";
import type { KernelStep, ValueArray } from "../../plan/steps.ts";
import type { KernelReport } from "../report.ts";
import { DeviceArrays, type ExecutionContext } from "./device-arrays.ts";
import { type BindKernel, compileKernel, type RecordKernel } from "./dispatch.ts";
import { HostPlanes } from "./host-planes.ts";

/** Steps that are submitted together: nothing moves between them. */
interface Batch {
  readonly label: string;
  readonly first: number;
  readonly steps: readonly KernelStep[];
}

/**
 * A planned part with its kernels compiled, on the arrays of one run: it sends, computes, fetches and frees what the steps
 * say, and enters it in the ledger. What it allocates is freed by `dispose`, or handed over by `takeGpuFields`.
 */
export class Execution {
  readonly #context: ExecutionContext;
  readonly #kernels: readonly BindKernel[];
  readonly #planes: HostPlanes;
  readonly #arrays: DeviceArrays;

  private constructor(context: ExecutionContext, kernels: readonly BindKernel[]) {
    const { network, steps, outputs } = context.plan;
    this.#context = context;
    this.#kernels = kernels;
    this.#planes = new HostPlanes(network, steps, outputs);
    this.#arrays = new DeviceArrays(context, this.#planes);
  }

  /** Allocates nothing. Throws ShaderError, Cancelled. */
  static async compile(context: ExecutionContext, job: JobContext): Promise<Execution> {
    const { gpu, plan, inputs } = context;
    job.progress(0, "Compiling the expression");
    const compiled = plan.steps.map(({ kernel }) => compileKernel(gpu, kernel, inputs.grid));
    const kernels = await Promise.all(compiled);
    checkCancelled(job, "Computing the expression");
    return new Execution(context, kernels);
  }

  /**
   * Runs every step. Waits for the GPU where values return to the host, and at the end where a timer is given. Throws
   * TooLarge, OutOfMemory, ShaderError, Cancelled.
   */
  async run(job: JobContext, timer?: PassTimer): Promise<readonly KernelReport[]> {
    const { steps } = this.#context.plan;
    for (const batch of this.#batches()) {
      checkCancelled(job, "Computing the expression");
      job.progress(batch.first / steps.length, "Computing on the GPU");
      for (const array of batch.steps.flatMap(({ sent }) => sent)) await this.#arrays.send(array);
      await this.#submit(batch, timer);
    }
    const times = timer ? await timer.read() : [];
    return steps.map(
      ({ kernel: { label, code }, written }, k): KernelReport => ({
        label,
        wgsl: code,
        written: written.map((array) => ({ node: array.node, bytes: this.#arrays.bytesOf(array) })),
        ...(times[k] === undefined ? {} : { ms: times[k] }),
      }),
    );
  }

  /** Allocates and binds everything, to be recorded again and again. Throws TooLarge, OutOfMemory, ShaderError. */
  prepare(scope: BufferScope): Promise<readonly RecordKernel[]> {
    return this.#context.gpu.checked(`Preparing ${this.#label}`, () =>
      this.#context.plan.steps.map((_, k) => this.#bind(k, scope)),
    );
  }

  /** The outputs on the device, by name. */
  gpuFields(): ReadonlyMap<string, GpuField> {
    return new Map(
      [...this.#outputArrays()].map(([name, array]) => [name, this.#arrays.gpuField(name, array)]),
    );
  }

  /** The same, which are the caller's from now on; everything else is freed. */
  takeGpuFields(): ReadonlyMap<string, GpuField> {
    const fields = this.gpuFields();
    this.#arrays.disposeAllBut([...this.#outputArrays().values()]);
    return fields;
  }

  /** The outputs that came back. */
  hostFields(): ReadonlyMap<string, Field> {
    return new Map(
      this.#context.plan.outputs.map(({ name, node }) => [name, this.#arrays.hostField(name, node)]),
    );
  }

  dispose(): void {
    this.#arrays.dispose();
  }

  get #label(): string {
    return this.#context.plan.outputs.map(({ name }) => name).join(", ");
  }

  /** All steps together where nothing moves; else one by one. */
  #batches(): Batch[] {
    const { steps } = this.#context.plan;
    if (steps.every(({ sent, returned }) => sent.length + returned.length === 0)) {
      return [{ label: this.#label, first: 0, steps }];
    }
    return steps.map((step, first) => ({ label: step.kernel.label, first, steps: [step] }));
  }

  async #submit({ label, first, steps }: Batch, timer?: PassTimer): Promise<void> {
    const { gpu, ledger } = this.#context;
    const uniforms = gpu.scope();
    try {
      await gpu.checked(`Computing ${label}`, () => {
        for (const [k, { kernel, returned, dead }] of steps.entries()) {
          submitPass(gpu, kernel.label, this.#bind(first + k, uniforms), timer?.next());
          ledger.dispatch();
          if (returned.length === 0) for (const array of dead) this.#arrays.release(array);
        }
      });
      for (const [k, { returned, dead }] of steps.entries()) {
        for (const array of returned) await this.#arrays.fetch(array);
        if (returned.length > 0) for (const array of dead) this.#arrays.release(array);
        this.#planes.settle(first + k);
      }
    } finally {
      uniforms.release();
    }
  }

  /** Allocates what a kernel writes, and binds it. */
  #bind(k: number, uniforms: BufferScope): RecordKernel {
    const { arrays, written } = this.#context.plan.steps[k];
    for (const array of written) this.#arrays.allocate(array);
    return this.#kernels[k](
      arrays.map((array) => this.#arrays.bufferOf(array)),
      uniforms,
    );
  }

  #outputArrays(): Map<string, ValueArray> {
    const written = this.#context.plan.steps.flatMap((step) => step.written);
    return new Map(written.flatMap((array) => (array.output === undefined ? [] : [[array.output, array]])));
  }
}
