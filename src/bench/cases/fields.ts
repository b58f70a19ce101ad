import type { Field } from "../../core/field.ts";
import type { Triple, UniformGrid } from "../../core/grid.ts";

/** A uniform grid of `dims` nodes over a box whose x side is `side`, with equal spacing. */
export function uniformGrid(dims: Triple, origin: number, side: number): UniformGrid {
  const h = side / (dims[0] - 1);
  return { kind: "uniform", dims, origin: [origin, origin, origin], spacing: [h, h, h] };
}

/** A smooth vortical flow, each component a sum of products of sines and cosines of two coordinates. */
export function swirlingFlow({ dims: [nx, ny, nz], origin, spacing }: UniformGrid): Field {
  const tables = [nx, ny, nz].map((n, axis) => {
    const angles = Float64Array.from({ length: n }, (_, i) => origin[axis] + i * spacing[axis]);
    return { sin: angles.map(Math.sin), cos: angles.map(Math.cos) };
  });
  const [x, y, z] = tables;
  const data = new Float32Array(3 * nx * ny * nz);
  for (let k = 0, at = 0; k < nz; k++) {
    for (let j = 0; j < ny; j++) {
      const uz = z.sin[k] + 0.5 * y.cos[j];
      for (let i = 0; i < nx; i++, at += 3) {
        data[at] = uz + 0.3 * x.sin[i] * y.cos[j];
        data[at + 1] = x.sin[i] + z.cos[k] * y.sin[j];
        data[at + 2] = y.sin[j] - 0.7 * x.cos[i] * z.sin[k];
      }
    }
  }
  return { name: "v", centering: "node", components: 3, dtype: "f32", data };
}

/** Σ (c⁴ − 5c²) + 11.8 over the coordinates c: a closed surface of genus 5 at zero, in the cube |c| ≤ 3. */
export function tangleField({ dims: [nx, ny, nz], origin, spacing }: UniformGrid): Field {
  const terms = [nx, ny, nz].map((n, axis) =>
    Float64Array.from({ length: n }, (_, i) => {
      const square = (origin[axis] + i * spacing[axis]) ** 2;
      return square * (square - 5);
    }),
  );
  const data = new Float32Array(nx * ny * nz);
  for (let k = 0, at = 0; k < nz; k++) {
    for (let j = 0; j < ny; j++) {
      const rest = terms[1][j] + terms[2][k] + 11.8;
      for (let i = 0; i < nx; i++, at++) data[at] = terms[0][i] + rest;
    }
  }
  return { name: "tangle", centering: "node", components: 1, dtype: "f32", data };
}
