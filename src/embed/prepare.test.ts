import { describe, expect, it } from "vitest";
import { flatMesh } from "../core/flat-mesh.ts";
import { enclosedVolume } from "../core/mesh-measures.ts";
import { expectArraysClose } from "../core/testing/compare.ts";
import { prepare } from "./crinkle.ts";

const dims = [9, 9, 9];
const grid = { dims, origin: [-1, -1, -1], spacing: [0.25, 0.25, 0.25] };
const count = 729;
const device = "cpu";

/** The squared distance from the middle. */
const squares = Float32Array.from({ length: count }, (_, i) => {
  const at = (n: number) => (n - 4) / 4;
  return at(i % 9) ** 2 + at(Math.floor(i / 9) % 9) ** 2 + at(Math.floor(i / 81)) ** 2;
});
const filled = (value: number) => new Float32Array(count).fill(value);

describe("prepare on the CPU", () => {
  it("computes each step from new values, and keeps fields that are left out", async () => {
    const loop = await prepare(
      "p = a + 10 * b",
      { grid, fields: { a: filled(1), b: filled(2) } },
      { device },
    );
    const value = async (fields?: { a?: Float32Array; b?: Float32Array }) =>
      (await loop.run(fields as Record<string, Float32Array>)).fields.p.data[0];
    expect(await value()).toBe(21);
    expect(await value({ a: filled(3) })).toBe(23);
    expect(await value({ b: filled(0) })).toBe(3);
    loop.release();
  });

  it("cuts surfaces of each step, coloured by another statement", async () => {
    const text = "r = sqrt(f)\nc = 2 * r\nmean = avg(f)";
    const surface = { field: "r", colorBy: "c" };
    const loop = await prepare(text, { grid, fields: { f: squares } }, { device, surface });
    const { fields, numbers } = await loop.run();
    expect(fields).toEqual({});
    expect(numbers.mean).toBeCloseTo(squares.reduce((a, b) => a + b, 0) / squares.length, 6);
    const sphere = await loop.isosurface(0.5);
    const { positions, scalars, indices } = await sphere.mesh();
    expect(sphere).toMatchObject({ triangles: indices.length / 3, buffers: undefined });
    expect(sphere.triangles).toBeGreaterThan(50);
    for (let i = 0; i < positions.length; i += 3) {
      expect(Math.hypot(...positions.subarray(i, i + 3))).toBeCloseTo(0.5, 1);
    }
    for (const value of scalars as Float32Array) expect(value).toBeCloseTo(1, 1);
    // r rises outwards, so that facets that face lower values face inwards.
    const reversed = await sphere.mesh({ reverseFacets: true });
    expect(enclosedVolume(await sphere.mesh())).toBeLessThan(-0.4);
    expect(enclosedVolume(reversed)).toBe(-enclosedVolume(await sphere.mesh()));
    await expect(sphere.mesh({ reverseFacets: "yes" as never })).rejects.toThrow(/Give true or false/);
    await loop.run({ f: squares.map((value) => value * 4) });
    expect((await loop.isosurface(0.5)).triangles).toBeLessThan(sphere.triangles);

    const flat = { ...surface, soup: "flat" } as const;
    const soups = await prepare(text, { grid, fields: { f: squares } }, { device, surface: flat });
    await soups.run();
    const soup = await (await soups.isosurface(0.5)).mesh();
    expect(soup.positions.length).toBe(9 * sphere.triangles);
    expectArraysClose(soup.normals, flatMesh(soup).normals, { absolute: 1e-3 }, "normals");
  });

  it("stops when its signal says so", async () => {
    const stop = new AbortController();
    const data = { grid, fields: { f: squares } };
    const loop = await prepare("sqrt(f)", data, { device, signal: stop.signal });
    await loop.run();
    stop.abort();
    await expect(loop.run()).rejects.toMatchObject({ tag: "Cancelled" });
  });

  it("refuses by name what does not fit what was prepared", async () => {
    const data = { grid, fields: { f: { data: new Float32Array(512), centering: "cell" as const } } };
    const loop = await prepare("f + 1", data, { device });
    expect((await loop.run({ f: new Float32Array(512).fill(1) })).fields.result.data[0]).toBe(2);
    const cases: readonly [Record<string, unknown>, RegExp][] = [
      [{ g: filled(1) }, /“g” is no field of the preparation\. It has f/],
      [{ f: { data: filled(1), centering: "node" } }, /had 1 component a cell and has 1 component a node/],
      [{ f: { data: new Float32Array(1024), components: 2 } }, /has 2 components a cell/],
      [{ f: filled(1) }, /729 values/],
    ];
    for (const [fields, message] of cases) {
      const run = loop.run(fields as Record<string, Float32Array>);
      await expect(run).rejects.toMatchObject({
        tag: "BadArgument",
        message: expect.stringMatching(message),
      });
    }
    await expect(loop.isosurface(1)).rejects.toThrow(/No surface was prepared/);
    const first = loop.run();
    await expect(loop.run()).rejects.toThrow(/run was called while run is under way/);
    await first;
    loop.release();
    await expect(loop.run()).rejects.toThrow(/released/);
  });

  it("refuses surfaces of what is no scalar at the nodes, and before the first step", async () => {
    const data = {
      grid,
      fields: {
        v: new Float32Array(3 * count),
        rho: { data: new Float32Array(512), centering: "cell" as const },
      },
    };
    const attempt = (text: string, field: string) => prepare(text, data, { device, surface: { field } });
    await expect(attempt("w = v", "w")).rejects.toThrow(/“w” is a vector.*magnitude\(w\)/);
    await expect(attempt("c = rho + 1", "c")).rejects.toThrow(/lives in cells.*recenter\(c\)/);
    await expect(attempt("rate = rho + 1", "rat")).rejects.toThrow(/called “rat”. Did you mean “rate”/);
    const surface = { field: "s", soup: "facets" as "flat" };
    await expect(prepare("s = magnitude(v)", data, { device, surface })).rejects.toThrow(
      /soup “facets”. Give “smooth” or “flat”/,
    );
    const topology = "mc33" as "table";
    await expect(
      prepare("s = magnitude(v)", data, { device, surface: { field: "s", topology } }),
    ).rejects.toThrow(/topology “mc33”. Give “table” or “trilinear”/);
    const loop = await attempt("s = magnitude(v)", "s");
    await expect(loop.isosurface(1)).rejects.toThrow(/Await run\(\) first/);
    await loop.run();
    await expect(loop.isosurface(Number.NaN)).rejects.toMatchObject({ tag: "BadArgument" });
  });
});
