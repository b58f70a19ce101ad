import { composedClip } from "../../algorithms/surfaces/clip.ts";
import type { Surface } from "../../algorithms/surfaces/surface.ts";
import { surfaceGrid } from "../../algorithms/surfaces/surface-grid.ts";
import { withVectors } from "../../algorithms/vectors.ts";
import { boxCount } from "../../core/box.ts";
import type { Triple } from "../../core/grid.ts";
import { checkCancelled } from "../../core/job.ts";
import type { Plane, SurfaceShape } from "../../core/layers.ts";
import type { TriangleMesh } from "../../core/mesh.ts";
import type { Primitives } from "../../core/primitives/primitives.ts";
import type { HostArray, ScalarType, Vector } from "../../core/primitives/vector.ts";
import { createCpuPrimitives } from "../../cpu/primitives/cpu-primitives.ts";
import type { DistributedPrimitives } from "../../distributed/api.ts";
import { createDistributedPrimitives } from "../../distributed/distributed-primitives.ts";
import type { GpuContext } from "../../gpu/device/context.ts";
import { centeringOffsets } from "../../gpu/fields/upload.ts";
import { composedSurface, type LeveledValues, relativeTo } from "../composed-surface.ts";
import { valuesAround } from "./block-values.ts";
import type { RankedRun } from "./ranked-evaluation.ts";
import type { RankedScalar } from "./ranked-scalar.ts";

interface LocalPrimitives {
  readonly local: Primitives;
  dispose(): void;
}

/** Primitives on a rank's device; on the CPU where its GPU is software, which is slower. */
export async function localPrimitives(gpu: GpuContext | undefined): Promise<LocalPrimitives> {
  if (!gpu || gpu.adapter.isSoftware) return { local: createCpuPrimitives(), dispose() {} };
  const { createGpuPrimitives } = await import("../../gpu/primitives/gpu-primitives/gpu-primitives.ts");
  const local = await createGpuPrimitives(gpu);
  return { local, dispose: () => local.dispose() };
}

/** Layers of nodes around a rank's own that the kernels of surfaces read. */
const haloLayers = 3;

/** The rank's GPU, unless it cannot bind the values of the rank's nodes with those around them, which kernels read as one. */
export function primitivesGpu(
  gpu: GpuContext | undefined,
  { grid, cells }: Pick<RankedRun["data"], "grid" | "cells">,
): GpuContext | undefined {
  const bytes = 4 * boxCount(valuesAround(grid, cells, haloLayers));
  return gpu && bytes <= gpu.pool.largestBinding ? gpu : undefined;
}

interface DistributedShape {
  readonly shape: SurfaceShape;
  readonly clip: Plane | undefined;
  /** The shape's scalar and that of its colours on this rank's own nodes. */
  readonly field: RankedScalar | undefined;
  readonly color: RankedScalar | undefined;
}

/**
 * A surface by the algorithms that one rank runs, over vectors of which each rank has a part: those of fields are the ranks'
 * own nodes. Each rank gets some whole triangles and some vertices, in rank order; the indices are those of the whole. All
 * ranks call it together, and nothing else of the communicator meanwhile. Throws what the algorithms throw.
 */
export async function distributedSurface(
  { communicator, data, job }: Omit<RankedRun, "engine" | "watch">,
  local: Primitives,
  { shape, clip, field, color }: DistributedShape,
): Promise<TriangleMesh> {
  const p = createDistributedPrimitives(communicator, local);
  const on = surfaceGrid(p, data.grid);
  try {
    return await withVectors(async (vectors) => {
      const leveled = async ({ field }: RankedScalar): Promise<LeveledValues> => {
        const [level] = centeringOffsets(field);
        return { values: await vectors.hold(p.fromParts("f32", relativeTo(field, level))), level };
      };
      const values = field && (await leveled(field));
      const colors = color && (await leveled(color));
      const whole = await composedSurface(p, on, shape, values, colors ? [colors.values] : []);
      checkCancelled(job, "The surface");
      const surface = clip ? await clipped(p, whole, clip, on.center) : whole;
      try {
        return await ownPart(p, local, surface, on.center, colors?.level ?? 0);
      } finally {
        surface.release();
      }
    });
  } finally {
    on.release();
  }
}

async function clipped(p: Primitives, surface: Surface, clip: Plane, center: Triple) {
  try {
    return await composedClip(p, surface, clip, center, { isWelded: true });
  } finally {
    surface.release();
  }
}

/** What this rank has of a surface, in physical units; `level` is added to its scalars. */
async function ownPart(
  p: DistributedPrimitives,
  local: Primitives,
  { positions, normals, fields, indices }: Surface,
  center: readonly number[],
  level: number,
): Promise<TriangleMesh> {
  if (!indices) throw new TypeError("A surface whose vertices are shared has indices.");
  const read = <T extends ScalarType>(vector: Vector<T>) => ownElements(p, local, vector);
  const scalars = fields[0] && (await read(fields[0]));
  const mesh = {
    positions: (await read(positions)).map((x, word) => x + center[word % 3]),
    normals: await read(normals),
    scalars: level === 0 ? scalars : scalars?.map((value) => value + level),
  };
  if (indices.length === 0) return { ...mesh, indices: new Uint32Array(0) };
  const ends = p.offsets(indices).map((offset) => 3 * Math.floor(offset / 3));
  const triangles = await p.rebalance(
    indices,
    ends.slice(1).map((end, rank) => end - ends[rank]),
  );
  try {
    return { ...mesh, indices: await read(triangles) };
  } finally {
    triangles.release();
  }
}

async function ownElements<T extends ScalarType>(
  p: DistributedPrimitives,
  local: Primitives,
  vector: Vector<T>,
): Promise<HostArray<T>> {
  const part = await p.localPart(vector);
  try {
    return await local.toHost(part);
  } finally {
    part.release();
  }
}
