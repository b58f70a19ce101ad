import { describe, expect, it } from "vitest";
import { noJob } from "../../core/job.ts";
import { emptyMesh } from "../../core/mesh.ts";
import { trianglesOf } from "../../core/testing/triangles-of.ts";
import { surfaceJob } from "./surface-job.ts";
import { engineWith, onRanks } from "./testing/on-ranks.ts";
import {
  alone,
  isosurfaceOf,
  onRanksOf,
  pressureSurfaces,
  pressures,
  requestOf,
  rings,
  steps,
  surfaces,
} from "./testing/ranked-surfaces.ts";

const countOf = ([x, y, z]: readonly number[]) => x * y * z;

/** Blocks along x, y and z. */
const divisions = [
  [1, 1, 1],
  [2, 2, 1],
  [1, 3, 2],
  [1, 1, 7],
] as const;

describe("surfaces on ranks", () => {
  it.each(Object.entries(surfaces))("are one rank's, to the bit: %s", async (_, surface) => {
    const wanted = { ...surface, colorBy: "c + f" };
    const expected = await alone(rings, wanted);
    for (const blocks of divisions) {
      const [{ mesh, ranks: reports }] = await onRanksOf(countOf(blocks), rings, { ...wanted, blocks });
      expect(expected.indices.length, `${blocks} blocks`).toBeGreaterThan(100);
      expect(trianglesOf(mesh)).toEqual(trianglesOf(expected));
      expect(mesh.positions.length).toBe(expected.positions.length);
      expect(reports.reduce((sum, { triangles }) => sum + triangles, 0)).toBe(expected.indices.length / 3);
    }
  });

  it.each([
    [1, 1, 4],
    [2, 2, 2],
    [1, 1, 16],
  ])(
    "are one rank's where values equal the isovalue on whole planes, in blocks of %i x %i x %i",
    async (...blocks) => {
      for (const isovalue of [0, 1.5]) {
        const shape = isosurfaceOf("f", isovalue);
        const [{ mesh }] = await onRanksOf(countOf(blocks), steps, { shape, blocks });
        const expected = await alone(steps, { shape });
        expect(expected.indices.length).toBeGreaterThan(300);
        expect(trianglesOf(mesh)).toEqual(trianglesOf(expected));
        expect(mesh.positions.length).toBe(expected.positions.length);
      }
    },
  );

  it("are one rank's, to the bit, of values that f32 cannot hold", async () => {
    for (const wanted of pressureSurfaces.map((surface) => ({ ...surface, colorBy: "p" }))) {
      const expected = await alone(pressures, wanted);
      expect(expected.indices.length).toBeGreaterThan(100);
      for (const blocks of [
        [13, 1, 1],
        [2, 3, 1],
      ]) {
        const [{ mesh }] = await onRanksOf(countOf(blocks), pressures, { ...wanted, blocks });
        expect(trianglesOf(mesh)).toEqual(trianglesOf(expected));
      }
    }
  });

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
    for (const change of [
      { shape },
      { shape: points },
      { colorBy: 3 },
      { text: null },
      { source: null },
      { clip: { origin: [0, 0, 0], normal: [0, 0, 0] } },
      { form: "other" },
    ])
      expect(() => surfaceJob.parse({ ...good, ...change })).toThrow();
    const form = { form: "distributed", blocks: [1, 2, 2] } as const;
    expect(() => surfaceJob.parse({ ...good, ...form })).toThrow();
    expect(() => requestOf({ shape: isosurfaceOf("f", 1), ...form })).toThrow("1x2x2");
    const slice = requestOf(surfaces["clipped slice"]);
    expect(surfaceJob.parse(slice)).toEqual(slice);
    expect(() => surfaceJob.parse({ ...slice, text: "f" })).toThrow();
  });
});
