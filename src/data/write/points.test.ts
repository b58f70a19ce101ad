import { expect, test } from "vitest";
import { noJob } from "../../core/job.ts";
import type { PointSet } from "../../core/point-set.ts";
import { plainPoints, readPoints } from "../testing/fixtures.ts";
import { writePointsCsv, writePointsVtp } from "./points.ts";

const points: PointSet = {
  name: "points",
  dimensions: 3,
  positions: Float64Array.of(0, 1 / 3, -2e-300, 1e300, 4, 5, 0.1, 0.2, 0.30000000000000004),
  columns: [
    { name: 'a "b", c', components: 1, dtype: "f32", data: Float32Array.of(0.1, Number.NaN, 1 / 3) },
    { name: "v", components: 2, dtype: "i16", data: Int16Array.of(1, -2, 3, -4, 5, -32768) },
    { name: "x", components: 1, dtype: "i64", data: BigInt64Array.of(2n ** 60n, -1n, 0n) },
    {
      name: "inf",
      components: 1,
      dtype: "f64",
      data: Float64Array.of(Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY, 0.1),
    },
  ],
  notes: [],
};

const join = (chunks: readonly Uint8Array[]) => new Uint8Array(Buffer.concat(chunks));

test("VTP read back is what was written", async () => {
  const read = await readPoints(join(await writePointsVtp(points, noJob)), "a.vtp");
  expect(plainPoints(read)).toEqual(plainPoints(points));
});

test("CSV read back has the same numbers", async () => {
  const bytes = join(await writePointsCsv(points, noJob));
  expect(new TextDecoder().decode(bytes).split("\n").slice(0, 2)).toEqual([
    'x,y,z,"a ""b"", c",v:0,v:1,x,inf',
    "0,0.3333333333333333,-2e-300,0.1,1,-2,1152921504606846976,-inf",
  ]);
  const { positions, columns } = await readPoints(bytes, "a.csv");
  expect(positions).toEqual(points.positions);
  expect(columns.map(({ name, data }) => [name, ...(data as Float64Array)])).toEqual([
    ['a "b", c', 0.1, Number.NaN, 0.333333343],
    ["v:0", 1, 3, 5],
    ["v:1", -2, -4, -32768],
    ["x", 2 ** 60, -1, 0],
    ["inf", Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY, 0.1],
  ]);
});

test("more points than a chunk", async () => {
  const positions = Float64Array.from({ length: 60_000 }, (_, i) => i / 7);
  const read = await readPoints(
    join(await writePointsCsv({ ...points, positions, columns: [] }, noJob)),
    "a.csv",
  );
  expect(read.positions).toEqual(positions);
});
