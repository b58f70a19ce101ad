import type { Quantity } from "../../../core/quantity.ts";
import type { ScalarValues } from "../filters/filter.ts";
import type { Network } from "../network/network.ts";
import { type Measure, type Part, resolveReductions } from "../plan/reductions.ts";

/** How fields are computed, and looked at while they are there. */
export interface PartRunner<Field> {
  /** Computes a part's outputs, all of which are fields. */
  compute(part: Part): Promise<ReadonlyMap<string, Field>>;
  valuesOf(field: Field): ScalarValues;
  /** Frees a field that has been measured, where it has to be freed. */
  release?(field: Field): void;
}

/** Computes outputs of a network: first what its reductions reduce, then what is left. Throws what `compute` throws. */
export async function evaluateParts<Field>(
  network: Network,
  outputs: readonly string[],
  runner: PartRunner<Field>,
): Promise<{ fields: ReadonlyMap<string, Field>; quantities: ReadonlyMap<string, Quantity> }> {
  const { fields, quantities } = await resolveReductions(network, outputs, measureBy(runner));
  return { fields: fields.names.length > 0 ? await runner.compute(fields) : new Map(), quantities };
}

/** Computes what reductions reduce: fields that live no longer than they are measured. */
export function measureBy<Field>({ compute, valuesOf, release }: PartRunner<Field>): Measure {
  return async (part, read) => {
    const measured = await compute(part);
    try {
      return await read(new Map([...measured].map(([name, field]) => [name, valuesOf(field)])));
    } finally {
      if (release) for (const field of measured.values()) release(field);
    }
  };
}
