import { describe, expect, it } from "vitest";
import { gridCenter } from "../../core/grid.ts";
import { noJob } from "../../core/job.ts";
import type { SurfaceShape } from "../../core/layers.ts";
import { emptyMesh, type TriangleMesh } from "../../core/mesh.ts";
import {
  dataSetOf,
  randomGrid,
  sampledField,
  uniformGrid,
} from "../../lang/expression/execute/testing/data-sets.ts";
import { openEngineDevice } from "../device.ts";
import { shapeField } from "../layers/shape-surface.ts";
import { Session } from "../session.ts";
import { surfaceMesh } from "../surface-mesh.ts";
import { surfaceJob, surfaceRequest } from "./surface-job.ts";
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

const isosurfaceOf = (field: string, ...isovalues: readonly number[]): SurfaceShape => ({
  kind: "isosurface",
  field,
  isovalues,
  normals: "smooth",
  topology: "table",
});

interface Wanted {
  readonly shape: SurfaceShape;
  readonly text?: string;
  readonly colorBy?: string;
}

const requestOf = ({ shape, text, colorBy }: Wanted) =>
  surfaceRequest(testSource, shape, { text: text ?? shapeField(shape), colorBy });

async function onRanksOf(ranks: number, dataSet: typeof rings, ...wanted: readonly Wanted[]) {
  const [found] = await onRanks(ranks, async (communicator) => {
    const engine = engineWith(dataSet, communicator.rank);
    const made = [];
    for (const one of wanted)
      made.push(await surfaceJob.run({ communicator, engine, context: noJob }, requestOf(one)));
    await engine.kept.clear();
    return made;
  });
  return found.map((surface) => {
    if (!surface) throw new Error("Rank 0 has no surface.");
    return surface;
  });
}

async function alone(dataSet: typeof rings, { shape, colorBy }: Wanted) {
  const session = new Session(await openEngineDevice("cpu", undefined));
  await session.setDataSet(dataSet);
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

const middle = gridCenter(uneven);
const plane: SurfaceShape = {
  kind: "cut",
  by: { kind: "plane", plane: { origin: middle, normal: [1, 2, 3] } },
};
const zs = uneven.kind === "rectilinear" ? uneven.axes[2] : [];

/** Shapes of the rings; some lie on planes of nodes, where layers of ranks end. */
const shapes: Readonly<Record<string, SurfaceShape>> = {
  isosurfaces: isosurfaceOf("f", -0.5, 0.25),
  "trilinear isosurface": { ...isosurfaceOf("f", 0.25), topology: "trilinear" } as SurfaceShape,
  "flat isosurface": { ...isosurfaceOf("f", 0.25), normals: "flat" } as SurfaceShape,
  "plane cut": plane,
  "cut along a plane of nodes": {
    kind: "cut",
    by: { kind: "plane", plane: { origin: [0, 0, zs[6]], normal: [0, 0, 1] } },
  },
  "sphere cut": { kind: "cut", by: { kind: "sphere", center: middle, radius: 0.4 } },
  "cut by an expression": { kind: "cut", by: { kind: "expression", text: "f + x - y", value: -6 } },
  "slice across x": { kind: "slice", axis: 0, position: middle[0] },
  "slice across z": { kind: "slice", axis: 2, position: middle[2] },
  "slice on a plane of nodes": { kind: "slice", axis: 2, position: zs[5] },
  "slice at the top": { kind: "slice", axis: 2, position: zs[zs.length - 1] },
  threshold: { kind: "threshold", field: "f", range: [-0.3, 0.9] },
};

describe("surfaces on ranks", () => {
  it.each(Object.entries(shapes))("are one rank's, to the bit: %s", async (_, shape) => {
    for (const ranks of [1, 2, 3, 7]) {
      const [{ mesh, ranks: reports }] = await onRanksOf(ranks, rings, { shape, colorBy: "c + f" });
      const expected = await alone(rings, { shape, colorBy: "c + f" });
      expect(expected.indices.length, `${ranks} ranks`).toBeGreaterThan(100);
      expect(trianglesOf(mesh)).toEqual(trianglesOf(expected));
      expect(mesh.positions.length).toBe(expected.positions.length);
      expect(reports.reduce((sum, { triangles }) => sum + triangles, 0)).toBe(expected.indices.length / 3);
    }
  });

  it.each([4, 8, 16])(
    "are one rank's where values equal the isovalue on whole planes, on %i ranks",
    async (ranks) => {
      for (const isovalue of [0, 1.5]) {
        const shape = isosurfaceOf("f", isovalue);
        const [{ mesh }] = await onRanksOf(ranks, steps, { shape });
        const expected = await alone(steps, { shape });
        expect(expected.indices.length).toBeGreaterThan(300);
        expect(trianglesOf(mesh)).toEqual(trianglesOf(expected));
        expect(mesh.positions.length).toBe(expected.positions.length);
      }
    },
  );

  it("are of what is computed, with a colour, and with what all ranks know of the field", async () => {
    const text = "g = magnitude(gradient(f)) / avg(f * f)";
    const shape = isosurfaceOf("magnitude(gradient(f)) / avg(f * f)", 9);
    const [{ mesh, name, field }] = await onRanksOf(3, rings, { shape, text, colorBy: "c + f" });
    const expected = await alone(rings, { shape, colorBy: "c + f" });
    expect(expected.indices.length).toBeGreaterThan(300);
    expect(name).toBe("g");
    expect(field?.count).toBe(13 * 12 * 15);
    expect(trianglesOf(mesh)).toEqual(trianglesOf(expected));
  });

  it("of the same scalars are made without reading and evaluating again", async () => {
    const isovalues = [0.25, 0.3, -0.1];
    const made = await onRanksOf(
      3,
      rings,
      ...isovalues.map((value) => ({ shape: isosurfaceOf("f", value) })),
    );
    for (const [k, { mesh, ranks }] of made.entries()) {
      const expected = await alone(rings, { shape: isosurfaceOf("f", isovalues[k]) });
      expect(trianglesOf(mesh)).toEqual(trianglesOf(expected));
      for (const { ms } of ranks) expect(ms.read > 0).toBe(k === 0);
    }
  });

  it("are evaluated anew by all where one rank has kept nothing", async () => {
    const shape = isosurfaceOf("f", 0.25);
    const expected = await alone(rings, { shape });
    const [found] = await onRanks(3, async (communicator) => {
      const engine = engineWith(rings, communicator.rank);
      const run = () => surfaceJob.run({ communicator, engine, context: noJob }, requestOf({ shape }));
      await run();
      if (communicator.rank === 1) await engine.kept.clear();
      const again = await run();
      await engine.kept.clear();
      return again;
    });
    expect(trianglesOf(found?.mesh ?? emptyMesh)).toEqual(trianglesOf(expected));
  });

  it("are empty where nothing crosses, and refused of what is no scalar", async () => {
    const [{ mesh }] = await onRanksOf(3, rings, { shape: isosurfaceOf("f", 100) });
    expect(mesh.indices.length).toBe(0);
    const vector = { shape: isosurfaceOf("gradient(f)", 1) };
    await expect(onRanksOf(3, rings, vector)).rejects.toMatchObject({ tag: "TypeError" });
    const constant = { shape: isosurfaceOf("3 + avg(f)", 1) };
    await expect(onRanksOf(2, rings, constant)).rejects.toMatchObject({ tag: "TypeError" });
  });

  it("check what a host asks for", () => {
    const good = requestOf({ shape: isosurfaceOf("f", 1) });
    expect(surfaceJob.parse(good)).toEqual(good);
    const shape = { ...(good.shape as object), isovalues: ["1"] };
    const points = { kind: "points", size: 3 };
    for (const change of [{ shape }, { shape: points }, { colorBy: 3 }, { text: null }, { source: null }])
      expect(() => surfaceJob.parse({ ...good, ...change })).toThrow();
    const slice = requestOf({ shape: shapes["slice across x"] });
    expect(surfaceJob.parse(slice)).toEqual(slice);
    expect(() => surfaceJob.parse({ ...slice, text: "f" })).toThrow();
  });
});
