import type { ScalarType, Vector } from "../core/primitives/vector.ts";
import type { Step } from "./step.ts";
import { absent, type Memory, type RankVector } from "./vector.ts";
import { bitsOf, joined, wordsOf } from "./words.ts";

/** Whether all elements are on all ranks already. */
export const isWholeAtHand = ({ all, stored }: RankVector): boolean =>
  all !== undefined || (stored !== undefined && stored.whole?.version === stored.version);

/** All elements on this rank, until the end of the step. They are gathered once for vectors with memory. */
export async function wholeOf<T extends ScalarType>(step: Step, vector: RankVector<T>): Promise<Vector<T>> {
  if (vector.all) return vector.all();
  const { local, exchange, size } = step;
  const { type, components, length, stored } = vector;
  const part = await vector.part(step);
  if (size === 1) return part;
  const none = absent(vector, length);
  if (stored && stored.whole?.version === stored.version) return stored.whole.vector ?? none;
  const table = stored?.version === 0 ? stored.table : undefined;
  const parts = table ? [] : await exchange.allgather(async () => bitsOf(await local.toHost(part)));
  const whole = await exchange.alone(() =>
    local.fromHost(type, table ?? wordsOf(type, joined(parts)), components),
  );
  if (stored) keepWhole(step, stored, whole);
  else if (whole) step.hold(whole);
  return whole ?? none;
}

function keepWhole<T extends ScalarType>(
  { exchange }: Step,
  stored: Memory<T>,
  vector: Vector<T> | undefined,
): void {
  stored.whole?.vector?.release();
  const whole = {
    version: stored.version,
    vector,
    fail() {
      whole.version = -1;
    },
  };
  stored.whole = whole;
  exchange.awaitConfirmation(whole);
}
