import { expect, test } from "vitest";
import { livingFigures } from "./figures.ts";

test("figures of a lattice that ran two seconds", () => {
  const figures = livingFigures(
    {
      seconds: 2,
      frames: [0, 500, 1000, 1900],
      sweeps: 4000,
      mainFrames: [10, 10, 30],
      longTasks: [],
      bytes: [2 ** 20, 2 ** 21],
    },
    1_000_000,
  );
  expect(Object.fromEntries(figures.map(({ name, value }) => [name, value]))).toEqual({
    "pictures a second": 2,
    "sweeps a second": 2000,
    "sites updated a second": 2,
    "between two pictures, median": 500,
    "between two pictures, 95 %": 900,
    "between two pictures, most": 900,
    "main thread's frames, 95 %": 30,
    "longest main-thread task over 50 ms": 0,
    "GPU buffers": 2,
    "growth of GPU buffers meanwhile": 2 ** 20,
  });
});
