import { expect, test } from "vitest";
import { newLayer } from "./kinds.ts";
import { defaultPaint } from "./new-layer.ts";

test.each([
  [0, 4],
  [1000, 4],
  [2 ** 18, 4],
  [2 ** 20, 2.5],
  [2 ** 22, 1.6],
  [2 ** 26, 1.5],
])("%d points begin with a size of %d", (points, size) => {
  const beginning = { bounds: [0, 1, 0, 1, 0, 1], field: undefined, paint: defaultPaint, points } as const;
  expect(newLayer("points", "1", beginning).shape).toEqual({ kind: "points", size });
});
