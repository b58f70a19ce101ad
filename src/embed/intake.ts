import type { Field } from "../core/field.ts";
import type { Grid } from "../core/grid.ts";
import type { JobContext } from "../core/job.ts";
import type { GpuContext } from "../gpu/device/context.ts";
import type { GpuField } from "../gpu/fields/gpu-field.ts";
import { uploadField, writeField } from "../gpu/fields/upload.ts";
import { bufferFields } from "./buffer-fields.ts";
import { hostFieldsOf, type Inputs } from "./read-fields.ts";

/** How the fields of steps come to the device. */
export interface Intake {
  readonly kind: Inputs["kind"];
  /** On the device now, by name: what the last `accept` left there. */
  readonly fields: ReadonlyMap<string, GpuField>;
  /** Takes a step's values, and gives the bytes of each array that was sent. Throws BadArgument, OutOfMemory, Cancelled. */
  accept(given: Inputs, job: JobContext): Promise<readonly number[]>;
  release(): void;
}

/** Arrays of the host: each has one buffer, which is made when the first values are sent and overwritten from then on. */
export class HostIntake implements Intake {
  readonly kind = "host";
  readonly fields = new Map<string, GpuField>();
  readonly #gpu: GpuContext;
  readonly #grid: Grid;
  readonly #used: ReadonlySet<string>;
  /** Values that no step has sent yet. */
  readonly #pending: Map<string, Field>;

  /** `first` are the values of fields that the first step leaves out; only those `used` are ever sent. */
  constructor(gpu: GpuContext, grid: Grid, first: readonly Field[], used: ReadonlySet<string>) {
    this.#gpu = gpu;
    this.#grid = grid;
    this.#used = used;
    this.#pending = new Map(first.map((field) => [field.name, field]));
  }

  async accept(given: Inputs, job: JobContext): Promise<readonly number[]> {
    for (const field of hostFieldsOf(this.#grid, given)) this.#pending.set(field.name, field);
    const sent: number[] = [];
    for (const field of this.#pending.values()) {
      if (!this.#used.has(field.name)) continue;
      let target = this.fields.get(field.name);
      if (target) await writeField(this.#gpu, target, field.data, job);
      else target = await uploadField(this.#gpu, this.#grid, field, job);
      this.fields.set(field.name, target);
      sent.push(target.buffer.size);
    }
    this.#pending.clear();
    return sent;
  }

  release(): void {
    for (const { buffer } of this.fields.values()) buffer.release();
    this.fields.clear();
  }
}

/** The caller's own buffers: nothing is sent. */
export class BufferIntake implements Intake {
  readonly kind = "buffer";
  readonly fields: Map<string, GpuField>;
  readonly #gpu: GpuContext;
  readonly #grid: Grid;

  constructor(gpu: GpuContext, grid: Grid, first: readonly GpuField[]) {
    this.#gpu = gpu;
    this.#grid = grid;
    this.fields = new Map(first.map((field) => [field.name, field]));
  }

  async accept(given: Inputs): Promise<readonly number[]> {
    if (given.kind !== "buffer") return [];
    const changed = given.fields.filter(({ name, buffer, offset }) => {
      const known = this.fields.get(name)?.buffer;
      return known?.buffer !== buffer || known.offset !== offset;
    });
    const fields = changed.length > 0 ? await bufferFields(this.#gpu, this.#grid, changed) : [];
    for (const field of fields) this.fields.set(field.name, field);
    return [];
  }

  release(): void {
    this.fields.clear();
  }
}
