import { beforeAll, describe, expect, test, vi } from "vitest";
import { CrinkleError } from "../../core/errors.ts";
import { noJob } from "../../core/job.ts";
import type { LayerPaint } from "../../core/layers.ts";
import { trianglesOf } from "../../core/testing/triangles-of.ts";
import { testGpu } from "../../gpu/testing/context.ts";
import { dataSetOf, sampledField, uniformGrid } from "../../lang/expression/execute/testing/data-sets.ts";
import type { EngineDevice } from "../device.ts";
import { drawJob } from "./draw-job.ts";
import type { DrawRequest } from "./draw-request.ts";
import type { RankedSurface } from "./ranked-surface.ts";
import { surfaceJob } from "./surface-job.ts";
import { engineWith, onRanks, testSource } from "./testing/on-ranks.ts";
import { isosurfaceOf, requestOf } from "./testing/ranked-surfaces.ts";

const grid = uniformGrid([26, 25, 24], 2);
/** Waves on a slope: many triangles, more of them towards one end. */
const waves = dataSetOf(
  grid,
  sampledField(grid, "f", "node", (x, y, z) => Math.sin(9 * x * z) + Math.cos(8 * y) * Math.sin(7 * z)),
  sampledField(grid, "c", "cell", (x, y, z) => x * y - z),
);

/** Bytes: fewer than the nodes' 62,400, and than the surface's vertices; more than any table of the kernels has. */
const small = 40_000;

const gpu = await testGpu();
const device: EngineDevice = { gpu, summary: { kind: "gpu", description: "test", isSoftware: true } };

async function withBindingsOf<R>(bytes: number, work: () => Promise<R>): Promise<R> {
  const { largestBinding } = gpu.pool;
  Object.defineProperty(gpu.pool, "largestBinding", { value: bytes, configurable: true });
  try {
    return await work();
  } finally {
    Object.defineProperty(gpu.pool, "largestBinding", { value: largestBinding, configurable: true });
  }
}

const shape = isosurfaceOf("f", 0.25);
const plane = { origin: [1, 1, 1], normal: [1, 2, 3] } as const;

async function surfacesOn(ranks: number): Promise<RankedSurface[]> {
  const requests = [
    requestOf({ shape, colorBy: "c + f" }),
    // Of what has been cut for the first one.
    requestOf({ shape: isosurfaceOf("f", 0.4), colorBy: "c + f" }),
    requestOf({ shape, clip: plane, colorBy: "c + f" }),
  ];
  const [made] = await onRanks(ranks, async (communicator) => {
    const engine = engineWith(waves, communicator.rank, "all", async () => device);
    const surfaces = [];
    for (const request of requests)
      surfaces.push(await surfaceJob.run({ communicator, engine, context: noJob }, request));
    await engine.kept.clear();
    return surfaces;
  });
  return made.map((surface) => surface ?? expect.fail("Rank 0 has no surface."));
}

let expected: RankedSurface[];

beforeAll(async () => {
  expected = await surfacesOn(1);
  for (const { mesh } of expected) expect(32 * (mesh.positions.length / 3)).toBeGreaterThan(small);
});

const equals = (found: readonly RankedSurface[]) => {
  for (const [k, { mesh, color }] of found.entries()) {
    expect(mesh.indices.length).toBe(expected[k].mesh.indices.length);
    expect(trianglesOf(mesh)).toEqual(trianglesOf(expected[k].mesh));
    expect(mesh.positions.length).toBe(expected[k].mesh.positions.length);
    expect(color?.max).toBe(expected[k].color?.max);
  }
};

test("what a rank's GPU runs, moves and holds for surfaces is counted", () => {
  const [first, next] = expected.map(({ mesh, ranks: [own] }) => ({ mesh, own }));
  const fieldBytes = 4 * 26 * 25 * 24;
  const readBack = ({ mesh }: typeof first) => 32 * (mesh.positions.length / 3) + 4 * mesh.indices.length;
  // The colours are computed there; then they and the field are sent.
  expect(first.own.uploadedBytes).toBeGreaterThanOrEqual(3 * fieldBytes);
  expect(first.own.kernels).toBeGreaterThan(next.own.kernels);
  expect(next.own.kernels).toBeGreaterThan(0);
  expect(next.own).toMatchObject({ uploads: 0, uploadedBytes: 0 });
  expect(next.own.downloadedBytes).toBeGreaterThanOrEqual(readBack(next));
  expect(next.own.peakBytes).toBeGreaterThanOrEqual(2 * fieldBytes + readBack(next));
});

describe("a share that is larger than a binding of its rank's device", () => {
  test.each([1, 2])("gives the same surfaces, on %i ranks", async (ranks) => {
    equals(await withBindingsOf(small, () => surfacesOn(ranks)));
    expect(gpu.pool.use.buffers).toBe(0);
  });

  test("is drawn as it is otherwise, in steps of a drag, too", async () => {
    const paint = {
      solid: "#3080d0",
      map: "viridis",
      reversed: false,
      range: [-2, 4],
      nanColor: "#b0b0b0",
      opacity: 1,
    } satisfies LayerPaint;
    const drawn = async () => {
      const [pictures] = await onRanks(1, async (communicator) => {
        const engine = engineWith(waves, 0, "all", async () => device);
        const found = [];
        for (const [asks, isovalue] of [
          ["surface", 0.25],
          ["step", 0.9],
          ["step", 0],
          ["picture", 0],
        ] as const) {
          const request: DrawRequest = {
            source: testSource,
            surface: requestOf({ shape: isosurfaceOf("f", isovalue), colorBy: "c + f" }),
            paint,
            view: {
              camera: { azimuth: 0.7, elevation: 0.5, distance: 2.2, target: [0, 0, 0], center: [0, 0] },
              viewport: { width: 120, height: 90, pixelRatio: 1 },
            },
            isMoving: false,
            method: "ranks",
            asks,
            tints: false,
            isForwarded: false,
          };
          const answer = await drawJob.run(
            { communicator, engine, context: noJob },
            drawJob.parse(JSON.parse(JSON.stringify(request))),
          );
          found.push(answer?.picture?.drawing ?? expect.fail("There is no picture."));
        }
        await engine.kept.clear();
        return found;
      });
      return pictures;
    };
    const whole = await drawn();
    const cut = await withBindingsOf(small, drawn);
    for (const [k, { depth, color }] of whole.entries()) {
      expect(depth.filter((each) => each < 1).length).toBeGreaterThan(2000);
      expect(cut[k].depth).toEqual(depth);
      // Which of two triangles in a pixel's one depth is drawn depends on their order.
      const differing = color.filter((value, at) => Math.abs(value - cut[k].color[at]) > 1).length;
      expect(differing / color.length).toBeLessThan(0.001);
    }
    expect(gpu.pool.use.buffers).toBe(0);
  });
});

test("on which all ranks compute together, it is computed on the CPU", async () => {
  const request = requestOf({ shape, colorBy: "c + f", form: "distributed" });
  const { adapter } = gpu;
  Object.defineProperty(gpu, "adapter", { value: { ...adapter, isSoftware: false }, configurable: true });
  try {
    const [surface] = await withBindingsOf(small, () =>
      onRanks(1, async (communicator) => {
        const engine = engineWith(waves, communicator.rank, "all", async () => device);
        return surfaceJob.run({ communicator, engine, context: noJob }, request);
      }),
    );
    expect(surface?.mesh.indices.length).toBe(expected[0].mesh.indices.length);
    expect(surface?.mesh.positions.length).toBe(expected[0].mesh.positions.length);
  } finally {
    Object.defineProperty(gpu, "adapter", { value: adapter, configurable: true });
  }
});

test("without memory for all blocks together, each is made in turn", async () => {
  const { allocate } = gpu.pool;
  const limit = 15 * small;
  let [isRefused, peak] = [false, 0];
  const spy = vi.spyOn(gpu.pool, "allocate").mockImplementation((label, bytes, ...rest) => {
    const needed = gpu.pool.use.current + bytes;
    if (needed > limit) {
      isRefused = true;
      throw new CrinkleError({ tag: "OutOfMemory", problem: `There is no memory for ${label}.` });
    }
    peak = Math.max(peak, needed);
    return allocate.call(gpu.pool, label, bytes, ...rest);
  });
  try {
    equals(await withBindingsOf(small, () => surfacesOn(1)));
    expect(isRefused).toBe(true);
    expect(peak).toBeLessThanOrEqual(limit);
  } finally {
    spy.mockRestore();
  }
  expect(gpu.pool.use.buffers).toBe(0);
});
