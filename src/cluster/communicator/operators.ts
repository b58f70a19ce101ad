import type { TypedArray } from "../../core/dtype.ts";
import type { Data, Value } from "./communicator.ts";
import { CommunicatorError } from "./errors.ts";

/**
 * How two operands become one. `a` comes of lower ranks than `b`. Associative; commutative ones may be grouped in more
 * ways. Built in: add, min, max, mul, and, or, xor over elements (operators/elements.ts), minloc and maxloc over pairs
 * (operators/locations.ts).
 */
export interface Reduction<D extends Data = Data> {
  readonly name: string;
  readonly isCommutative: boolean;
  /** Elements that belong together: 1; 2 for the pairs (value, location) of minloc and maxloc. */
  readonly group: number;
  /** Elements of typed arrays: `b[i] = a[i] ∘ b[i]`, for elements from … to − 1. Left out where operands are values. */
  readonly combine?: (a: TypedArray, b: TypedArray, from: number, to: number) => void;
  /** Whole operands: small values, or arrays where there is no `combine`. Changes neither. */
  readonly join?: (a: D, b: D) => D;
  /** In place of `join`, the values that the operator knows: numbers; true and false. */
  readonly ofValues?: (a: Value, b: Value) => Value;
}

/** A reduction of arrays' elements, whatever their type. */
export type ElementReduction = Omit<Reduction, "join">;

interface Named {
  /** All ranks must have the same name for the same reduction. */
  readonly name: string;
  readonly isCommutative?: boolean;
}

interface ElementDefinition extends Named {
  /** Elements of arrays of numbers; `a` is the lower rank's. */
  readonly element?: (a: number, b: number) => number;
  /** In place of `element`: see Reduction. */
  readonly combine?: Reduction["combine"];
  readonly group?: number;
}

interface JoinDefinition<D extends Data> extends Named {
  readonly join: (a: D, b: D) => D;
}

/**
 * A reduction of one's own (MPI_Op_create): of elements, of groups of them, or of whole operands. Whoever defines it
 * vouches that it is associative. Results repeat to the bit, and agree between ranks, as far as the functions do on all
 * ranks' machines. Throws BadArgument where there is no function, or a group that is no length.
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
    remedy: isLength ? "Give element, combine or join." : "Give a whole number from 1 on.",
  });
}

const elementwise =
  (element: (a: number, b: number) => number): Reduction["combine"] =>
  (a, b, from, to) => {
    for (let i = from; i < to; i++) b[i] = element(a[i] as number, b[i] as number);
  };
