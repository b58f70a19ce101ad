import { expect, it } from "vitest";
import { buildKdTree, halvedOrder } from "../../algorithms/kd-tree/build.ts";
import { pointsOf } from "../../core/kd-tree/testing/points.ts";
import type { Primitives } from "../../core/primitives/primitives.ts";
import { createCpuPrimitives } from "../../cpu/primitives/cpu-primitives.ts";
import { createGpuPrimitives } from "../primitives/gpu-primitives/gpu-primitives.ts";
import { testGpu } from "../testing/context.ts";
import { isSweep } from "../testing/sweep.ts";

const cpu = createCpuPrimitives();

async function halved(p: Primitives, points: Float32Array, dimensions: number) {
  const axes = Array.from({ length: dimensions }, (_, axis) =>
    p.fromHost(
      "f32",
      points.filter((_, i) => i % dimensions === axis),
    ),
  );
  return p.toHost(await halvedOrder(p, axes));
}

/** Kernels that a software adapter compiles for long: three dimensions and halving are for the sweep. */
it("gives the same tree on the primitives of a GPU and of the CPU", async () => {
  const own = await createGpuPrimitives(await testGpu());
  for (const dimensions of isSweep ? [2, 3] : [2]) {
    const points = pointsOf("on a lattice, many equal", 45, dimensions);
    expect(await buildKdTree(own, points, dimensions, "widest")).toEqual(
      await buildKdTree(cpu, points, dimensions, "widest"),
    );
    if (isSweep) expect(await halved(own, points, dimensions)).toEqual(await halved(cpu, points, dimensions));
  }
}, 120_000);
