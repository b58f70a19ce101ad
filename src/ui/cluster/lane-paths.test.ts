import { describe, expect, test } from "vitest";
import { lanePaths } from "./lane-paths.ts";

describe("lanes of ranks", () => {
  test("have one scale, a path for each activity, and no span too narrow to be seen", () => {
    const { ms, lanes } = lanePaths([
      [
        { activity: "compute", name: "q", start: 10, end: 14 },
        { activity: "wait", name: "allgather", start: 14, end: 15 },
        { activity: "compute", name: "q", start: 15, end: 20 },
      ],
      [
        { activity: "read", name: "read", start: 10, end: 30 },
        { activity: "send", name: "allgather", start: 20, end: 20.000001 },
        { activity: "send", name: "allgather", start: 25, end: 25 },
      ],
    ]);
    expect(ms).toBe(20);
    expect(lanes.map((lane) => Object.fromEntries(lane))).toEqual([
      { compute: "M0 0h200v1h-200zM250 0h250v1h-250z", wait: "M200 0h50v1h-50z" },
      { read: "M0 0h1000v1h-1000z", send: "M500 0h0.5v1h-0.5z" },
    ]);
  });

  test("are empty where nothing was recorded", () => {
    expect(lanePaths([[], []])).toEqual({ ms: 0, lanes: [new Map(), new Map()] });
  });
});
