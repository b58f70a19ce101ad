import type { Step } from "./step.ts";
import { elementOf, wordOf } from "./words.ts";

/**
 * Elements in a millisecond, by what each rank has spent on its own part of calls since the last time, of which it has
 * so many elements. Ranks that have none, or were too fast for their clock, are as fast as the others on average.
 */
export async function measuredSpeeds({ exchange }: Step, lengths: readonly number[]): Promise<number[]> {
  const received = await exchange.allgather(() => Uint32Array.of(wordOf("f32", exchange.takeMs())));
  const speeds = received.map(([ms], rank) => lengths[rank] / elementOf("f32", ms));
  const known = speeds.filter(isSpeed);
  const average = known.length > 0 ? known.reduce((sum, each) => sum + each, 0) / known.length : 1;
  return speeds.map((speed) => (isSpeed(speed) ? speed : average));
}

const isSpeed = (speed: number): boolean => speed > 0 && speed < Number.POSITIVE_INFINITY;
