import { expect, test } from "vitest";
import { runWorkingRanks } from "../../../src/cluster/communicator/testing/run-ranks.ts";
import { makeField } from "../../../src/core/field.ts";
import type { UniformGrid } from "../../../src/core/grid.ts";
import { readF32 } from "../../../src/gpu/device/transfer.ts";
import { testGpu } from "../../../src/gpu/testing/context.ts";
import { RankField } from "./fused-blocks.ts";

test("ranks fill the ghosts of their blocks with their neighbours' planes", async () => {
  const gpu = await testGpu();
  const whole: UniformGrid = { kind: "uniform", dims: [2, 3, 9], origin: [0, 0, 0], spacing: [1, 1, 1] };
  const perPlane = 6;
  const components = 3;
  const maxPlanes = 5;
  const value = (component: number, plane: number, i: number) => 1000 * component + 10 * plane + i;
  // Ranks 0, 1 and 2 have the layers up to 2, 5 and 8, in one block, two and one.
  const owned = [
    [0, 2],
    [2, 5],
    [5, 9],
  ];
  const outcomes = await runWorkingRanks(3, { seed: 1 }, async (communicator) => {
    const [first, end] = owned[communicator.rank];
    const sampled = (grid: UniformGrid) => {
      const z = grid.origin[2];
      const data = Float32Array.from({ length: grid.dims[2] * perPlane * components }, (_, at) => {
        const [component, node] = [at % components, Math.floor(at / components)];
        const plane = z + Math.floor(node / perPlane);
        return plane >= first && plane < end ? value(component, plane, node % perPlane) : -1;
      });
      return makeField(grid, "v", "node", components, data);
    };
    const rank = { communicator, gpu, sent: undefined };
    const field = await RankField.sample(
      rank,
      whole,
      components,
      sampled,
      4 * components * perPlane * maxPlanes,
    );
    try {
      await field.exchangeGhosts();
      for (const { planes, field: own } of field.blocks) {
        const expected = [0, 1, 2].flatMap((component) =>
          Array.from({ length: own.count }, (_, node) =>
            value(component, planes[0] + Math.floor(node / perPlane), node % perPlane),
          ),
        );
        expect([...(await readF32(gpu, own.buffer))]).toEqual(expected);
      }
      return field.blocks.length;
    } finally {
      field.release();
    }
  });
  expect(outcomes).toEqual([1, 2, 1].map((value) => ({ value })));
});
