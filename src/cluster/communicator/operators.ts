import type { TypedArray } from "../../core/dtype.ts";
import type { Data, Value } from "./communicator.ts";
import { CommunicatorError } from "./errors.ts";

/**
 * Combines two operands into one; `a` comes from lower ranks than `b`. Must be associative; commutative
 * reductions may be grouped in more ways. Built in: add, min, max, mul, and, or, xor on elements
 * (operators/elements.ts), minloc and maxloc on pairs (operators/locations.ts).
 */
export interface Reduction<D extends Data = Data> {
  readonly name: string;
  readonly isCommutative: boolean;
  /** Elements that form a unit: 1; 2 for the pairs (value, location) of minloc and maxloc. */
  readonly group: number;
  /**
   * For elements of typed arrays: `b[i] = a[i] ∘ b[i]`, from `from` to `to` − 1. Left out if operands are
   * values.
   */
  readonly combine?: (a: TypedArray, b: TypedArray, from: number, to: number) => void;
  /** For whole operands: small values, or arrays if there is no `combine`. Changes neither. */
  readonly join?: (a: D, b: D) => D;
  /** Used instead of `join` for the values that the operator supports: numbers; true and false. */
  readonly ofValues?: (a: Value, b: Value) => Value;
}

/** A reduction of array elements of any type. */
export type ElementReduction = Omit<Reduction, "join">;

interface Named {
  /** The same reduction must have the same name on all ranks. */
  readonly name: string;
  readonly isCommutative?: boolean;
}

interface ElementDefinition extends Named {
  /** For elements of arrays of numbers; `a` comes from the lower rank. */
  readonly element?: (a: number, b: number) => number;
  /** Used instead of `element`: see Reduction. */
  readonly combine?: Reduction["combine"];
  readonly group?: number;
}

interface JoinDefinition<D extends Data> extends Named {
  readonly join: (a: D, b: D) => D;
}

/**
 * Defines a custom reduction (MPI_Op_create) of elements, of groups of them, or of whole operands, which
 * must be associative. Results are reproducible to the bit, and agree between ranks, as far as the
 * functions do on all ranks' machines. Throws BadArgument if no function is given or the group is not a
 * positive length.
 */
export function defineReduction(definition: ElementDefinition): ElementReduction;
export function defineReduction<D extends Data>(definition: JoinDefinition<D>): Reduction<D>;
export function defineReduction<D extends Data>(definition: ElementDefinition & Partial<JoinDefinition<D>>) {
  const { name, isCommutative = false, element, group = 1, join } = definition;
  const combine = definition.combine ?? (element && elementwise(element));
  const isLength = Number.isSafeInteger(group) && group > 0;
  if (isLength && (combine || join)) return { name, isCommutative, group, combine, join };
  throw new CommunicatorError({
    tag: "BadArgument",
    mpi: "MPI_ERR_OP",
    problem: isLength
      ? `The reduction “${name}” has no function.`
      : `The reduction “${name}” has groups of ${group} elements.`,
    remedy: isLength ? "Pass element, combine or join." : "Pass a whole number of at least 1.",
  });
}

const elementwise =
  (element: (a: number, b: number) => number): Reduction["combine"] =>
  (a, b, from, to) => {
    for (let i = from; i < to; i++) b[i] = element(a[i] as number, b[i] as number);
  };
