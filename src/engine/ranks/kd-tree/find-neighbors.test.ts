import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { noJob } from "../../../core/job.ts";
import { pointsOf, shapes } from "../../../core/kd-tree/testing/points.ts";
import type { RankCommunicator } from "../../../distributed/api.ts";
import { findNeighbors, type Wanted } from "./find-neighbors.ts";
import type { NeighborLists } from "./neighbor-lists.ts";
import { onTreeRanks } from "./testing/on-tree-ranks.ts";

/** The points near each place: ids and squared distances. */
type Found = (readonly [id: number, square: number])[][];

function byForce(
  points: Float32Array,
  places: Float32Array,
  dimensions: number,
  { k, radius }: Wanted,
): Found {
  return Array.from({ length: places.length / dimensions }, (_, query) =>
    Array.from({ length: points.length / dimensions }, (_, id) => {
      let square = 0;
      for (let axis = 0; axis < dimensions; axis++)
        square += (points[dimensions * id + axis] - places[dimensions * query + axis]) ** 2;
      return [id, square] as const;
    })
      .filter(([, square]) => square <= radius ** 2)
      .sort((a, b) => a[1] - b[1] || a[0] - b[0])
      .slice(0, k),
  );
}

const listed = ({ starts, ids, squares }: NeighborLists): Found =>
  Array.from({ length: starts.length - 1 }, (_, i) =>
    Array.from({ length: starts[i + 1] - starts[i] }, (_, j) => [ids[starts[i] + j], squares[starts[i] + j]]),
  );

/** What ranks find that have points and places of these numbers of their own. */
async function found(
  points: Float32Array,
  places: Float32Array,
  dimensions: number,
  wanted: Wanted,
  shares: { readonly points?: readonly number[]; readonly places: readonly number[] },
): Promise<Found> {
  const [lists] = await foundEach(points, places, dimensions, [wanted], shares);
  return lists;
}

/** The same for several questions, in one tree. */
async function foundEach(
  points: Float32Array,
  places: Float32Array,
  dimensions: number,
  wanted: readonly Wanted[],
  shares: { readonly points?: readonly number[]; readonly places: readonly number[] },
): Promise<Found[]> {
  const ofRanks = await onTreeRanks(
    shares.places.length - 1,
    points,
    dimensions,
    async ({ communicator, tree }) => {
      const [from, to] = shares.places.slice(communicator.rank);
      const own = places.subarray(dimensions * from, dimensions * to);
      const lists = [];
      for (const each of wanted)
        lists.push(listed(await findNeighbors(communicator, tree, own, each, noJob)));
      return lists;
    },
    shares.points,
  );
  return wanted.map((_, w) => ofRanks.flatMap((lists) => lists[w]));
}

const evenly = (count: number, size: number) =>
  Array.from({ length: size + 1 }, (_, rank) => Math.floor((count * rank) / size));

/** Of those that are powers of two, one beside 1. */
const sizes = process.env.CRINKLE_SWEEP === "1" ? [1, 2, 3, 4, 7, 8] : [1, 3, 4, 7];

describe("neighbours over ranks", () => {
  it.each(sizes)("are those of all points, the lower index first, on %i ranks", async (size) => {
    for (const [number, shape] of Object.keys(shapes).entries()) {
      const dimensions = 2 + (number % 2);
      const points = pointsOf(shape, 120, dimensions, 3);
      const places = pointsOf(shape, 40, dimensions, 4);
      const wanted = [
        { k: 8, radius: Infinity },
        { k: undefined, radius: 0.4 },
        { k: 3, radius: 0.2 },
      ];
      const lists = await foundEach(points, places, dimensions, wanted, { places: evenly(40, size) });
      expect(lists, shape).toEqual(wanted.map((each) => byForce(points, places, dimensions, each)));
    }
  });

  it("are found of any points and places, wherever they are", async () => {
    const coordinate = fc.oneof(
      fc.integer({ min: -2, max: 2 }),
      fc.float({ noNaN: true, noDefaultInfinity: true, min: -1000, max: 1000 }),
    );
    const rows = fc.array(fc.tuple(coordinate, coordinate, coordinate), { maxLength: 40 });
    const cuts = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 4, maxLength: 4 });
    const property = fc.asyncProperty(
      fc.record({ dimensions: fc.constantFrom(2, 3), points: rows, places: rows }),
      fc.record({ size: fc.integer({ min: 1, max: 5 }), ofPoints: cuts, ofPlaces: cuts }),
      fc.oneof(fc.constant(undefined), fc.integer({ min: 1, max: 50 })),
      fc.oneof(fc.constant(Infinity), fc.integer({ min: 0, max: 3 })),
      async ({ dimensions, ...given }, { size, ofPoints, ofPlaces }, k, radius) => {
        const [points, places] = [given.points, given.places].map((rows) =>
          Float32Array.from(rows.flatMap((row) => row.slice(0, dimensions))),
        );
        const cutAt = (fractions: readonly number[], count: number) => [
          0,
          ...fractions
            .slice(1, size)
            .map((x) => Math.floor(x * count))
            .sort((a, b) => a - b),
          count,
        ];
        const shares = {
          points: cutAt(ofPoints, given.points.length),
          places: cutAt(ofPlaces, given.places.length),
        };
        const wanted = { k, radius };
        const lists = await found(points, places, dimensions, wanted, shares);
        expect(lists).toEqual(byForce(points, places, dimensions, wanted));
      },
    );
    await fc.assert(property, { numRuns: 60 });
  });

  it("are asked of the ranks that may have them alone", async () => {
    const size = 4;
    const points = pointsOf("random", 4000, 2, 5);
    const asked = await onTreeRanks(size, points, 2, async ({ communicator, tree }) => {
      const own = points.slice(2000 * communicator.rank, 2000 * (communicator.rank + 1));
      let questions = 0;
      const alltoall: RankCommunicator["alltoall"] = (parts) => {
        for (const part of parts)
          if (part instanceof Float64Array && exchanges % 4 === 0) questions += part.length / 3;
        exchanges++;
        return communicator.alltoall(parts);
      };
      let exchanges = 0;
      await findNeighbors({ ...communicator, alltoall }, tree, own, { k: 8, radius: Infinity }, noJob);
      return questions;
    });
    const all = asked.reduce((sum, questions) => sum + questions);
    expect(all).toBeGreaterThan(4000);
    expect(all).toBeLessThan(1.3 * 4000);
  });
});
