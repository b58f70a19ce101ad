import type {
  BinaryOperator,
  LocatingOperator,
  Operator,
  UnaryFunction,
} from "../core/primitives/functions.ts";
import { isLocating, maxKey, noPosition } from "../core/primitives/operators.ts";
import type { ScalarType, Vector } from "../core/primitives/vector.ts";
import { combination, keptBy } from "../kernel/element-functions.ts";
import type { Step } from "./step.ts";
import { elementOf, wordOf } from "./words.ts";

/** What an operator makes of some elements, as words: an element, or the least key and its position in the whole vector. */
export type Total = readonly number[];

/** How the parts of a vector are reduced, and the results combined. */
export interface Totaling {
  /** Words of a total. */
  readonly width: number;
  /** Of a part that begins at the position `first` of the whole. Work of this rank alone. */
  of(part: Vector, first: number, reverse?: boolean): Promise<Total>;
  /** Of a number that begins a scan or a reduction. Work of this rank alone. */
  ofInit(init: number): Promise<Total>;
  /** The first is the earlier operand. */
  combine(a: Total, b: Total): Total;
}

/** Throws a KernelError where the operator's text is none, on all ranks alike: before a step begins. */
export function checkOperator(type: ScalarType, operator: Operator): void {
  if (!isLocating(operator)) combination(type, operator);
}

export const totalingOf = (step: Step, type: ScalarType, operator: Operator): Totaling =>
  isLocating(operator) ? locatingTotals(step, type, operator) : binaryTotals(step, type, operator);

function binaryTotals({ local }: Step, type: ScalarType, operator: BinaryOperator): Totaling {
  return {
    width: 1,
    async of(part, _, reverse) {
      return [wordOf(type, await local.reduce(reverse ? local.reversed(part) : part, operator))];
    },
    ofInit: async (init) => [wordOf(type, init)],
    combine([a], [b]) {
      return [wordOf(type, combination(type, operator)(elementOf(type, a), elementOf(type, b)))];
    },
  };
}

/** The key of elements as a function to u32. */
const keyFunction = keptBy(
  (operator: LocatingOperator, type): UnaryFunction => ({
    name: operator.name,
    text: operator.text(type as ScalarType),
  }),
);

/** Nothing is found. */
const nothing: Total = [2 ** 32 - 1, noPosition];

function locatingTotals({ local }: Step, type: ScalarType, operator: LocatingOperator): Totaling {
  const keyOf = async (one: Vector) => {
    const key = await local.transform(one, keyFunction(operator, type), "u32");
    const word = await local.front(key);
    key.release();
    return word;
  };
  return {
    width: 2,
    async of(part, first) {
      const position = await local.reduce(part, operator);
      if (position < 0) return nothing;
      return [await keyOf(local.view(part, position, position + 1)), first + position];
    },
    async ofInit(init) {
      const key = await keyOf(local.constant(type, 1, init));
      return type === "f32" && key > maxKey ? nothing : [key, noPosition];
    },
    combine: (a, b) => (b[0] < a[0] || (b[0] === a[0] && b[1] < a[1]) ? b : a),
  };
}

/** The totals of ranks in order, by an operator; `before` comes first. Ranks without elements have none. */
export function folded(
  totaling: Totaling,
  totals: readonly (Total | undefined)[],
  before?: Total,
): Total | undefined {
  let sum = before;
  for (const total of totals) if (total) sum = sum ? totaling.combine(sum, total) : total;
  return sum;
}
