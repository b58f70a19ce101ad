import { composedClip } from "../../algorithms/surfaces/clip.ts";
import { composedCut } from "../../algorithms/surfaces/cut.ts";
import { composedIsosurface } from "../../algorithms/surfaces/isosurface.ts";
import { composedSlice } from "../../algorithms/surfaces/slice.ts";
import type { Surface } from "../../algorithms/surfaces/surface.ts";
import { type SurfaceGrid, surfaceGrid } from "../../algorithms/surfaces/surface-grid.ts";
import { composedThreshold } from "../../algorithms/surfaces/threshold.ts";
import type { Field } from "../../core/field.ts";
import type { UniformGrid } from "../../core/grid.ts";
import type { Plane } from "../../core/layers.ts";
import { surfaceArea } from "../../core/mesh-measures.ts";
import type { Primitives } from "../../core/primitives/primitives.ts";
import type { Vector } from "../../core/primitives/vector.ts";
import { isosurface } from "../../cpu/surfaces/isosurface.ts";
import { createGpuPrimitives } from "../../gpu/primitives/gpu-primitives/gpu-primitives.ts";
import type { BenchCase } from "../case.ts";
import { timeAsync } from "../measure.ts";
import { tangleField, uniformGrid } from "./fields.ts";

const isovalue = 0.25;

/** Position, normal, scalar, edge. */
const vertexBytes = 32;

async function areaOf(p: Primitives, { positions, normals }: Surface): Promise<number> {
  return surfaceArea({
    positions: await p.toHost(positions),
    normals: await p.toHost(normals),
    scalars: undefined,
    indices: Uint32Array.from({ length: positions.length }, (_, v) => v),
  });
}

/** Elements that the host sends at a time. */
const maxSent = 2 ** 24;

async function send(p: Primitives, data: Float32Array): Promise<Vector<"f32">> {
  const whole = await p.fill("f32", data.length, 0);
  for (let from = 0; from < data.length; from += maxSent) {
    const part = p.fromHost("f32", data.subarray(from, from + maxSent));
    await p.scatter(part, p.counting("u32", part.length), p.view(whole, from, from + part.length));
    part.release();
  }
  return whole;
}

interface ComposedCase {
  readonly name: string;
  readonly side: number;
  /** Bytes that are moved for a node at least: values, and words between classifying, scan and search. */
  readonly nodeBytes: number;
  make(p: Primitives, grid: SurfaceGrid, values: Vector<"f32">): Promise<Surface>;
  /** Whether the surface of the field is right. */
  verify(p: Primitives, surface: Surface, grid: UniformGrid, field: Field): Promise<boolean>;
}

/**
 * A surface in the stored tangle on n³ nodes, composed of primitives, with its waits: three vertices a triangle, normals
 * and one scalar.
 */
const composedCase = ({ name, side, nodeBytes, make, verify }: ComposedCase): BenchCase => ({
  name: `${name}/composed/${side}`,
  async run({ gpu, isQuick, n = isQuick ? 24 : side }) {
    const grid = uniformGrid([n, n, n], -3, 6);
    const field = tangleField(grid);
    const p = await createGpuPrimitives(gpu);
    try {
      const on = surfaceGrid(p, grid);
      const values = await send(p, field.data as Float32Array);
      const ms = await timeAsync(gpu, async () => {
        const surface = await make(p, on, values);
        p.flush();
        await gpu.idle();
        surface.release();
      });
      const surface = await make(p, on, values);
      const vertices = surface.positions.length;
      const verified = vertices > 0 && (await verify(p, surface, grid, field));
      return { n: n ** 3, ms, bytes: nodeBytes * n ** 3 + vertexBytes * vertices, verified };
    } finally {
      p.dispose();
    }
  },
});

const isosurfaceOf = (p: Primitives, grid: SurfaceGrid, values: Vector<"f32">) =>
  composedIsosurface(p, grid, values, { isovalues: [isovalue], fields: [values] });

const isosurfaceCase = (side: number) =>
  composedCase({
    name: "isosurface",
    side,
    nodeBytes: 8,
    make: isosurfaceOf,
    async verify(p, surface, grid, field) {
      const due = await isosurface(grid, field, isovalue);
      const area = await areaOf(p, surface);
      return surface.positions.length === due.indices.length && Math.abs(area / surfaceArea(due) - 1) < 1e-5;
    },
  });

/** Through the middle of a cube whose sides are 6 long. */
const diagonal: Plane = { origin: [0, 0, 0], normal: [1, 1, 1] };

const cutCase = composedCase({
  name: "cut/plane",
  side: 256,
  nodeBytes: 12,
  make: (p, grid, values) => composedCut(p, grid, { kind: "plane", plane: diagonal }, { fields: [values] }),
  verify: async (p, surface) => Math.abs((await areaOf(p, surface)) / (27 * Math.sqrt(3)) - 1) < 1e-3,
});

const sliceCase = composedCase({
  name: "slice",
  side: 256,
  nodeBytes: 0,
  make: (p, grid, values) => composedSlice(p, grid, { axis: 2, position: 0.1 }, { fields: [values] }),
  verify: async (p, surface) => Math.abs((await areaOf(p, surface)) / 36 - 1) < 1e-5,
});

/** All of the field is kept. */
const thresholdCase = composedCase({
  name: "threshold",
  side: 256,
  nodeBytes: 32,
  make: (p, grid, values) => composedThreshold(p, grid, values, [-1e9, 1e9], { fields: [values] }),
  verify: async (p, surface) => Math.abs((await areaOf(p, surface)) / 216 - 1) < 1e-3,
});

/** The half of an isosurface that is the other one's mirror image. */
const clipCase = composedCase({
  name: "clip",
  side: 256,
  nodeBytes: 8,
  async make(p, grid, values) {
    const surface = await isosurfaceOf(p, grid, values);
    const clipped = await composedClip(p, surface, diagonal, grid.center);
    surface.release();
    return clipped;
  },
  async verify(p, surface, grid, field) {
    const due = surfaceArea(await isosurface(grid, field, isovalue)) / 2;
    return Math.abs((await areaOf(p, surface)) / due - 1) < 1e-3;
  },
});

/** What is composed of primitives, beside the kernels that make the same. */
export const composedCases: readonly BenchCase[] = [
  ...[64, 128, 256, 512].map(isosurfaceCase),
  cutCase,
  sliceCase,
  thresholdCase,
  clipCase,
];
