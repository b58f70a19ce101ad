import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { describeFacets, leastAgreement } from "../../algorithms/surfaces/testing/describe-facets.ts";
import type { TypedArray } from "../../core/dtype.ts";
import { type Field, makeField } from "../../core/field.ts";
import { type Grid, nodeCoordinates, type Triple } from "../../core/grid.ts";
import {
  countEdges,
  enclosedVolume,
  eulerCharacteristic,
  meshBounds,
  surfaceArea,
} from "../../core/mesh-measures.ts";
import { expectArraysClose } from "../../core/testing/compare.ts";
import { isosurface } from "./isosurface.ts";
import { crowdedGrid, cubeGrid, sample, sphere, tangle, torus } from "./testing/fields.ts";
import { cutEdgeCount, randomCase } from "./testing/random-fields.ts";

const closed = { boundary: 0, irregular: 0 };

function scalars(grid: Grid, data: TypedArray): Field {
  return makeField(grid, "f", "node", 1, data);
}

describeFacets("loop", isosurface);

describe("known surfaces", () => {
  it("the tangle has 160 triangles and 72 vertices on 4³ cells at 0.5, and genus 5", async () => {
    const grid = cubeGrid([5, 5, 5]);
    const mesh = await isosurface(grid, sample(grid, tangle), 0.5);
    expect([mesh.indices.length / 3, mesh.positions.length / 3]).toEqual([160, 72]);
    expect(countEdges(mesh)).toEqual({ edges: 240, ...closed });
    expect(eulerCharacteristic(mesh)).toBe(-8);
  });

  it.each([
    ["sphere", sphere, 0.8, 2],
    ["torus", torus, 0.25, 0],
  ] as const)("a %s is closed and has its Euler characteristic", async (_, f, isovalue, expected) => {
    for (const grid of [cubeGrid([20, 17, 23]), crowdedGrid([24, 22, 20])]) {
      const mesh = await isosurface(grid, sample(grid, f), isovalue);
      expect(countEdges(mesh)).toMatchObject(closed);
      expect(eulerCharacteristic(mesh)).toBe(expected);
    }
  });

  it("area and volume of a sphere converge at second order", async () => {
    const r = 0.8;
    const errors = await Promise.all(
      [13, 25, 49].map(async (n) => {
        const grid = cubeGrid([n, n, n]);
        const mesh = await isosurface(grid, sample(grid, sphere), r);
        return [
          Math.abs(surfaceArea(mesh) / (4 * Math.PI * r ** 2) - 1),
          Math.abs(enclosedVolume(mesh) / ((-4 / 3) * Math.PI * r ** 3) - 1),
        ];
      }),
    );
    for (const measure of [0, 1]) {
      expect(errors[0][measure]).toBeLessThan(0.03);
      for (const finer of [1, 2]) {
        expect(Math.log2(errors[finer - 1][measure] / errors[finer][measure])).toBeGreaterThan(1.8);
      }
    }
  });

  it("lies where the field has the isovalue, on a grid of unequal lengths and spacings", async () => {
    const grid: Grid = {
      kind: "uniform",
      dims: [31, 12, 7],
      origin: [10, -4, 100],
      spacing: [0.1, 0.3, 0.7],
    };
    const plane = (x: number, y: number, z: number) => 2 * x - y + 0.5 * z;
    const mesh = await isosurface(grid, sample(grid, plane), 74);
    expect(mesh.indices.length).toBeGreaterThan(300);
    const length = Math.hypot(2, -1, 0.5);
    for (let v = 0; v < mesh.positions.length; v += 3) {
      const [x, y, z] = mesh.positions.subarray(v, v + 3);
      expect(plane(x, y, z)).toBeCloseTo(74, 4);
      expectArraysClose(
        mesh.normals.subarray(v, v + 3),
        [-2 / length, 1 / length, -0.5 / length],
        { absolute: 2e-4 },
        "normal",
      );
    }
  });

  it("normals point to lower values, as the triangles do", async () => {
    for (const f of [sphere, torus, tangle]) {
      const grid = crowdedGrid([33, 30, 28]);
      const mesh = await isosurface(grid, sample(grid, f), f === sphere ? 0.8 : 0.25);
      expect(leastAgreement(mesh)).toBeGreaterThan(0);
    }
    const grid = cubeGrid([17, 17, 17]);
    const inwards = await isosurface(grid, sample(grid, sphere), 0.8);
    const outwards = await isosurface(
      grid,
      sample(grid, (x, y, z) => -sphere(x, y, z)),
      -0.8,
    );
    expect(enclosedVolume(outwards)).toBeGreaterThan(2);
    expect(enclosedVolume(inwards)).toBeCloseTo(-enclosedVolume(outwards), 6);
    expect(meshBounds(inwards)).toEqual(meshBounds(outwards));
  });
});

describe("any field", () => {
  it("is closed around planted values that equal the isovalue, on any rectilinear grid", async () => {
    await fc.assert(
      fc.asyncProperty(randomCase(), async ({ grid, field, isovalue }) => {
        const mesh = await isosurface(grid, field, isovalue);
        expect(countEdges(mesh)).toMatchObject(closed);
        expect(mesh.positions.length / 3).toBe(cutEdgeCount(grid, field, isovalue));
        for (let v = 0; v < mesh.normals.length; v += 3) {
          expect(Math.hypot(...mesh.normals.subarray(v, v + 3))).toBeCloseTo(1, 5);
        }
      }),
      { numRuns: 150 },
    );
  });

  it("puts a vertex at a node that equals the isovalue exactly there", async () => {
    const grid = cubeGrid([3, 3, 3]);
    const data = new Float32Array(27).fill(-1);
    data[13] = 0;
    expect((await isosurface(grid, scalars(grid, data), 0)).indices.length).toBe(0);
    data.fill(1);
    data[13] = 0;
    const mesh = await isosurface(grid, scalars(grid, data), 0);
    expect(countEdges(mesh)).toMatchObject(closed);
    expect([...mesh.positions].every((x) => x === 0)).toBe(true);
    expect(surfaceArea(mesh)).toBe(0);
  });

  it("skips cells with a corner that is not finite, and drops what no triangle uses", async () => {
    const grid = cubeGrid([9, 9, 9]);
    for (const hole of [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]) {
      const field = sample(grid, sphere);
      field.data[4 + 9 * (4 + 9 * 7)] = hole;
      const mesh = await isosurface(grid, field, 0.7);
      const { boundary, irregular } = countEdges(mesh);
      expect(boundary).toBeGreaterThan(0);
      expect(irregular).toBe(0);
      expect(new Set(mesh.indices).size).toBe(mesh.positions.length / 3);
      expect([...mesh.positions, ...mesh.normals].every(Number.isFinite)).toBe(true);
    }
  });

  it("takes integers and fractional isovalues, negative ones too", async () => {
    const grid: Grid = { kind: "uniform", dims: [4, 4, 4], origin: [0, 0, 0], spacing: [1, 1, 1] };
    for (const [Type, low, high, isovalue] of [
      [Uint8Array, 10, 14, 11.5],
      [Int16Array, -300, -296, -298.5],
    ] as const) {
      const data = new Type(64).fill(low);
      for (const i of [21, 22, 25, 26, 37, 38, 41, 42]) data[i] = high;
      const mesh = await isosurface(grid, scalars(grid, data), isovalue);
      const t = (isovalue - low) / (high - low);
      expectArraysClose(meshBounds(mesh) ?? [], [t, 3 - t, t, 3 - t, t, 3 - t], { absolute: 1e-6 });
      expect(eulerCharacteristic(mesh)).toBe(2);
    }
  });

  it("takes 64-bit integers", async () => {
    const grid: Grid = { kind: "uniform", dims: [2, 2, 2], origin: [0, 0, 0], spacing: [1, 1, 1] };
    const mesh = await isosurface(grid, scalars(grid, BigInt64Array.of(4n, 0n, 0n, 0n, 0n, 0n, 0n, 0n)), 1);
    expect([...mesh.positions]).toEqual([0.75, 0, 0, 0, 0.75, 0, 0, 0, 0.75]);
  });

  it("contours one component and colours by another", async () => {
    const grid = cubeGrid([9, 9, 9]);
    const f = sample(grid, sphere).data as Float32Array;
    const data = new Float32Array(3 * 729);
    for (let i = 0; i < 729; i++) data.set([7, f[i], 3 * (nodeCoordinates(grid, 0)[i % 9] + 2)], 3 * i);
    const vectors = makeField(grid, "v", "node", 3, data);
    const mesh = await isosurface(grid, vectors, 0.6, { component: 1, color: vectors, colorComponent: 2 });
    expect(mesh.positions).toEqual((await isosurface(grid, scalars(grid, f), 0.6)).positions);
    expectArraysClose(
      mesh.scalars ?? [],
      Array.from({ length: mesh.positions.length / 3 }, (_, v) => 3 * (mesh.positions[3 * v] + 2)),
      { absolute: 2e-6 },
    );
  });
});

describe("grids", () => {
  it.each([
    [2, 9, 9],
    [9, 2, 9],
    [9, 9, 2],
    [2, 2, 2],
  ] as Triple[])("of %d × %d × %d points have a surface", async (...dims) => {
    const grid = cubeGrid(dims);
    const mesh = await isosurface(
      grid,
      sample(grid, (x, y, z) => x + 0.9 * y + 0.8 * z),
      0.1,
    );
    expect(countEdges(mesh).boundary).toBeGreaterThan(2);
    expect(countEdges(mesh).irregular).toBe(0);
    expect(eulerCharacteristic(mesh)).toBe(1);
  });

  it.each([
    [1, 9, 9],
    [9, 1, 1],
    [1, 1, 1],
  ] as Triple[])("of %d × %d × %d points have none", async (...dims) => {
    const grid: Grid = { kind: "uniform", dims, origin: [0, 0, 0], spacing: [1, 1, 1] };
    const data = Float32Array.from({ length: dims[0] * dims[1] * dims[2] }, (_, i) => i);
    expect((await isosurface(grid, scalars(grid, data), 0.5)).indices.length).toBe(0);
  });

  it("far from the origin keep the surface's shape", async () => {
    const near = cubeGrid([9, 9, 9]);
    const far = { ...near, origin: [4e5 - 1, -1, -1] as Triple };
    const mesh = await isosurface(far, sample(near, sphere), 0.7);
    const expected = await isosurface(near, sample(near, sphere), 0.7);
    expectArraysClose(
      mesh.positions,
      expected.positions.map((x, i) => x + (i % 3 === 0 ? 4e5 : 0)),
      { absolute: 2 ** -6 },
    );
    expect(mesh.normals).toEqual(expected.normals);
  });
});

describe("misuse", () => {
  const grid = cubeGrid([3, 3, 3]);
  const field = sample(grid, sphere);

  it("an empty surface is an empty mesh", async () => {
    for (const isovalue of [-1, 99]) {
      const mesh = await isosurface(grid, field, isovalue);
      expect([mesh.indices.length, mesh.positions.length]).toEqual([0, 0]);
    }
  });

  it.each([Number.NaN, Number.POSITIVE_INFINITY])("refuses the isovalue %d", async (isovalue) => {
    await expect(isosurface(grid, field, isovalue)).rejects.toThrow("finite");
  });

  it("refuses values in cells and components that are not there", async () => {
    const cells = makeField(grid, "p", "cell", 1, new Float32Array(8));
    await expect(isosurface(grid, cells, 1)).rejects.toThrow("recenter(p)");
    await expect(isosurface(grid, field, 1, { component: 1 })).rejects.toThrow("component 1");
    await expect(isosurface(grid, field, 1, { color: cells })).rejects.toThrow("colour");
  });

  it("stops when it is cancelled", async () => {
    const large = cubeGrid([120, 120, 120]);
    const abort = new AbortController();
    const job = { signal: abort.signal, progress: () => abort.abort() };
    await expect(isosurface(large, sample(large, tangle), 0.5, {}, job)).rejects.toThrow("cancelled");
  });
});
