import { describe, expect, it } from "vitest";
import { buildKdTree } from "../../algorithms/kd-tree/build.ts";
import { pointDensity } from "../../algorithms/kd-tree/density.ts";
import { noJob } from "../../core/job.ts";
import { pointsOf } from "../../core/kd-tree/testing/points.ts";
import type { PointSet } from "../../core/point-set.ts";
import { createCpuPrimitives } from "../../cpu/primitives/cpu-primitives.ts";
import { dataSetOf, randomGrid, sampledField } from "../../lang/expression/execute/testing/data-sets.ts";
import { neighborsJob } from "./neighbors-job.ts";
import { engineWith, onRanks, type Readers, testSource } from "./testing/on-ranks.ts";

/** Points with an integer for a coordinate's middle, so that f32 holds what is relative to it. */
function setOf(coordinates: Float32Array, dimensions: 2 | 3): PointSet {
  const positions = new Float64Array((3 * coordinates.length) / dimensions);
  for (const [at, x] of coordinates.entries())
    positions[3 * Math.floor(at / dimensions) + (at % dimensions)] = x;
  return { name: "points", dimensions, positions, columns: [], notes: ["a note"] };
}

async function found(
  ranks: number,
  data: PointSet,
  k: number | null,
  radius: number | null,
  readers: Readers = "all",
) {
  const [first, ...others] = await onRanks(ranks, (communicator) =>
    neighborsJob.run(
      { communicator, engine: engineWith(data, communicator.rank, readers), context: noJob },
      { source: testSource, k, radius },
    ),
  );
  expect(others.every((other) => other === undefined)).toBe(true);
  if (!first) throw new Error("Rank 0 has no result.");
  return first;
}

/** What ranks of several numbers find is compared by `kd-tree/find-neighbors.test.ts`. */
const sizes = process.env.CRINKLE_SWEEP === "1" ? [2, 3, 5] : [3];

describe("neighbours on ranks", () => {
  it.each(sizes)("are one rank's on %i ranks, whoever reads the points", async (ranks) => {
    for (const [shape, dimensions, k, radius, readers] of [
      ["on a lattice, many equal", 2, 7, null, "all"],
      ["on a lattice, many equal", 2, null, 0.5, "host"],
      ["random", 3, 60, 1, "host"],
    ] as const) {
      const points = setOf(pointsOf(shape, 90, dimensions), dimensions);
      const { ranks: _, trace: __, ...alone } = await found(1, points, k, radius);
      const { ranks: reports, trace, ...result } = await found(ranks, points, k, radius, readers);
      const origin = readers === "all" ? "read by each rank" : "sent by the host";
      expect(result).toEqual({ ...alone, origin });
      expect(reports.map(({ rank }) => rank)).toEqual(Array.from({ length: ranks }, (_, rank) => rank));
      expect(reports.reduce((sum, { points }) => sum + points, 0)).toBe(90);
      const did = new Set(trace.flat().map(({ activity, name }) => `${activity} ${name}`));
      for (const what of ["pack pack", "send alltoall", "compute Find neighbours on ranks"])
        expect(did).toContain(what);
    }
  });

  it("are others than the point itself, the nearest first, with the density that they tell", async () => {
    const coordinates = Float32Array.of(-4, 0, 0, 0, 1, 0, 1, 0, 4, 0);
    const { starts, ids, distances, densities, notes } = await found(2, setOf(coordinates, 2), 2, null);
    expect([...starts]).toEqual([0, 2, 4, 6, 8, 10]);
    expect([...ids]).toEqual([1, 2, 2, 3, 3, 1, 2, 1, 2, 3]);
    expect([...distances]).toEqual([4, 5, 1, 1, 0, 1, 0, 1, 3, 3]);
    const tree = await buildKdTree(createCpuPrimitives(), coordinates, 2);
    expect(densities).toEqual(pointDensity(tree, 2));
    expect(notes).toEqual(["a note"]);
  });

  it("are all there are where more are asked for, and none of a point alone", async () => {
    const few = setOf(pointsOf("random", 4, 3), 3);
    const { starts, densities } = await found(3, few, 100, null);
    expect([...starts]).toEqual([0, 3, 6, 9, 12]);
    expect([...densities].every((density) => density > 0)).toBe(true);
    expect(await found(3, setOf(Float32Array.of(1, 2, 3), 3), 5, null)).toMatchObject({
      starts: Uint32Array.of(0, 0),
      densities: Float32Array.of(0),
    });
  });

  it("are refused of a grid, and where nothing is asked for", async () => {
    const grid = randomGrid([3, 3, 3], 1);
    const field = sampledField(grid, "u", "node", (x) => [x]);
    const ofGrid = onRanks(2, (communicator) =>
      neighborsJob.run(
        { communicator, engine: engineWith(dataSetOf(grid, field), communicator.rank), context: noJob },
        { source: testSource, k: 1, radius: null },
      ),
    );
    await expect(ofGrid).rejects.toMatchObject({
      tag: "BadArgument",
      problem: expect.stringContaining("is a grid"),
    });
    for (const request of [
      { k: 0, radius: null },
      { k: 1.5, radius: null },
      { k: 1025, radius: null },
      { k: null, radius: -1 },
      { k: null, radius: null },
      { k: 3, radius: null, source: { kind: "tape" } },
    ]) {
      const value = { source: testSource, ...request };
      expect(() => neighborsJob.parse(value), JSON.stringify(request)).toThrow();
    }
    expect(neighborsJob.parse({ source: testSource, k: 3, radius: 0 })).toMatchObject({ k: 3, radius: 0 });
  });
});
