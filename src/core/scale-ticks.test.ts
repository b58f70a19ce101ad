import { expect, test } from "vitest";
import { type Scale, scaleOver } from "./scale.ts";
import { scaleTicks } from "./scale-ticks.ts";

const log = (low: number, high: number) => scaleOver("log", [low, high]);
const symlog = (low: number, high: number) => scaleOver("symlog", [low, high]);

test.each<[Scale, number, number[]]>([
  [log(1, 1000), 5, [1, 10, 100, 1000]],
  [log(1, 1000), 3, [10, 1000]],
  [log(3.4e-10, 3.4e-4), 5, [1e-8, 1e-6, 1e-4]],
  [log(1e-7, 3.4e-4), 5, [1e-7, 1e-6, 1e-5, 1e-4]],
  [log(0.7, 30), 5, [1, 2, 5, 10, 20]],
  [log(0.3, 80), 5, [0.5, 2, 10, 50]],
  [log(3, 4), 5, []],
  [log(1e-30, 1), 2, [1e-30, 1]],
  [symlog(-1, 1), 5, [-1, -0.01, 0, 0.01, 1]],
  [symlog(-1, 1), 3, [-1, 0, 1]],
  [symlog(-1, 1), 2, [0, 1]],
  [symlog(0, 1), 5, [0, 1e-3, 1e-2, 0.1, 1]],
  [symlog(-0.2, 50), 5, [-0.1, 0, 0.1, 1, 10]],
  [symlog(10, 1000), 5, [10, 100, 1000]],
])("ticks of %o, at most %d", (scale, most, ticks) => {
  expect(scaleTicks(scale, most)).toEqual(ticks);
});
