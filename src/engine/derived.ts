import type { Field } from "../core/field.ts";
import type { Grid } from "../core/grid.ts";
import type { JobContext } from "../core/job.ts";
import type { Quantity } from "../core/quantity.ts";
import type { Statistics } from "../core/statistics.ts";
import type { GpuContext } from "../gpu/device/context.ts";
import type { GpuField } from "../gpu/fields/gpu-field.ts";
import { uploadField } from "../gpu/fields/upload.ts";
import { type FieldSignature, numberSignature } from "../lang/expression/network/network.ts";
import type { DerivedSummary, QuantitySummary, RunRequest } from "./api.ts";

/** Where a computed field lives: on the GPU, or in host memory where there is none. */
export type FieldValue =
  | { readonly kind: "gpu"; readonly field: GpuField }
  | { readonly kind: "host"; readonly field: Field };

/** A field that the ranks of a room compute for whatever shows it; its values are not here. */
export interface RankedValue {
  readonly kind: "ranks";
  readonly field: Pick<Field, "name" | "components" | "centering">;
  /** How many ranks took its statistics. */
  readonly ranks: number;
}

export function releaseValue(value: FieldValue): void {
  if (value.kind === "gpu") value.field.buffer.release();
}

/** A text that was computed; `serial` orders the texts of a session. */
export interface Program {
  readonly serial: number;
  readonly text: string;
  readonly request: RunRequest;
}

interface Derived {
  readonly name: string;
  /** The texts that recompute it: those of the results that it reads, then its own. */
  readonly recipe: readonly Program[];
  /** The expression of its statement, as written. */
  readonly expression: string;
}

export interface DerivedQuantity extends Derived {
  readonly quantity: Quantity;
}

export interface DerivedField extends Derived {
  readonly value: FieldValue | RankedValue;
  readonly statistics: Statistics;
  readonly ms: number;
}

/** The results that users have computed, in order; a name computed again replaces its previous value. */
export class DerivedResults {
  readonly #fields = new Map<string, DerivedField>();
  readonly #quantities = new Map<string, DerivedQuantity>();
  /** GPU copies of fields that were computed to host memory. */
  readonly #copies = new Map<string, Promise<GpuField>>();
  #serial = 0;

  get(name: string): DerivedField | undefined {
    return this.#fields.get(name);
  }

  all(): DerivedField[] {
    return [...this.#fields.values()];
  }

  /** Both fields and quantities. */
  names(): string[] {
    return [...this.#fields.keys(), ...this.#quantities.keys()];
  }

  /** Both, with their expressions. */
  named(): { readonly name: string; readonly expression: string }[] {
    return [...this.#fields.values(), ...this.#quantities.values()];
  }

  /** The texts needed to run a text again: the recipes of the results it reads, then itself. */
  recipeFor(text: string, request: RunRequest, reads: Iterable<string>): readonly Program[] {
    return [...this.programsOf(reads), { serial: ++this.#serial, text, request }];
  }

  /** The texts that recompute those of these names that are derived, in the order they ran. */
  programsOf(names: Iterable<string>): readonly Program[] {
    const programs = new Map<number, Program>();
    for (const name of names)
      for (const program of this.#result(name)?.recipe ?? []) programs.set(program.serial, program);
    return [...programs.values()].sort((a, b) => a.serial - b.serial);
  }

  /** The recipes of all that is here together, each text once, in the order they ran. */
  programs(): readonly Program[] {
    const fields = this.all().filter(({ value }) => value.kind !== "ranks");
    const results = [...fields, ...this.#quantities.values()];
    const programs = new Map(results.flatMap(({ recipe }) => recipe.map((p) => [p.serial, p] as const)));
    return [...programs.values()].sort((a, b) => a.serial - b.serial);
  }

  /** The names that later texts may use: fields, and numbers, which are constants there. */
  signatures(): FieldSignature[] {
    const fields = this.all().map(({ name, value: { field } }) => ({
      name,
      components: field.components,
      centering: field.centering,
    }));
    const numbers = [...this.#quantities.values()].flatMap(({ name, quantity }) =>
      quantity.kind === "number" ? [numberSignature(name, quantity.components)] : [],
    );
    return [...fields, ...numbers];
  }

  isOnGpu(name: string): boolean {
    return this.#fields.get(name)?.value.kind === "gpu" || this.#copies.has(name);
  }

  /** Whether it is a field whose values only ranks have. */
  isElsewhere(name: string): boolean {
    return this.#fields.get(name)?.value.kind === "ranks";
  }

  /** The values of a field that only ranks had. */
  fill(name: string, value: FieldValue): void {
    const field = this.#fields.get(name);
    if (field) this.#fields.set(name, { ...field, value });
    else releaseValue(value);
  }

  /** The existing field of that name on the GPU, uploaded on the first request. Throws what `uploadField` throws. */
  gpuField(gpu: GpuContext, grid: Grid, name: string, job: JobContext): Promise<GpuField> {
    const value = this.#fields.get(name)?.value as FieldValue;
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

  setQuantity(quantity: DerivedQuantity): void {
    this.remove(quantity.name);
    this.#quantities.set(quantity.name, quantity);
  }

  remove(name: string): boolean {
    if (this.#quantities.delete(name)) return true;
    const field = this.#fields.get(name);
    if (!field) return false;
    this.#fields.delete(name);
    if (field.value.kind !== "ranks") releaseValue(field.value);
    this.#copies.get(name)?.then(
      ({ buffer }) => buffer.release(),
      () => {},
    );
    this.#copies.delete(name);
    return true;
  }

  /** Forgets all results without freeing them, because their device is gone; those whose values ranks have stay. */
  forget(): void {
    this.#quantities.clear();
    for (const { name, value } of this.all()) if (value.kind !== "ranks") this.#fields.delete(name);
    this.#copies.clear();
  }

  clear(): void {
    for (const name of this.names()) this.remove(name);
  }

  #result(name: string): Derived | undefined {
    return this.#fields.get(name) ?? this.#quantities.get(name);
  }
}

export function quantitySummary({ name, expression, quantity }: DerivedQuantity): QuantitySummary {
  return { name, expression, quantity };
}

function derivedBytes({ value }: DerivedField): number {
  if (value.kind === "ranks") return 0;
  const { field } = value;
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
    dtype: value.kind === "host" ? value.field.dtype : "f32",
    bytes: derivedBytes(derived),
    ...(value.kind === "ranks" ? { ranks: value.ranks } : {}),
  };
}
