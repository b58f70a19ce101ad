// What the bench of ranks measures. Each case runs on all ranks at the same time, each with a GPU and a part of the data.

import { halvedOrder } from "../../src/algorithms/kd-tree/build.ts";
import { composedIsosurface } from "../../src/algorithms/surfaces/isosurface.ts";
import { surfaceGrid } from "../../src/algorithms/surfaces/surface-grid.ts";
import { swirlingFlow, tangleField, uniformGrid } from "../../src/bench/cases/fields.ts";
import { timePass } from "../../src/bench/measure.ts";
import type { Communicator } from "../../src/cluster/communicator/communicator.ts";
import type { UniformGrid } from "../../src/core/grid.ts";
import { noJob } from "../../src/core/job.ts";
import { add } from "../../src/core/primitives/operators.ts";
import type { Primitives } from "../../src/core/primitives/primitives.ts";
import type { Vector } from "../../src/core/primitives/vector.ts";
import type { DistributedPrimitives } from "../../src/distributed/api.ts";
import { createDistributedPrimitives } from "../../src/distributed/distributed-primitives.ts";
import { buildRankedTree } from "../../src/engine/ranks/kd-tree/ranked-tree.ts";
import { subtreeOrderOnGpu } from "../../src/engine/ranks/kd-tree/subtree-order-on-gpu.ts";
import type { GpuContext } from "../../src/gpu/device/context.ts";
import { createGridTables } from "../../src/gpu/fields/grid-tables.ts";
import { uploadField } from "../../src/gpu/fields/upload.ts";
import {
  createGpuPrimitives,
  type GpuPrimitives,
} from "../../src/gpu/primitives/gpu-primitives/gpu-primitives.ts";
import { IsosurfaceExtractor } from "../../src/gpu/surfaces/isosurface/extractor.ts";
import { compile } from "../../src/lang/expression/compile.ts";
import { prepareOnGpu } from "../../src/lang/expression/execute/gpu/evaluate.ts";
import { coordinatesOf, isovalue, partOf, planesOf, wordsOf } from "./inputs.ts";

/** A rank, with what it computes on. */
export interface BenchRank {
  readonly communicator: Communicator;
  readonly gpu: GpuContext;
  /** Submits what its primitives have recorded. */
  readonly flush?: () => void;
}

export interface RankCase {
  readonly name: string;
  /** Nodes along an edge, or elements. */
  readonly sizes: readonly number[];
  /** Milliseconds of this rank, or of all where they compute together. */
  run(rank: BenchRank, n: number): Promise<number>;
}

const trials = 9;
/** No further trial begins after so many milliseconds, but for the third. All ranks have to end alike: the first decides. */
const trialMs = 5000;

const median = (values: readonly number[]) => values.toSorted((a, b) => a - b)[values.length >> 1];

/** Milliseconds from when all ranks begin to when all have ended: the median of some trials. */
async function together(
  { communicator, gpu, flush }: BenchRank,
  work: () => Promise<{ release(): void }>,
  prepare: () => Promise<unknown> = async () => {},
): Promise<number> {
  const times: number[] = [];
  const begun = performance.now();
  for (let goesOn = true; goesOn; ) {
    await prepare();
    await communicator.barrier();
    const start = performance.now();
    const made = await work();
    flush?.();
    await gpu.idle();
    await communicator.barrier();
    times.push(performance.now() - start);
    made.release();
    const isEnough = times.length >= trials || (times.length >= 3 && performance.now() - begun > trialMs);
    goesOn = await communicator.bcast<boolean>(!isEnough, 0);
  }
  return median(times.slice(times.length >= trials ? 2 : 1));
}

/** Planes of nodes that a rank's layers of cells touch, and so many beyond them. */
function ghostedPlanes({ communicator: { rank, size } }: BenchRank, nodes: number, ghosts: number) {
  const start = (of: number) => Math.floor((of * (nodes - 1)) / size);
  return [Math.max(0, start(rank) - ghosts), Math.min(nodes - 1, start(rank + 1) + ghosts) + 1] as const;
}

/** Milliseconds of what is recorded on this rank's GPU, which has worked for a while: one that was idle is slower. */
async function timeWarm(
  { communicator, gpu }: BenchRank,
  record: (pass: GPUComputePassEncoder) => void,
): Promise<number> {
  await timePass(gpu, record);
  await communicator.barrier();
  return timePass(gpu, record);
}

/** An isosurface of the tangle, made by each rank in its layers with a plane of ghosts: the passes on the GPU alone. */
async function fusedIsosurface(rank: BenchRank, dims: UniformGrid["dims"]): Promise<number> {
  const { gpu } = rank;
  const grid = partOf(uniformGrid(dims, -3, 6), ghostedPlanes(rank, dims[2], 1));
  const field = await uploadField(gpu, grid, tangleField(grid), noJob);
  const tables = createGridTables(gpu, grid, "node");
  const extractor = await IsosurfaceExtractor.create(gpu);
  try {
    await extractor.setSource({ tables, field });
    extractor.extract(isovalue);
    await extractor.counts();
    return await timeWarm(rank, (pass) => extractor.record(pass));
  } finally {
    extractor.dispose();
    field.buffer.release();
    tables.buffer.release();
  }
}

/** The Q-criterion of a flow, each rank its layers with a plane of ghosts: the kernel alone. */
async function fusedQ(rank: BenchRank, dims: UniformGrid["dims"]): Promise<number> {
  const { gpu } = rank;
  const grid = partOf(uniformGrid(dims, 0, 2 * Math.PI), ghostedPlanes(rank, dims[2], 1));
  const host = swirlingFlow(grid);
  const network = compile("q = q_criterion(v)", [host]);
  const velocity = await uploadField(gpu, grid, host, noJob);
  const tables = createGridTables(gpu, grid, "node");
  try {
    const inputs = { grid, field: async () => velocity, tables: () => tables };
    const prepared = await prepareOnGpu(gpu, network, inputs, ["q"]);
    try {
      return await timeWarm(rank, (pass) => prepared.record(pass));
    } finally {
      prepared.release();
    }
  } finally {
    velocity.buffer.release();
    tables.buffer.release();
  }
}

async function withPrimitives<R>(
  rank: BenchRank,
  work: (p: GpuPrimitives, rank: BenchRank) => Promise<R>,
): Promise<R> {
  const p = await createGpuPrimitives(rank.gpu);
  try {
    return await work(p, { ...rank, flush: () => p.flush() });
  } finally {
    p.dispose();
  }
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

/** The composed isosurface on each rank's own block with a plane of ghosts, which knows nothing of the others. */
const manual = (given: BenchRank, n: number): Promise<number> =>
  withPrimitives(given, async (p, rank) => {
    const grid = partOf(uniformGrid([n, n, n], -3, 6), ghostedPlanes(rank, n, 1));
    const on = surfaceGrid(p, grid);
    const values = await send(p, tangleField(grid).data as Float32Array);
    return together(rank, () => composedIsosurface(p, on, values, { isovalues: [isovalue] }));
  });

/** Runs an algorithm over one long vector, of which each rank has a part. */
const distributed = (
  given: BenchRank,
  work: (p: DistributedPrimitives, rank: BenchRank) => Promise<number>,
): Promise<number> =>
  withPrimitives(given, async (local, rank) => {
    const own = await rank.communicator.dup();
    return work(createDistributedPrimitives(own, local), rank);
  });

/** The same algorithm on one long vector over all ranks: a new field each time, or one whose halos the ranks have kept. */
const oneVector = (given: BenchRank, n: number, isNew: boolean): Promise<number> =>
  distributed(given, async (p, rank) => {
    const grid = uniformGrid([n, n, n], -3, 6);
    const on = surfaceGrid(p, grid);
    const own = tangleField(partOf(grid, planesOf(rank.communicator, n))).data as Float32Array;
    const values = await p.fromParts("f32", own);
    let field = await p.copy(values);
    const renew = async () => {
      field.release();
      field = await p.copy(values);
    };
    return together(
      rank,
      () => composedIsosurface(p, on, field, { isovalues: [isovalue] }),
      isNew ? renew : undefined,
    );
  });

/** An operation on a vector of n random words. */
const onWords =
  (work: (p: DistributedPrimitives, words: Vector<"u32">) => Promise<{ release(): void }>) =>
  (given: BenchRank, n: number): Promise<number> =>
    distributed(given, async (p, rank) => {
      const words = await p.fromParts("u32", wordsOf(rank.communicator, n));
      return together(rank, () => work(p, words));
    });

/** The order of points in a KD-tree by the composed algorithm. */
const kdTree = (given: BenchRank, n: number): Promise<number> =>
  distributed(given, async (p, rank) => {
    const coordinates: Vector<"f32">[] = [];
    for (const own of coordinatesOf(rank.communicator, n)) coordinates.push(await p.fromParts("f32", own));
    return together(rank, () => halvedOrder(p, coordinates));
  });

/** A KD-tree of which the ranks build the upper levels together, and each its subtrees: from and to the host's memory. */
const kdTreeInParts = (given: BenchRank, n: number): Promise<number> =>
  withPrimitives(given, async (local, rank) => {
    const { communicator, gpu } = rank;
    const all = createDistributedPrimitives(await communicator.dup(), local);
    const coordinates = coordinatesOf(communicator, n);
    const orderOf = (ranks: readonly Uint32Array[], rootAxis: number) =>
      subtreeOrderOnGpu(gpu, ranks, rootAxis);
    return together(rank, async () => {
      await buildRankedTree(
        { rank: communicator.rank, size: communicator.size, local, all, orderOf },
        coordinates,
      );
      return { release() {} };
    });
  });

/** What ends each trial of the cases below. */
const barrier = (rank: BenchRank): Promise<number> => together(rank, async () => ({ release() {} }));

const exchangesPerTrial = 20;

/** One allgather of n words a rank, from and to the host's memory. */
async function exchange(rank: BenchRank, n: number): Promise<number> {
  const words = new Uint32Array(n);
  const ms = await together(rank, async () => {
    for (let k = 0; k < exchangesPerTrial; k++) await rank.communicator.allgather(words);
    return { release() {} };
  });
  return ms / exchangesPerTrial;
}

/** A word that the rank's own GPU has just computed, read by its host. */
const word = (given: BenchRank): Promise<number> =>
  withPrimitives(given, async (p, rank) => {
    const words = p.fromHost("u32", new Uint32Array(1));
    const ms = await together(rank, async () => {
      for (let k = 0; k < exchangesPerTrial; k++) {
        const next = await p.copy(words);
        await p.front(next);
        next.release();
      }
      return { release() {} };
    });
    return ms / exchangesPerTrial;
  });

/** Each rank's last n words, sent to the next one: read back from the GPU, sent, and written to the other. */
const halo = (given: BenchRank, n: number): Promise<number> =>
  distributed(given, async (p, rank) => {
    const words = await p.fromParts("u32", new Uint32Array(2 * n));
    return together(rank, () => p.shift(words, n));
  });

export const rankCases: readonly RankCase[] = [
  { name: "barrier", sizes: [1], run: barrier },
  { name: "exchange, host", sizes: [1, 2 ** 10, 2 ** 18], run: exchange },
  { name: "word, GPU", sizes: [1], run: word },
  { name: "halo, GPU", sizes: [1, 2 ** 14, 2 ** 18, 2 ** 20], run: halo },
  {
    name: "isosurface, fused, strong",
    sizes: [256, 512, 768],
    run: (rank, n) => fusedIsosurface(rank, [n, n, n]),
  },
  {
    name: "isosurface, fused, weak",
    sizes: [256, 512],
    run: (rank, n) => fusedIsosurface(rank, [n, n, (n - 1) * rank.communicator.size + 1]),
  },
  { name: "Q-criterion, fused, strong", sizes: [256, 384, 512], run: (rank, n) => fusedQ(rank, [n, n, n]) },
  {
    name: "Q-criterion, fused, weak",
    sizes: [256, 384],
    run: (rank, n) => fusedQ(rank, [n, n, (n - 1) * rank.communicator.size + 1]),
  },
  { name: "isosurface, composed, manual", sizes: [128, 256, 512], run: manual },
  {
    name: "isosurface, composed, distributed",
    sizes: [128, 256, 512],
    run: (rank, n) => oneVector(rank, n, true),
  },
  {
    name: "isosurface, composed, further isovalue",
    sizes: [128, 256, 512],
    run: (rank, n) => oneVector(rank, n, false),
  },
  {
    name: "inclusive scan",
    sizes: [2 ** 20, 2 ** 24, 2 ** 27],
    run: onWords((p, words) => p.inclusiveScan(words, add)),
  },
  { name: "sort", sizes: [2 ** 16, 2 ** 20, 2 ** 24, 2 ** 26], run: onWords((p, words) => p.sort(words)) },
  { name: "KD-tree, composed", sizes: [2 ** 14, 2 ** 17], run: kdTree },
  { name: "KD-tree, subtrees fused", sizes: [2 ** 17, 2 ** 20, 2 ** 23], run: kdTreeInParts },
];
