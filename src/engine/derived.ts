import type { Field } from "../core/field.ts";
import type { Grid } from "../core/grid.ts";
import type { JobContext } from "../core/job.ts";
import type { Statistics } from "../core/statistics.ts";
import type { GpuContext } from "../gpu/device/context.ts";
import type { GpuField } from "../gpu/fields/gpu-field.ts";
import { uploadField } from "../gpu/fields/upload.ts";
import type { FieldSignature } from "../lang/expression/network/network.ts";
import type { DerivedSummary, RunRequest } from "./api.ts";

/** Where a computed field lives: on the GPU, or in host memory where there is none. */
export type FieldValue =
  | { readonly kind: "gpu"; readonly field: GpuField }
  | { readonly kind: "host"; readonly field: Field };

export function releaseValue(value: FieldValue): void {
  if (value.kind === "gpu") value.field.buffer.release();
}

/** A text that was computed; `serial` orders the texts of a session. */
export interface Program {
  readonly serial: number;
  readonly text: string;
  readonly request: RunRequest;
}

export interface DerivedField {
  readonly name: string;
  /** The texts that compute it again, its own last: those of the results it read come before. */
  readonly recipe: readonly Program[];
  /** Its own statement's value, as written. */
  readonly expression: string;
  readonly value: FieldValue;
  readonly statistics: Statistics;
  readonly ms: number;
}

/** The results people have computed, in order; a name computed again replaces its former value. */
export class DerivedFields {
  readonly #fields = new Map<string, DerivedField>();
  /** On the GPU, of fields that were computed to host memory. */
  readonly #copies = new Map<string, Promise<GpuField>>();
  #serial = 0;

  get(name: string): DerivedField | undefined {
    return this.#fields.get(name);
  }

  all(): DerivedField[] {
    return [...this.#fields.values()];
  }

  /** What a text needs so that it can run again: the recipes of the results it reads, then itself. */
  recipeFor(text: string, request: RunRequest, reads: Iterable<string>): readonly Program[] {
    const programs = new Map<number, Program>();
    for (const name of reads)
      for (const program of this.get(name)?.recipe ?? []) programs.set(program.serial, program);
    const own = { serial: ++this.#serial, text, request };
    return [...[...programs.values()].sort((a, b) => a.serial - b.serial), own];
  }

  /** All recipes together, each text once, in the order they ran. */
  programs(): readonly Program[] {
    const programs = new Map(this.all().flatMap(({ recipe }) => recipe.map((p) => [p.serial, p] as const)));
    return [...programs.values()].sort((a, b) => a.serial - b.serial);
  }

  signatures(): FieldSignature[] {
    return this.all().map(({ name, value: { field } }) => ({
      name,
      components: field.components,
      centering: field.centering,
    }));
  }

  isOnGpu(name: string): boolean {
    return this.#fields.get(name)?.value.kind === "gpu" || this.#copies.has(name);
  }

  /** The field of that name, which there is, on the GPU: sent when first asked for. Throws as `uploadField`. */
  gpuField(gpu: GpuContext, grid: Grid, name: string, job: JobContext): Promise<GpuField> {
    const { value } = this.#fields.get(name) as DerivedField;
    if (value.kind === "gpu") return Promise.resolve(value.field);
    let copy = this.#copies.get(name);
    if (!copy) {
      const sent = uploadField(gpu, grid, { ...value.field, name }, job);
      copy = sent;
      this.#copies.set(name, sent);
      sent.catch(() => this.#copies.get(name) === sent && this.#copies.delete(name));
    }
    return copy;
  }

  set(field: DerivedField): void {
    this.remove(field.name);
    this.#fields.set(field.name, field);
  }

  remove(name: string): boolean {
    const field = this.#fields.get(name);
    if (!field) return false;
    this.#fields.delete(name);
    releaseValue(field.value);
    this.#copies.get(name)?.then(
      ({ buffer }) => buffer.release(),
      () => {},
    );
    this.#copies.delete(name);
    return true;
  }

  /** Lets go of every field without freeing it: its device is gone. */
  forget(): void {
    this.#fields.clear();
    this.#copies.clear();
  }

  clear(): void {
    for (const name of [...this.#fields.keys()]) this.remove(name);
  }
}

function derivedBytes({ value: { field } }: DerivedField): number {
  return "buffer" in field ? field.buffer.size : field.data.byteLength;
}

export function derivedSummary(derived: DerivedField): DerivedSummary {
  const { name, expression, statistics, ms, value } = derived;
  const { components, centering } = value.field;
  return {
    name,
    expression,
    statistics,
    ms,
    components,
    centering,
    dtype: "f32",
    bytes: derivedBytes(derived),
  };
}
