import { expect, it } from "vitest";
import { LatticeHistory } from "./lattice-series.ts";

it("keeps each sweep while there are few, and means of successive ones later", () => {
  const history = new LatticeHistory();
  history.add(1, { energy: [1, 2, 3], magnetization: [0, 0, 1] });
  history.add(4, { energy: [], magnetization: [] });
  expect([...history.sweeps()]).toEqual([1, 2, 3]);
  expect([...history.values("energy")]).toEqual([1, 2, 3]);
  expect(history.names).toEqual(["energy", "magnetization"]);
  const [count, chunk] = [10_000, 37];
  const long = new LatticeHistory();
  for (let first = 1; first <= count; first += chunk) {
    const length = Math.min(chunk, count - first + 1);
    long.add(first, { energy: Float64Array.from({ length }, (_, k) => first + k) });
  }
  const [sweeps, values] = [long.sweeps(), long.values("energy")];
  expect(long.perPoint).toBe(8);
  expect(sweeps).toHaveLength(1250);
  // The mean of a number that is the sweep's own is the middle of the sweeps.
  expect(values).toEqual(sweeps);
  expect(sweeps[0]).toBe(4.5);
});

it("has nothing before the first sweep", () => {
  const history = new LatticeHistory();
  expect(history.sweeps()).toHaveLength(0);
  expect(history.values("energy")).toHaveLength(0);
});
