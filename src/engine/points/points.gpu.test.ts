import { expect, onTestFinished, test } from "vitest";
import { buildKdTree } from "../../algorithms/kd-tree/build.ts";
import { pointDensity } from "../../algorithms/kd-tree/density.ts";
import { noJob } from "../../core/job.ts";
import type { PointSet } from "../../core/point-set.ts";
import { createCpuPrimitives } from "../../cpu/primitives/cpu-primitives.ts";
import { trimPrimitives } from "../../gpu/primitives/with-primitives.ts";
import { isSweep } from "../../gpu/testing/sweep.ts";
import type { Hit } from "../../viewer/viewer.ts";
import { openEngineDevice } from "../device.ts";
import { statisticsOf } from "../host-statistics.ts";
import { Session } from "../session.ts";
import { ballData } from "../testing/data.ts";
import { testLayer } from "../testing/layers.ts";
import { ViewerHost } from "../viewer-host.ts";
import { GpuPoints } from "./gpu-points.ts";

/** So many in a sweep that software adapters, too, build the tree on the GPU. */
const count = isSweep ? 2 ** 17 + 1 : 300;

/** Points on a spiral around (1000, 0, 0), the closer the later; mass 0, 1, 2, … */
function spiral(dimensions: 2 | 3): PointSet {
  const positions = new Float64Array(3 * count);
  for (let i = 0; i < count; i++) {
    const r = 2 - i / count;
    positions.set(
      [1000 + r * Math.cos(0.3 * i), r * Math.sin(0.3 * i), dimensions === 3 ? (1.2 * i) / count : 0],
      3 * i,
    );
  }
  const data = Float32Array.from({ length: count }, (_, i) => i);
  const columns = [{ name: "mass", components: 1, dtype: "f32", data }] as const;
  return { name: "spiral", dimensions, positions, columns, notes: [] };
}

const layer = testLayer("points", { kind: "points", size: 6 }, { colorBy: "mass / 2" });

async function show(points: PointSet) {
  const session = new Session(await openEngineDevice("auto", navigator.gpu));
  const { gpu } = session.device;
  if (!gpu) throw new Error("no GPU");
  const viewport = { width: 200, height: 150, pixelRatio: 1 };
  const failed = (error: unknown) => expect.unreachable(String(error));
  const events = { counted: () => {}, barsChanged: () => {}, failed };
  const host = await ViewerHost.create(gpu, new OffscreenCanvas(8, 8), viewport, "light", events);
  onTestFinished(() => {
    host.viewer.dispose();
    gpu.device.destroy();
  });
  const data = await session.prepare(points, noJob);
  const summary = await session.setData(data);
  host.viewer.setGrid(data.bounds);
  return { session, host, summary };
}

test("points are coloured by columns, expressions and densities, and picked with those around them", async () => {
  for (const dimensions of [3, 2] as const) {
    const points = spiral(dimensions);
    const { session, host, summary } = await show(points);
    expect(summary).toMatchObject({ grid: undefined, points: { count, dimensions } });
    const { layers, viewer } = host;
    await layers.set(session, layer, noJob);
    layers.remove("points");
    const held = async () => {
      await trimPrimitives(session.device.gpu!);
      return session.memoryUse?.current;
    };
    const bytes = await held();
    expect((await layers.set(session, layer, noJob)).color).toMatchObject({
      min: 0,
      max: (count - 1) / 2,
    });
    viewer.resetView("+z");
    const hits = [];
    for (let x = 20; x < 180; x += 4) {
      const hit = await viewer.pick(x, 75);
      if (hit) hits.push(await layers.report(session, hit));
    }
    expect(hits.length).toBeGreaterThan(5);
    for (const report of hits) {
      const [mass] = report?.values[0].values ?? [];
      expect(report?.position).toEqual([...points.positions.subarray(3 * mass, 3 * mass + 3)]);
      const distances = Array.from({ length: count }, (_, i) =>
        Math.hypot(
          ...[0, 1, 2].map((axis) => points.positions[3 * i + axis] - points.positions[3 * mass + axis]),
        ),
      );
      const expected = distances.toSorted((a, b) => a - b).slice(0, 8);
      expect(report?.nearest?.map(({ distance }) => distance.toFixed(5))).toEqual(
        expected.map((d) => d.toFixed(5)),
      );
      expect(report?.nearest?.[0]).toMatchObject({
        index: mass,
        distance: 0,
        values: [{ values: [mass] }, {}],
      });
    }

    const paint = { ...layer.paint, range: "surface" } as const;
    const dense = await layers.set(session, { ...layer, colorBy: "density", paint }, noJob);
    const flat = Float32Array.from(
      [...points.positions]
        .filter((_, i) => i % 3 < dimensions)
        .map((c, i) => (i % dimensions ? c : c - 1000)),
    );
    const expected = await statisticsOf(
      pointDensity(await buildKdTree(createCpuPrimitives(), flat, dimensions), 16),
      1,
    );
    expect((dense.color?.max ?? 0) / expected.max).toBeCloseTo(1, 2);
    expect((dense.color?.min ?? 0) / expected.min).toBeCloseTo(1, 2);
    const [{ bar }] = layers.bars;
    expect(bar.title).toBe("density");
    expect(bar.max).toBeLessThan(dense.color?.max ?? 0);
    layers.remove("points");
    expect(await held()).toBe(bytes);
  }
}, 600_000);

test("points that are released while their tree is built are left alone, and the tree frees what it took", async () => {
  const { session, host } = await show(spiral(3));
  const gpu = session.device.gpu!;
  const faults: string[] = [];
  gpu.device.addEventListener("uncapturederror", ({ error }) => faults.push(error.message));
  const before = gpu.pool.use.current;
  const { data } = session;
  for (const ask of [
    (points: GpuPoints) => points.takeDensities(noJob),
    (points: GpuPoints) => points.tree(),
  ]) {
    const points = await GpuPoints.send(gpu, data.points!, data.bounds, noJob);
    const asked = ask(points);
    points.release();
    await expect(asked).rejects.toMatchObject({ tag: "Cancelled" });
    expect(gpu.pool.use.current).toBe(before);
  }
  await host.layers.set(session, layer, noJob);
  host.viewer.resetView("+z");
  let hit: Hit | undefined;
  for (let x = 20; x < 180 && !hit; x += 4) hit = await host.viewer.pick(x, 75);
  const shown = gpu.pool.use.current;
  const aside = host.layers.report(session, hit!);
  host.layers.remove(layer.id);
  expect(await aside).toBeUndefined();
  await host.layers.set(session, layer, noJob);
  hit = undefined;
  for (let x = 20; x < 180 && !hit; x += 4) hit = await host.viewer.pick(x, 75);
  const late = host.layers.report(session, hit!);
  await session.setDataSet(ballData());
  expect(await late).toBeUndefined();
  expect(gpu.pool.use.current).toBeLessThan(shown);
  await gpu.idle();
  expect(faults).toEqual([]);
}, 600_000);

test("points have no surfaces, and grids no points", async () => {
  const { session, host } = await show(spiral(3));
  const shape = { kind: "slice", axis: 0, position: 0 } as const;
  await expect(host.layers.set(session, { ...layer, shape }, noJob)).rejects.toThrow(
    /“spiral” is a set of points/,
  );
  await expect(host.layers.set(session, { ...layer, colorBy: "no" }, noJob)).rejects.toThrow("no");
});
