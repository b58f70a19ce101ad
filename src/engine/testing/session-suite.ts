import { describe, expect, test } from "vitest";
import { flatMesh } from "../../core/flat-mesh.ts";
import type { Triple } from "../../core/grid.ts";
import { noJob } from "../../core/job.ts";
import type { Plane, SurfaceShape } from "../../core/layers.ts";
import type { TriangleMesh } from "../../core/mesh.ts";
import { surfaceArea } from "../../core/mesh-measures.ts";
import { numbersOf } from "../../core/quantity.ts";
import type { EngineDevice } from "../device.ts";
import { nodeScalar } from "../node-scalar.ts";
import { Session } from "../session.ts";
import { surfaceMesh } from "../surface-mesh.ts";
import { contour } from "./contour.ts";
import { ballData } from "./data.ts";

/** What each triangle's corners are, whatever their order and the triangles'. */
function sortedCorners({ positions, normals, scalars, indices }: TriangleMesh): string[] {
  const corners = Array.from(indices, (v) =>
    [...positions.subarray(3 * v, 3 * v + 3), ...normals.subarray(3 * v, 3 * v + 3), scalars?.[v]].join(),
  );
  const triangles = Array.from({ length: corners.length / 3 }, (_, t) =>
    corners.slice(3 * t, 3 * t + 3).sort(),
  );
  return triangles.map((three) => three.join(" ")).sort();
}

/** What every session does on any device. */
export function sessionSuite(what: string, openDevice: () => Promise<EngineDevice>): void {
  const open = async () => {
    const session = new Session(await openDevice());
    await session.setDataSet(ballData());
    return session;
  };

  describe(`a session on ${what}`, () => {
    test("gives a computed vector's components ranges of their own", async () => {
      const session = await open();
      const { derived } = await session.compute("w = {r, 2 - 3 * r, if r > 1 then 0 / 0 else r}", noJob);
      const { min, max } = session.statisticsOf("r");
      const [x, y, z] = derived[0].statistics.componentRanges ?? [];
      expect(x).toEqual([expect.closeTo(min, 5), expect.closeTo(max, 5)]);
      expect(y).toEqual([expect.closeTo(2 - 3 * max, 4), expect.closeTo(2 - 3 * min, 4)]);
      expect(z).toEqual([expect.closeTo(min, 5), expect.any(Number)]);
      expect(z[1]).toBeLessThanOrEqual(1);
      expect(
        (await session.compute("s = r + 1", noJob)).derived[0].statistics.componentRanges,
      ).toBeUndefined();
      await session.close();
    });

    test("reports what is open", async () => {
      const session = new Session(await openDevice());
      expect(session.isOpen).toBe(false);
      await expect(session.compute("a = 1", noJob)).rejects.toThrow("No data set is open. Open a file");
      const summary = await session.setDataSet(ballData());
      expect(summary.grid).toMatchObject({
        kind: "uniform",
        dims: [17, 15, 13],
        spacing: [0.25, 0.25, 0.25],
      });
      expect(summary.fields.map(({ name, components, centering }) => [name, components, centering])).toEqual([
        ["r", 1, "node"],
        ["v", 3, "node"],
        ["id", 1, "cell"],
      ]);
      await session.close();
    });

    test("keeps results, not the steps on the way, and builds on them", async () => {
      const session = await open();
      const first = await session.compute("w = curl(v)\nspin = magnitude(w)", noJob);
      expect(first.derived.map(({ name, expression }) => [name, expression])).toEqual([
        ["spin", "magnitude(w)"],
      ]);
      expect(first.notes).toContain(
        "w is an intermediate value and is not kept; compute it by itself to keep it.",
      );
      expect(first.derived[0].statistics.min).toBeCloseTo(4, 5);
      expect(first.derived[0].statistics.max).toBeCloseTo(4, 5);
      const second = await session.compute("twice = 2 * spin", noJob);
      expect(second.derived[0].statistics.mean).toBeCloseTo(8, 5);
      const field = await session.hostField("twice");
      expect(field).toMatchObject({ components: 1, centering: "node", dtype: "f32" });
      expect(field.data.length).toBe(17 * 15 * 13);
      await session.close();
    });

    test("replaces a result of the same name, reading the former", async () => {
      const session = await open();
      await session.compute("a = r - r + 1", noJob);
      await session.compute("a = a + 1", noJob);
      expect(session.statisticsOf("a")).toMatchObject({ min: 2, max: 2 });
      expect(session.derived.all()).toHaveLength(1);
      await session.close();
    });

    test("suggests names, and stays as it was after an error", async () => {
      const session = await open();
      await session.compute("a = 2 * r", noJob);
      await expect(session.compute("b = magnitude(vv)", noJob)).rejects.toMatchObject({
        tag: "UnknownName",
      });
      await expect(session.hostField("b")).rejects.toThrow(
        "There is no field “b”. The fields are “r”, “v”, “id”, “a”.",
      );
      expect(session.signatures().map(({ name }) => name)).toEqual(["r", "v", "id", "a"]);
      await session.close();
    });

    test("cuts surfaces from expressions, cells recentred with a note", async () => {
      const session = await open();
      const sphere = await contour(session, { field: "r", isovalue: 1, colorBy: "r * r" });
      expect(surfaceArea(sphere.mesh)).toBeGreaterThan(0.97 * 4 * Math.PI);
      expect(surfaceArea(sphere.mesh)).toBeLessThan(4 * Math.PI);
      const colors = sphere.mesh.scalars!;
      expect(colors.length).toBe(sphere.mesh.positions.length / 3);
      for (const color of colors) expect(Math.abs(color - 1)).toBeLessThan(0.03);
      const cells = await contour(session, { field: "a = id\nb = a * 1", isovalue: 500 });
      expect(cells.mesh.indices.length).toBeGreaterThan(0);
      expect(cells.notes.join(" ")).toContain("averaged to the nodes");
      const request = { field: "r", isovalue: 1, colorBy: "r * r" };
      const [smooth, flat] = [
        (await contour(session, { ...request, soup: "smooth" })).mesh,
        (await contour(session, { ...request, soup: "flat" })).mesh,
      ];
      expect(sortedCorners(smooth)).toEqual(sortedCorners(sphere.mesh));
      expect([flat.positions, flat.scalars]).toEqual([smooth.positions, smooth.scalars]);
      const expected = flatMesh(smooth).normals;
      expect(flat.normals.every((x, w) => Math.abs(x - expected[w]) < 1e-3)).toBe(true);
      const empty = await contour(session, { field: "r", isovalue: 99 });
      expect(empty.mesh.indices.length).toBe(0);
      await session.close();
    });

    test("makes surfaces of every shape, coloured and clipped", async () => {
      const session = await open();
      const plane: Plane = { origin: [0.1, 0.25, 0.5], normal: [0, 0, 1] };
      const middle: Triple = [0, 0.25, 0.5];
      const shapes: readonly [SurfaceShape, area: number, digits: number][] = [
        [{ kind: "slice", axis: 2, position: 0.6 }, 4 * 3.5, 5],
        [{ kind: "cut", by: { kind: "plane", plane: { ...plane, origin: [0, 0, 0.6] } } }, 4 * 3.5, 5],
        [{ kind: "cut", by: { kind: "expression", text: "coords()[2]", value: 0.6 } }, 4 * 3.5, 4],
        // The eight cells around the middle: a cube of edge 0.5.
        [{ kind: "threshold", field: "r", range: [0, 0.5] }, 6 * 0.25, 5],
      ];
      for (const [shape, area, digits] of shapes) {
        const { mesh, ...surface } = await surfaceMesh(session, { shape, colorBy: "r" });
        expect(surface.area, shape.kind).toBeCloseTo(area, digits);
        expect(mesh.scalars).toHaveLength(mesh.positions.length / 3);
        const half = await surfaceMesh(session, { shape, clip: { origin: middle, normal: [1, 0, 0] } });
        expect(half.area).toBeCloseTo(area / 2, digits);
        expect(half.mesh.indices.length).toBeGreaterThan(half.mesh.positions.length / 3);
        for (let v = 0; v < half.mesh.positions.length; v += 3)
          expect(half.mesh.positions[v]).toBeGreaterThan(-1e-6);
      }
      const sphere: SurfaceShape = { kind: "cut", by: { kind: "sphere", center: middle, radius: 1 } };
      const upper = await surfaceMesh(session, { shape: sphere, clip: plane });
      expect(Math.abs(upper.area / (2 * Math.PI) - 1)).toBeLessThan(0.03);
      const nothing = { origin: middle, normal: [0, 0, 0] } as const;
      await expect(surfaceMesh(session, { shape: sphere, clip: nothing })).rejects.toMatchObject({
        tag: "BadArgument",
      });
      await session.close();
    });

    test("keeps numbers, which later texts may name, and histograms apart from fields", async () => {
      const session = await open();
      const { derived, quantities } = await session.compute(
        "most = max(r)\nat = argmin(r)\nh = histogram(r, 4)\nnear = r < median(r)",
        noJob,
      );
      expect(derived.map(({ name }) => name)).toEqual(["near"]);
      expect(quantities.map(({ name, expression }) => [name, expression])).toEqual([
        ["most", "max(r)"],
        ["at", "argmin(r)"],
        ["h", "histogram(r, 4)"],
      ]);
      const [most, , h] = quantities.map(({ quantity }) => numbersOf(quantity));
      expect(most).toEqual([session.statisticsOf("r").max]);
      expect(h.reduce((a, b) => a + b)).toBe(17 * 15 * 13);
      const next = await session.compute("share = r / most\nfar = magnitude(coords() - at)", noJob);
      expect(next.derived.map(({ statistics: { max } }) => max)).toEqual([1, expect.any(Number)]);
      await session.compute("at = r + 1", noJob);
      await session.compute("share = 3", noJob);
      expect(session.derived.all().map(({ name }) => name)).toEqual(["near", "far", "at"]);
      expect(session.derived.names().slice(3)).toEqual(["most", "h", "share"]);
      await expect(session.compute("h + 1", noJob)).rejects.toMatchObject({ tag: "UnknownName" });
      session.derived.remove("most");
      await expect(session.compute("most", noJob)).rejects.toMatchObject({ tag: "UnknownName" });
      await session.close();
    });

    test("refuses vectors and constants where a surface needs a scalar field", async () => {
      const session = await open();
      await expect(nodeScalar(session, "v", noJob)).rejects.toThrow(
        "“v” is a vector (3) where a scalar is needed. Take magnitude(v), or a component.",
      );
      await expect(nodeScalar(session, "1 + 2", noJob)).rejects.toThrow("one number everywhere");
      await expect(nodeScalar(session, "argmax(r)", noJob)).rejects.toThrow("is a vector (3) everywhere");
      await expect(nodeScalar(session, "histogram(r)", noJob)).rejects.toThrow("is a histogram, not a");
      await expect(nodeScalar(session, "r + nope", noJob)).rejects.toThrow(
        "There is no field “nope” (line 1, column 5).",
      );
      await session.close();
    });

    test("a cancelled computation leaves nothing behind", async () => {
      const session = await open();
      const { gpu } = session.device;
      await session.compute("warm = q_criterion(v)", noJob);
      const before = gpu?.pool.use.current;
      const job = { signal: AbortSignal.abort(), progress: () => {} };
      await expect(session.compute("b = r * 3", job)).rejects.toMatchObject({ tag: "Cancelled" });
      expect(session.derived.get("b")).toBeUndefined();
      expect(gpu?.pool.use.current).toBe(before);
      await session.close();
    });
  });
}
