import { badMessage } from "../../cluster/wire/frame.ts";
import { activities, type OwnSpan } from "./stopwatch.ts";

/** Numbers of a span. */
const columns = 9;

/** A rank's spans on their way to rank 0: their names, and so many numbers for each. */
export interface SpanTable {
  readonly names: readonly string[];
  readonly rows: Float64Array;
}

export function tableOf(spans: readonly OwnSpan[]): SpanTable {
  const numbers = new Map<string, number>();
  const rows = new Float64Array(columns * spans.length);
  for (const [at, { activity, name, start, end, call, traffic }] of spans.entries()) {
    if (!numbers.has(name)) numbers.set(name, numbers.size);
    const { sent, received, messages } = traffic ?? { sent: -1, received: -1, messages: -1 };
    const what = [activities.indexOf(activity), numbers.get(name) ?? 0, start, end];
    rows.set([...what, call?.number ?? -1, call?.root ?? -1, sent, received, messages], columns * at);
  }
  return { names: [...numbers.keys()], rows };
}

/** Throws BadMessage for what `tableOf` does not make. */
export function spansOf({ names, rows }: SpanTable): OwnSpan[] {
  if (rows.length % columns !== 0) throw badMessage("a part of a span");
  return Array.from({ length: rows.length / columns }, (_, at) => {
    const [what, name, start, end, number, root, sent, received, messages] = rows.subarray(columns * at);
    const activity = activities[what];
    if (!activity || typeof names[name] !== "string") throw badMessage("a span of nothing");
    return {
      activity,
      name: names[name],
      start,
      end,
      call: number < 0 ? undefined : { number, root },
      traffic: sent < 0 ? undefined : { sent, received, messages },
    };
  });
}
