import type { RankTimes, RankTrace } from "../../core/rank-trace.ts";

type Activity = keyof RankTimes;

/** One rank's time: a path for each thing that it did, in a box from 0 to `laneWidth` and from 0 to 1. */
export type LanePaths = ReadonlyMap<Activity, string>;

export const laneWidth = 1000;

/** Narrower spans would vanish. */
const minWidth = 0.5;

/** All ranks' lanes on one scale, which begins with the first span and ends with the last. */
export function lanePaths(trace: RankTrace): { readonly ms: number; readonly lanes: readonly LanePaths[] } {
  let [from, to] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const { start, end } of trace.flat()) [from, to] = [Math.min(from, start), Math.max(to, end)];
  const scale = to > from ? laneWidth / (to - from) : 0;
  const lanes = trace.map((spans) => {
    const paths = new Map<Activity, string>();
    for (const { activity, start, end } of spans) {
      if (end === start) continue;
      const [x, width] = [(start - from) * scale, Math.max(minWidth, (end - start) * scale)].map(rounded);
      paths.set(activity, `${paths.get(activity) ?? ""}M${x} 0h${width}v1h${-width}z`);
    }
    return paths;
  });
  return { ms: Math.max(0, to - from), lanes };
}

const rounded = (x: number) => Math.round(100 * x) / 100;
