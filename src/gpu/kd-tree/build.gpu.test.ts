import { describe, expect, it } from "vitest";
import { buildKdTree } from "../../algorithms/kd-tree/build.ts";
import type { AxisRule } from "../../core/kd-tree/kd-tree.ts";
import { expectKdTree } from "../../core/kd-tree/testing/oracles.ts";
import { infinitePoints, pointsOf, shapes } from "../../core/kd-tree/testing/points.ts";
import { createCpuPrimitives } from "../../cpu/primitives/cpu-primitives.ts";
import { Recorder } from "../compute/recorder.ts";
import { readF32, readU32 } from "../device/transfer.ts";
import type { PrimitiveStrategy } from "../primitives/base/strategy.ts";
import { createRadixSort } from "../primitives/sort/radix-sort.ts";
import { testGpu } from "../testing/context.ts";
import { isSweep } from "../testing/sweep.ts";
import { axesOf } from "./axes.ts";
import { type BuildOperands, createKdTreeBuild, KdTreeBuild } from "./build.ts";
import { buildPipelines } from "./pipelines.ts";
import type { BuildShape } from "./shape.ts";

const gpu = await testGpu();
const recorder = new Recorder(gpu);
const cpu = createCpuPrimitives();
const usage = GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_DST | GPUBufferUsage.COPY_SRC;
const poison = 0xdeadbeef;
const lead = 5;

/** Builds a tree between poisoned words, which it checks, too. */
async function build(
  kernel: KdTreeBuild,
  points: Float32Array<ArrayBuffer>,
  dimensions: number,
  rule: AxisRule,
  more = 0,
) {
  const n = points.length / dimensions;
  const scope = gpu.scope();
  const place = (length: number, words = 1) => {
    const pooled = scope.allocate("KD-tree test", (lead + length * words + 1) * 4, usage);
    gpu.device.queue.writeBuffer(pooled.buffer, 0, new Uint32Array(lead + length * words + 1).fill(poison));
    return { pooled, view: { buffer: pooled.buffer, offset: lead, length } };
  };
  const input = place(n, dimensions);
  gpu.device.queue.writeBuffer(input.pooled.buffer, lead * 4, points);
  const [nodes, ids, axes] = [place(n + more, dimensions), place(n), place(Math.ceil(n / 16))];
  kernel.record(recorder, {
    points: input.view,
    nodes: nodes.view,
    ids: ids.view,
    axes: rule === "widest" ? axes.view : undefined,
  });
  recorder.submit();
  for (const { pooled, view } of [nodes, ids, axes]) {
    const words = await readU32(gpu, pooled);
    expect([...words.subarray(0, view.offset), words.at(-1)]).toEqual(Array(lead + 1).fill(poison));
  }
  const tree = {
    dimensions,
    points: await readF32(gpu, nodes.pooled, lead, points.length),
    ids: await readU32(gpu, ids.pooled, lead, n),
  };
  const packed = await readU32(gpu, axes.pooled, lead, Math.ceil(n / 16));
  scope.release();
  if (rule === "alternating") return tree;
  return { ...tree, axes: axesOf(packed, n) };
}

const withSubgroups: PrimitiveStrategy = { subgroups: true, scan: "chained" };

/** Kernels with subgroups or without, and the sort that this device is quick at. */
async function kernelOf(shape: BuildShape): Promise<KdTreeBuild> {
  const sort = await createRadixSort(gpu, withSubgroups);
  return new KdTreeBuild(gpu, shape, sort, await buildPipelines(gpu, shape));
}

describe("the fused build of a KD-tree", () => {
  const forms = [
    [true, 3, "alternating", [0, 1, 2, 3, 100, 1500, 4000]],
    [false, 2, "widest", [0, 1, 2, 3, 100, 2600, 5001]],
  ] as const;
  for (const [subgroups, dimensions, rule, sizes] of isSweep ? forms : forms.slice(0, 1)) {
    const how = `${dimensions} coordinates, axes ${rule}, ${subgroups ? "" : "no "}subgroups`;
    it(`equals the composed one: ${how}`, async () => {
      const kernel = await kernelOf({ dimensions, isWidest: rule === "widest", subgroups, lone: 512 });
      for (const n of sizes) {
        for (const shape of Object.keys(shapes)) {
          if (n > 1000 && !["random", "clustered", "on a lattice, many equal"].includes(shape)) continue;
          const points = pointsOf(shape, n, dimensions, n + 3);
          const tree = await build(kernel, points, dimensions, rule);
          expectKdTree(tree, points);
          expect(tree).toEqual(await buildKdTree(cpu, points, dimensions, rule));
        }
        const points = infinitePoints(n, dimensions);
        const tree = await build(kernel, points, dimensions, rule);
        expect(tree).toEqual(await buildKdTree(cpu, points, dimensions, rule));
      }
    });
  }

  it("divides many levels before segments fit a workgroup", async () => {
    const kernel = await kernelOf({ dimensions: 3, isWidest: false, subgroups: true, lone: 512 });
    const points = pointsOf("random", 2 ** 15 - 77, 3);
    for (const more of [0, 200]) expectKdTree(await build(kernel, points, 3, "alternating", more), points);
    // The root's left subtree is twice the right one.
    const uneven = points.subarray(0, 9 * 2 ** 12);
    expectKdTree(await build(kernel, uneven, 3, "alternating"), uneven);
  });

  it("takes the largest segments that a workgroup has the memory for, and refuses what does not fit", async () => {
    const kernel = await createKdTreeBuild(gpu, { dimensions: 3, axes: "widest" }, withSubgroups);
    for (const n of [1999, 5001]) {
      const points = pointsOf("clustered", n, 3);
      expectKdTree(await build(kernel, points, 3, "widest"), points);
    }
    const scope = gpu.scope();
    const view = (length: number) => {
      const { buffer } = scope.allocate("KD-tree test", length * 12, usage);
      return { buffer, offset: 0, length };
    };
    const [own, nodes, ids, axes] = [4, 4, 4, 1].map(view);
    const record = (operands: BuildOperands) => () => kernel.record(recorder, operands);
    expect(record({ points: own, nodes, ids })).toThrow("not given a place for axes");
    expect(record({ points: own, nodes: own, ids, axes })).toThrow("to write a buffer that it also reads");
    expect(record({ points: own, nodes, ids: { ...ids, length: 3 }, axes })).toThrow("asked for 4 elements");
    expect(record({ points: own, nodes: { ...nodes, offset: 1 }, ids, axes })).toThrow("nodes is 4 elements");
    scope.release();
  });

  it("makes no buffers and no bind groups when it is recorded again", async () => {
    const kernel = await kernelOf({ dimensions: 3, isWidest: false, subgroups: true, lone: 512 });
    const own = new Recorder(gpu);
    const scope = gpu.scope();
    const view = (words: number, length = 3000) => {
      const { buffer } = scope.allocate("KD-tree test", length * words * 4, usage);
      return { buffer, offset: 0, length };
    };
    const operands = { points: view(3), nodes: view(3), ids: view(1) };
    const { createBindGroup, createBuffer } = gpu.device;
    let made = 0;
    gpu.device.createBindGroup = (descriptor) => {
      made++;
      return createBindGroup.call(gpu.device, descriptor);
    };
    gpu.device.createBuffer = (descriptor) => {
      made++;
      return createBuffer.call(gpu.device, descriptor);
    };
    const record = () => {
      made = 0;
      kernel.record(own, operands);
      own.submit();
      return made;
    };
    try {
      const first = record();
      record();
      expect([first > 0, record(), record(), record()]).toEqual([true, 0, 0, 0]);
    } finally {
      Object.assign(gpu.device, { createBindGroup, createBuffer });
      await gpu.idle();
      own.dispose();
      scope.release();
    }
  });
});
