import type { Field } from "../core/field.ts";
import type { Statistics } from "../core/statistics.ts";
import type { GpuField } from "../gpu/fields/gpu-field.ts";
import type { FieldSignature } from "../lang/expression/network/network.ts";
import type { DerivedSummary } from "./api.ts";

/** Where a computed field lives: on the GPU, or in host memory where there is none. */
export type FieldValue =
  | { readonly kind: "gpu"; readonly field: GpuField }
  | { readonly kind: "host"; readonly field: Field };

export function releaseValue(value: FieldValue): void {
  if (value.kind === "gpu") value.field.buffer.release();
}

export interface DerivedField {
  readonly name: string;
  /** The text that computes it again. */
  readonly program: string;
  /** Its own statement. */
  readonly expression: string;
  readonly value: FieldValue;
  readonly statistics: Statistics;
  readonly ms: number;
}

/** The results people have computed, in order; a name computed again replaces its former value. */
export class DerivedFields {
  readonly #fields = new Map<string, DerivedField>();

  get(name: string): DerivedField | undefined {
    return this.#fields.get(name);
  }

  all(): DerivedField[] {
    return [...this.#fields.values()];
  }

  signatures(): FieldSignature[] {
    return this.all().map(({ name, value: { field } }) => ({
      name,
      components: field.components,
      centering: field.centering,
    }));
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
    return true;
  }

  /** Lets go of every field without freeing it: its device is gone. */
  forget(): void {
    this.#fields.clear();
  }

  clear(): void {
    for (const name of [...this.#fields.keys()]) this.remove(name);
  }
}

export function derivedBytes({ value: { field } }: DerivedField): number {
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
