import { describe, expect, it } from "vitest";
import type { Triple } from "../../core/grid.ts";
import type { Primitives } from "../../core/primitives/primitives.ts";
import type { Vector } from "../../core/primitives/vector.ts";
import { createCpuPrimitives } from "../../cpu/primitives/cpu-primitives.ts";
import { crowdedGrid, cubeGrid, sample } from "../../cpu/surfaces/testing/fields.ts";
import { createDistributedPrimitives } from "../../distributed/distributed-primitives.ts";
import { counting } from "../../distributed/testing/counting.ts";
import { inProcess } from "../../distributed/testing/in-process.ts";
import { composedClip } from "./clip.ts";
import { composedCut } from "./cut.ts";
import { composedIsosurface } from "./isosurface.ts";
import { composedSlice } from "./slice.ts";
import type { Surface } from "./surface.ts";
import { type SurfaceGrid, surfaceGrid } from "./surface-grid.ts";
import { composedThreshold } from "./threshold.ts";

interface Data {
  readonly on: SurfaceGrid;
  readonly values: Vector<"f32">;
  readonly fields: readonly Vector<"f32">[];
}

type Algorithm = (p: Primitives, data: Data) => Promise<Surface>;

const wave = (x: number, y: number, z: number) => Math.sin(5 * x) + Math.cos(4 * y) * Math.sin(3 * z);
const plane = { origin: [0.1, 0.1, 0.1], normal: [1, 2, 3] } as const;

const algorithms: Readonly<Record<string, Algorithm>> = {
  soup: (p, { on, values, fields }) =>
    composedIsosurface(p, on, values, { isovalues: [0.1, 0.4], fields, hasCells: true }),
  flat: (p, { on, values, fields }) =>
    composedIsosurface(p, on, values, { isovalues: [0.1], fields, isFlat: true }),
  welded: (p, { on, values, fields }) =>
    composedIsosurface(p, on, values, { isovalues: [0.1, 0.4], fields, isWelded: true }),
  plane: (p, { on, fields }) => composedCut(p, on, { kind: "plane", plane }, { fields, hasCells: true }),
  sphere: (p, { on, fields }) =>
    composedCut(p, on, { kind: "sphere", center: on.center, radius: 0.4 }, { fields, isWelded: true }),
  slice: (p, { on, fields }) => composedSlice(p, on, { axis: 1, position: on.center[1] }, { fields }),
  threshold: (p, { on, values, fields }) =>
    composedThreshold(p, on, values, [-0.2, 0.6], { fields, isWelded: true, hasCells: true }),
  async clip(p, data) {
    const surface = await algorithms.welded(p, data);
    return composedClip(p, surface, plane, data.on.center, { isWelded: true });
  },
};

const dataOf = (p: Primitives, dims: Triple): Data => {
  const grid = crowdedGrid(dims);
  const [values, color] = [wave, (x: number, y: number, z: number) => x * y - z].map((f) =>
    p.fromHost("f32", sample(grid, f).data as Float32Array),
  );
  return { on: surfaceGrid(p, grid), values, fields: [color] };
};

/** All words of a surface. */
async function wordsOf(p: Primitives, { positions, normals, fields, ids, indices, cells }: Surface) {
  const all = [];
  for (const vector of [positions, normals, ...fields, ids, indices, cells])
    all.push(vector && (await p.toHost<"f32" | "u32">(vector)));
  return all;
}

describe("surfaces over ranks", () => {
  it.each(Object.entries(algorithms))("are one rank's to the bit: %s", async (_, algorithm) => {
    const made = async (p: Primitives) => wordsOf(p, await algorithm(p, dataOf(p, [11, 9, 12])));
    const expected = await made(createCpuPrimitives());
    expect(expected[0]?.length).toBeGreaterThan(150);
    for (const size of [1, 2, 3, 7]) {
      const ranks = inProcess(size).map((communicator) =>
        made(createDistributedPrimitives(communicator, createCpuPrimitives())),
      );
      for (const words of await Promise.all(ranks)) expect(words, `${size} ranks`).toEqual(expected);
    }
  });
});

/** The most words that a rank sends for a soup, on a grid of so many layers of 16 x 16 nodes. */
async function sentForSoup(size: number, layers: number): Promise<number> {
  const grid = cubeGrid([16, 16, layers]);
  const data = sample(grid, wave).data as Float32Array;
  const sent = await Promise.all(
    inProcess(size).map(async (communicator) => {
      const counted = counting(communicator);
      const p = createDistributedPrimitives(counted, createCpuPrimitives());
      // Whole planes of nodes, as the ranks of a job have them.
      const [from, to] = [counted.rank, counted.rank + 1].map(
        (rank) => 256 * Math.floor((rank * layers) / size),
      );
      const values = await p.fromParts("f32", data.slice(from, to));
      const surface = await composedIsosurface(p, surfaceGrid(p, grid), values, {
        isovalues: [0.1],
        fields: [values],
      });
      expect(surface.positions.length).toBeGreaterThan(100 * layers);
      return counted.sent;
    }),
  );
  return Math.max(...sent);
}

describe("the words that an isosurface sends", () => {
  /** In planes: halos of cells twice, of gradients to either side, and of a field. */
  const halos = 8 * 256;
  /** Status words, totals and ends: of each of p ranks. */
  const few = 64;

  it.each([2, 3, 4, 8])("are halos and a few for each of %i ranks", async (size) => {
    for (const layers of [33, 64, 129])
      expect(await sentForSoup(size, layers), `${layers} layers`).toBeLessThanOrEqual(halos + few * size);
  });

  it("are a few where there is one rank", async () => {
    expect(await sentForSoup(1, 64)).toBeLessThanOrEqual(few);
  });
});
