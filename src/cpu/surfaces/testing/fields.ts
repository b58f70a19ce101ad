import type { Field } from "../../../core/field.ts";
import type { Grid, RectilinearGrid, Triple, UniformGrid } from "../../../core/grid.ts";
import { nodeCoordinates } from "../../../core/grid.ts";

export type ScalarFunction = (x: number, y: number, z: number) => number;

export const sphere: ScalarFunction = (x, y, z) => Math.hypot(x, y, z);

export const torus: ScalarFunction = (x, y, z) => Math.hypot(Math.hypot(x, y) - 0.6, z);

/** Viskores' tangle: its zero set family on [−1, 1]³ has genus 5 at 0.5. */
export const tangle: ScalarFunction = (x, y, z) => {
  const part = (u: number) => (3 * u) ** 4 - 5 * (3 * u) ** 2;
  return (part(x) + part(y) + part(z) + 11.8) * 0.2 + 0.5;
};

/** A uniform grid of these extents over [−1, 1]³. */
export function cubeGrid(dims: Triple): UniformGrid {
  return {
    kind: "uniform",
    dims,
    origin: [-1, -1, -1],
    spacing: dims.map((n) => 2 / (n - 1)) as unknown as Triple,
  };
}

/** The same box with coordinates crowded towards the low ends. */
export function crowdedGrid(dims: Triple): RectilinearGrid {
  const axes = dims.map((n) =>
    Float64Array.from({ length: n }, (_, i) => -1 + 2 * (0.6 * (i / (n - 1)) ** 2 + 0.4 * (i / (n - 1)))),
  );
  return { kind: "rectilinear", dims, axes: axes as unknown as RectilinearGrid["axes"] };
}

/** f sampled on the grid's nodes as f32. */
export function sample(grid: Grid, f: ScalarFunction, name = "f"): Field {
  const [x, y, z] = [0, 1, 2].map((axis) => nodeCoordinates(grid, axis));
  const data = new Float32Array(x.length * y.length * z.length);
  let at = 0;
  for (const zk of z) for (const yj of y) for (const xi of x) data[at++] = f(xi, yj, zk);
  return { name, centering: "node", components: 1, dtype: "f32", data };
}
