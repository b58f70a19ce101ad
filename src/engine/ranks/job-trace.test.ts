import { describe, expect, it } from "vitest";
import { operationsOf } from "../../core/rank-trace.ts";
import { jobTrace } from "./job-trace.ts";
import { spansOf, tableOf } from "./span-table.ts";
import type { OwnSpan } from "./stopwatch.ts";

const call = (name: string, start: number, end: number, { number = 0, root = -1 } = {}): OwnSpan => ({
  activity: "collective",
  name,
  start,
  end,
  call: { number, root },
  traffic: { sent: 8, received: 4, messages: 1 },
});

/** Of each rank the times that it waited and sent. */
const dividedCall = (name: string, root: number, ...times: readonly (readonly [number, number])[]) =>
  jobTrace(times.map(([start, end]) => ({ clock: 0, spans: [call(name, start, end, { root })] }))).map(
    (spans) => spans.map(({ activity, start, end }) => `${activity} ${start}–${end}`).join(", "),
  );

describe("a job's trace", () => {
  it("divides a collective into waiting for the ranks that it needs, and the rest", () => {
    const late = [
      [0, 12],
      [10, 13],
      [4, 12],
    ] as const;
    expect(dividedCall("allgather", -1, ...late)).toEqual([
      "wait 0–10, send 10–12",
      "send 10–13",
      "wait 4–10, send 10–12",
    ]);
    expect(dividedCall("scatter", 1, ...late)).toEqual([
      "wait 0–10, send 10–12",
      "send 10–13",
      "wait 4–10, send 10–12",
    ]);
    expect(dividedCall("gather", 0, ...late)).toEqual(["wait 0–10, send 10–12", "send 10–13", "send 4–12"]);
    expect(dividedCall("scan", -1, ...late)).toEqual(["send 0–12", "send 10–13", "wait 4–10, send 10–12"]);
  });

  it("puts ranks' clocks together", () => {
    const [, other] = jobTrace([
      { clock: 100, spans: [call("barrier", 95, 101)] },
      { clock: 5100, spans: [call("barrier", 5090, 5101)] },
    ]);
    expect(other.map(({ activity, start, end }) => [activity, start, end])).toEqual([
      ["wait", 90, 95],
      ["send", 95, 101],
    ]);
  });

  it("counts a collective as waiting whose beginning another rank has not kept", () => {
    const [own] = jobTrace([
      { clock: 0, spans: [call("allgather", 0, 1), call("allgather", 2, 5, { number: 1 })] },
      { clock: 0, spans: [call("allgather", 0, 1)] },
    ]);
    expect(own.map(({ activity, traffic }) => [activity, traffic?.sent])).toEqual([
      ["send", 8],
      ["wait", 8],
    ]);
  });

  it("arrives as it was recorded, and is refused where it cannot be one", () => {
    const compute: OwnSpan = {
      activity: "compute",
      name: "q",
      start: 1,
      end: 2.5,
      call: undefined,
      traffic: undefined,
    };
    const spans = [compute, call("gather", 3, 4, { number: 7, root: 0 }), compute];
    const table = tableOf(spans);
    expect(table.rows.byteLength).toBe(72 * 3);
    expect(spansOf(table)).toEqual(spans);
    expect(() => spansOf({ ...table, rows: table.rows.slice(1) })).toThrow("part of a span");
    expect(() => spansOf({ ...table, names: ["q"] })).toThrow("span of nothing");
  });

  it("is summed by operation", () => {
    const trace = jobTrace([
      { clock: 0, spans: [call("allgather", 0, 12), call("barrier", 12, 13, { number: 1 })] },
      { clock: 0, spans: [call("allgather", 10, 12), call("barrier", 12, 13, { number: 1 })] },
    ]);
    expect(operationsOf([trace, trace])).toEqual([
      {
        name: "allgather",
        messages: 4,
        bytes: 32,
        ms: { read: 0, compute: 0, pack: 0, send: 8, wait: 20 },
      },
      { name: "barrier", messages: 4, bytes: 32, ms: { read: 0, compute: 0, pack: 0, send: 4, wait: 0 } },
    ]);
  });
});
