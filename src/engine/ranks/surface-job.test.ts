import { describe, expect, it } from "vitest";
import { noJob } from "../../core/job.ts";
import type { TriangleMesh } from "../../core/mesh.ts";
import {
  dataSetOf,
  randomGrid,
  sampledField,
  uniformGrid,
} from "../../lang/expression/execute/testing/data-sets.ts";
import { openEngineDevice } from "../device.ts";
import { Session } from "../session.ts";
import { surfaceMesh } from "../surface-mesh.ts";
import { surfaceJob } from "./surface-job.ts";
import { engineWith, onRanks, testSource } from "./testing/on-ranks.ts";

const uneven = randomGrid([13, 12, 15], 3, [-4, 2, 7]);
const even = uniformGrid([17, 17, 17], 2);
const rings = dataSetOf(
  uneven,
  sampledField(uneven, "f", "node", (x, y, z) => Math.sin(9 * x) + Math.cos(8 * y) * Math.sin(7 * z)),
  sampledField(uneven, "c", "cell", (x, y, z) => x * y - z),
);
/** Values equal the isovalue on whole planes and at nodes. */
const steps = dataSetOf(
  even,
  sampledField(even, "f", "node", (x, y, z) => Math.round(8 * z) + (Math.round(8 * (x + y)) % 3) - 8),
);

const request = { source: testSource, wanted: null, topology: "table", colorBy: null } as const;

async function onRanksOf(
  ranks: number,
  dataSet: typeof rings,
  text: string,
  isovalue: number,
  colorBy: string | null = null,
) {
  const [found] = await onRanks(ranks, (communicator) =>
    surfaceJob.run(
      { communicator, engine: engineWith(dataSet, communicator.rank), context: noJob },
      { ...request, text, isovalue, colorBy },
    ),
  );
  if (!found) throw new Error("Rank 0 has no surface.");
  return found;
}

async function alone(dataSet: typeof rings, field: string, isovalue: number, colorBy?: string) {
  const session = new Session(await openEngineDevice("cpu", undefined));
  await session.setDataSet(dataSet);
  const shape = {
    kind: "isosurface",
    field,
    isovalues: [isovalue],
    normals: "smooth",
    topology: "table",
  } as const;
  return (await surfaceMesh(session, { shape, colorBy })).mesh;
}

/** Each triangle by the bits of its corners, from its least corner on: the order of triangles does not matter. */
function trianglesOf({ positions, normals, scalars, indices }: TriangleMesh): string[] {
  const corner = (v: number) =>
    [...positions.subarray(3 * v, 3 * v + 3), ...normals.subarray(3 * v, 3 * v + 3), scalars?.[v] ?? 0].join(
      " ",
    );
  return Array.from({ length: indices.length / 3 }, (_, t) => {
    const corners = [...indices.subarray(3 * t, 3 * t + 3)].map(corner);
    const least = corners.indexOf(corners.toSorted()[0]);
    return [...corners.slice(least), ...corners.slice(0, least)].join(", ");
  }).sort();
}

describe("isosurfaces on ranks", () => {
  it.each([1, 2, 3, 4, 7, 8, 16])("are one rank's, to the bit, on %i ranks", async (ranks) => {
    for (const [dataSet, isovalue] of [
      [rings, 0.25],
      [steps, 0],
      [steps, 1.5],
    ] as const) {
      const { mesh, ranks: reports } = await onRanksOf(ranks, dataSet, "f", isovalue);
      const expected = await alone(dataSet, "f", isovalue);
      expect(expected.indices.length).toBeGreaterThan(300);
      expect(trianglesOf(mesh)).toEqual(trianglesOf(expected));
      expect(mesh.positions.length).toBe(expected.positions.length);
      expect(reports.reduce((sum, { triangles }) => sum + triangles, 0)).toBe(expected.indices.length / 3);
    }
  });

  it("are of what is computed, with a colour, and with what all ranks know of the field", async () => {
    const text = "g = magnitude(gradient(f)) / avg(f * f)";
    const { mesh } = await onRanksOf(3, rings, text, 9, "c + f");
    const expected = await alone(rings, "magnitude(gradient(f)) / avg(f * f)", 9, "c + f");
    expect(expected.indices.length).toBeGreaterThan(300);
    expect(mesh.indices.length).toBe(expected.indices.length);
    expect(mesh.positions.length).toBe(expected.positions.length);
    expect(trianglesOf(mesh)).toEqual(trianglesOf(expected));
  });

  it("are empty where nothing crosses, and refused of what is no scalar", async () => {
    expect((await onRanksOf(3, rings, "f", 100)).mesh.indices.length).toBe(0);
    await expect(onRanksOf(3, rings, "gradient(f)", 1)).rejects.toMatchObject({ tag: "TypeError" });
    await expect(onRanksOf(2, rings, "3 + avg(f)", 1)).rejects.toMatchObject({ tag: "TypeError" });
  });

  it("check what a host asks for", () => {
    const good = { ...request, text: "f", isovalue: 1 };
    expect(surfaceJob.parse(good)).toEqual(good);
    for (const change of [
      { isovalue: "1" },
      { topology: "cubic" },
      { colorBy: 3 },
      { text: null },
      { source: null },
    ]) {
      expect(() => surfaceJob.parse({ ...good, ...change })).toThrow();
    }
  });
});
