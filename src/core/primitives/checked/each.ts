import type { EachArguments, EachBackend, VectorOwner } from "../backend.ts";
import { checkBins, checkReduction } from "../checks.ts";
import type { Inputs, KernelArguments, Slots } from "../kernel.ts";
import type { Primitives } from "../primitives.ts";
import type { Reduction, Tally, Terms, Totals } from "../reduction.ts";
import type { Vector } from "../vector.ts";
import { callOf, checkGiven } from "./given.ts";
import { checkRoom } from "./operands.ts";

type Given<I extends Inputs, C extends Slots> = Omit<KernelArguments<I, C>, "at">;

/** What reduces and counts what functions make of elements, without storing that. */
export function checkedEach(
  backend: VectorOwner & EachBackend,
): Pick<Primitives, "reduceEach" | "countEach"> {
  function reduceEach<I extends Inputs, T extends Terms, C extends Slots>(
    count: number,
    reduction: Reduction<I, T, C>,
    given: Given<I, C>,
  ): Promise<Totals<T>>;
  async function reduceEach(count: number, reduction: Reduction, given: EachArguments) {
    const what = callOf("reduceEach", reduction);
    checkReduction(what, reduction);
    checkGiven(backend, what, count, reduction, given);
    return backend.reduceEach(count, reduction, given);
  }

  function countEach<I extends Inputs, C extends Slots>(
    count: number,
    tally: Tally<I, C>,
    bins: number,
    given: Given<I, C>,
  ): Promise<Vector<"u32">>;
  async function countEach(count: number, tally: Tally, bins: number, given: EachArguments) {
    const what = callOf("countEach", tally);
    checkBins(what, bins);
    checkRoom(backend, what, bins);
    checkGiven(backend, what, count, tally, given);
    return backend.countEach(count, tally, bins, given);
  }

  return { reduceEach, countEach };
}
