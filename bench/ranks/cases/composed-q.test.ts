import { expect, it } from "vitest";
import { swirlingFlow } from "../../../src/bench/cases/fields.ts";
import type { UniformGrid } from "../../../src/core/grid.ts";
import { expectArraysClose } from "../../../src/core/testing/compare.ts";
import { createCpuPrimitives } from "../../../src/cpu/primitives/cpu-primitives.ts";
import { createDistributedPrimitives } from "../../../src/distributed/distributed-primitives.ts";
import { counting } from "../../../src/distributed/testing/counting.ts";
import { inProcess } from "../../../src/distributed/testing/in-process.ts";
import { dataSetOf } from "../../../src/lang/expression/execute/testing/data-sets.ts";
import { runOnCpu } from "../../../src/lang/expression/execute/testing/evaluate.ts";
import { partOf, planesOf } from "../inputs.ts";
import { composedQ } from "./composed-q.ts";

const dims = [9, 8, 14] as const;
const grid: UniformGrid = { kind: "uniform", dims, origin: [0.1, 0, 0], spacing: [0.5, 0.7, 0.3] };
const flow = swirlingFlow(grid);
const velocity = flow.data as Float32Array;

it("is the expression language's Q-criterion, and over ranks one rank's to the bit, for a plane of halos to each neighbour", async () => {
  const cpu = createCpuPrimitives();
  const alone = await cpu.toHost(await composedQ(cpu, grid, cpu.fromHost("f32", velocity, 3)));
  const { q } = await runOnCpu("q = q_criterion(v)", dataSetOf(grid, flow));
  expect(Math.max(...alone.map(Math.abs))).toBeGreaterThan(1);
  expectArraysClose(alone, q, { absolute: 2e-6 });
  for (const size of [1, 2, 3, 7]) {
    const ranks = inProcess(size).map(async (communicator) => {
      const counted = counting(communicator);
      const p = createDistributedPrimitives(counted, cpu);
      const part = partOf(grid, planesOf(communicator, dims[2]));
      const own = await p.fromParts("f32", swirlingFlow(part).data as Float32Array, 3);
      const before = counted.sent;
      const results = await composedQ(p, grid, own);
      const sent = counted.sent - before;
      expect(await p.toHost(results), `${size} ranks`).toEqual(alone);
      return sent;
    });
    const plane = 3 * dims[0] * dims[1];
    for (const sent of await Promise.all(ranks)) expect(sent).toBeLessThan(2 * plane + 100);
  }
});
