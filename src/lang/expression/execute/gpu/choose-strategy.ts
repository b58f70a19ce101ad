import { CrinkleError } from "../../../../core/errors.ts";
import type { GpuContext } from "../../../../gpu/device/context.ts";
import type { Planner } from "../../plan/planner.ts";
import { DoesNotFit, nothingFits } from "../../plan/refusals.ts";
import { inTurn, type RunCost, type StrategyName, strategyNames } from "../../plan/report.ts";
import { deviceRates, predictMs } from "./rates.ts";
import type { Refusal } from "./reason.ts";

/** What a strategy will cost for parts that run one after the other. Throws the refusal of the part that needs most. */
export function costOfParts(parts: readonly Planner[], strategy: StrategyName): RunCost {
  const costs: RunCost[] = [];
  let refusal: CrinkleError | undefined;
  for (const part of parts) {
    try {
      costs.push(part.plan(strategy).cost);
    } catch (error) {
      if (!isRefusal(error)) throw error;
      refusal = refusal === undefined ? error : worse(refusal, error);
    }
  }
  if (refusal) throw refusal;
  return costs.reduce(inTurn);
}

const isRefusal = (error: unknown): error is CrinkleError =>
  error instanceof CrinkleError && error.tag === "TooLarge";

const worse = (a: CrinkleError, b: CrinkleError): CrinkleError =>
  a instanceof DoesNotFit && b instanceof DoesNotFit && a.bytes >= b.bytes ? a : b;

/** The strategy that is predicted to be done first, of those that fit. Throws TooLarge where none does. */
export async function chooseStrategy(
  gpu: GpuContext,
  parts: readonly Planner[],
  budget: number,
): Promise<{ readonly strategy: StrategyName; readonly refusals: readonly Refusal[] }> {
  const rates = await deviceRates(gpu);
  const refusals: Refusal[] = [];
  let best: { strategy: StrategyName; ms: number } | undefined;
  for (const strategy of strategyNames) {
    try {
      const ms = predictMs(costOfParts(parts, strategy), rates);
      // Streaming what fits at once costs the ghosts.
      if (!best || ms < best.ms) best = { strategy, ms };
    } catch (error) {
      if (!isRefusal(error)) throw error;
      refusals.push({ strategy, error });
    }
  }
  if (!best) {
    throw nothingFits(
      refusals.map(({ error }) => error),
      budget,
    );
  }
  return { strategy: best.strategy, refusals };
}
