import type { RankSpan, RankTrace } from "../embed/ranks.ts";
import { writeChunks } from "./write-file.ts";

/** An event of the Trace Event format, which Perfetto and chrome://tracing open. Times are microseconds. */
type TraceEvent =
  | {
      readonly ph: "X";
      readonly name: string;
      readonly cat: string;
      readonly ts: number;
      readonly dur: number;
      readonly pid: number;
      readonly tid: number;
      readonly args: NonNullable<RankSpan["traffic"]> | Record<string, never>;
    }
  | {
      readonly ph: "M";
      readonly name: "process_name" | "thread_name" | "thread_sort_index";
      readonly pid: number;
      readonly tid: number;
      readonly args: { readonly name: string } | { readonly sort_index: number };
    };

/** Jobs' traces on the same clock, as a process with a thread for each rank. Time begins with the first span. */
function traceEvents(jobs: readonly RankTrace[], devices: readonly string[]): TraceEvent[] {
  const origin = jobs.flat(2).reduce((least, { start }) => Math.min(least, start), Infinity);
  const pid = 0;
  const names = devices.flatMap((device, tid): TraceEvent[] => [
    { ph: "M", name: "thread_name", pid, tid, args: { name: `Rank ${tid} (${device})` } },
    { ph: "M", name: "thread_sort_index", pid, tid, args: { sort_index: tid } },
  ]);
  const spans = jobs.flatMap((ranks) =>
    ranks.flatMap((spans, tid) =>
      spans.map(({ activity, name, start, end, traffic }): TraceEvent => {
        const [ts, dur] = [1000 * (start - origin), 1000 * (end - start)];
        return { ph: "X", name, cat: activity, ts, dur, pid, tid, args: traffic ?? {} };
      }),
    ),
  );
  return [{ ph: "M", name: "process_name", pid, tid: 0, args: { name: "Crinkle" } }, ...names, ...spans];
}

/** The option of commands whose ranks record what they do. */
export const traceOption = {
  type: "string",
  help: "File for what each rank did and when (.json), which Perfetto opens",
} as const;

/** Throws BadArgument where the file cannot be written. */
export async function writeTrace(
  path: string,
  jobs: readonly RankTrace[],
  devices: readonly string[],
): Promise<void> {
  const text = JSON.stringify({ traceEvents: traceEvents(jobs, devices), displayTimeUnit: "ms" });
  await writeChunks(path, [new TextEncoder().encode(text)]);
}
