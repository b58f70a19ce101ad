import { CrinkleError } from "../../../core/errors.ts";
import { formatBytes } from "../../../core/format.ts";
import type { StrategyName } from "./strategies.ts";

/** A strategy that needs more than there is. Nothing has been allocated for it. */
export class DoesNotFit extends CrinkleError {
  readonly strategy: StrategyName;
  /** What it would hold. */
  readonly bytes: number;

  constructor(strategy: StrategyName, bytes: number, problem: string, remedy: string) {
    super({ tag: "TooLarge", problem, remedy });
    this.strategy = strategy;
    this.bytes = bytes;
  }
}

/** More bytes than are allowed. `canStream` says whether the fields may go through the device in blocks. */
export function tooMuchMemory(
  strategy: StrategyName,
  bytes: number,
  budget: number,
  canStream: boolean,
): DoesNotFit {
  return new DoesNotFit(
    strategy,
    bytes,
    `The ${strategy} strategy would hold ${formatBytes(bytes)} on the GPU; ${formatBytes(budget)} are allowed.`,
    canStream && strategy !== "streamed"
      ? "Use the streamed strategy, or allow it more memory."
      : "Allow it more memory.",
  );
}

/** An array that is longer than the device lets a kernel bind. */
export function tooLongArray(
  strategy: StrategyName,
  bytes: number,
  largest: number,
  largestBinding: number,
  canStream: boolean,
): DoesNotFit {
  return new DoesNotFit(
    strategy,
    bytes,
    `The ${strategy} strategy needs an array of ${formatBytes(largest)}; this device allows ${formatBytes(largestBinding)}.`,
    canStream ? "Use the streamed strategy, which sends blocks." : "Use a smaller grid.",
  );
}

/** No strategy fits: says which of them needs the least. */
export function nothingFits(refusals: readonly CrinkleError[], budget: number): CrinkleError {
  const sized = refusals.filter((refusal) => refusal instanceof DoesNotFit);
  if (sized.length === 0) return refusals[0];
  const { strategy, bytes } = sized.reduce((a, b) => (b.bytes < a.bytes ? b : a));
  return new CrinkleError({
    tag: "TooLarge",
    problem: `No strategy computes this within ${formatBytes(budget)} of GPU memory; ${strategy} needs the least, ${formatBytes(bytes)}.`,
    remedy: "Allow it more memory.",
  });
}
