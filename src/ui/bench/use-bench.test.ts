import { expect, it } from "vitest";
import { afterEvent, idleBench } from "./use-bench.ts";

const row = { name: "copy", n: 4, ms: 1, gbs: 32, ratioToCopy: 1, verified: true };
const error = { tag: "OutOfMemory", problem: "It is too large.", remedy: "Take fewer elements." } as const;

it("gathers what was measured and what failed, in order", () => {
  const state = [
    { kind: "began", machine: "A GPU", isSoftware: false, names: ["copy", "primitives/sort"] },
    { kind: "case", name: "copy", index: 0 },
    { kind: "row", row },
    { kind: "compiled", pipelines: 1, ms: 20 },
    { kind: "case", name: "primitives/sort", index: 1 },
    { kind: "failed", name: "primitives/sort", error },
    { kind: "compiled", pipelines: 7, ms: 90.5 },
  ] as const;
  const end = state.reduce(afterEvent, { ...idleBench, isRunning: true });
  expect(end).toMatchObject({ machine: "A GPU", total: 2, current: { name: "primitives/sort", index: 1 } });
  expect(end.compiled).toEqual({ pipelines: 7, ms: 90.5 });
  expect(end.lines).toEqual([state[2], state[5]]);
});
