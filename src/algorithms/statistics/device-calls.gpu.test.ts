import { expect, test } from "vitest";
import { makeField } from "../../core/field.ts";
import type { Grid } from "../../core/grid.ts";
import { noJob } from "../../core/job.ts";
import type { FieldValues } from "../../core/statistics.ts";
import { uploadField } from "../../gpu/fields/upload.ts";
import { fieldValues } from "../../gpu/primitives/field-values.ts";
import { trimPrimitives, withPrimitives } from "../../gpu/primitives/with-primitives.ts";
import { testGpu } from "../../gpu/testing/context.ts";
import { deviceCalls } from "../../gpu/testing/device-calls.ts";
import { firstElement } from "./first-element.ts";
import { histogram } from "./histogram.ts";
import { quantileOf, Selection } from "./selection.ts";
import { fieldStatistics } from "./statistics.ts";

type Look = (field: FieldValues) => Promise<unknown>;

const gpu = await testGpu();

/** A field with an odd number of elements, so that its median is one of them. */
async function fieldOf(components: number) {
  const count = 1001;
  const grid: Grid = { kind: "uniform", dims: [count, 1, 1], origin: [0, 0, 0], spacing: [1, 1, 1] };
  const data = Float32Array.from({ length: count * components }, (_, i) => i % 37);
  return uploadField(gpu, grid, makeField(grid, "f", "node", components, data), noJob);
}

const looks: readonly [name: string, look: Look, passes: number, sent: number][] = [
  ["statistics", fieldStatistics, 1, 0],
  ["a first element", (field) => firstElement(field, 3), 1, 0],
  ["a histogram, whose edges are sent", (field) => histogram(field, [0, 40], 64), 1, 1],
  ["a median", (field) => quantileOf(new Selection(field), 0.5), 3, 0],
];

test.each(looks)(
  "repeating %s makes nothing on the device and waits once a pass",
  async (_, look, passes, sent) => {
    for (const components of [1, 3]) {
      const field = await fieldOf(components);
      await trimPrimitives(gpu);
      const before = gpu.pool.use;
      const repeated = () => withPrimitives(gpu, (primitives) => look(fieldValues(primitives, field)));
      const [first] = [await repeated(), await repeated()];
      let again: unknown;
      const calls = await deviceCalls(gpu, async () => {
        again = await repeated();
      });
      expect(again).toEqual(first);
      // Each pass sends its parameters, and the offsets of a vector's components; a submission has two error scopes.
      const offsets = components === 1 ? 0 : passes;
      expect(calls).toEqual({
        ...{ submissions: passes, waits: passes, writes: passes + sent + offsets, errorScopes: 2 * passes },
        ...{ buffers: 0, destroyed: 0, bindGroups: 0, pipelines: 0 },
      });
      expect(gpu.pool.use.current - before.current).toBeLessThan(1 << 18);
      await trimPrimitives(gpu);
      expect(gpu.pool.use).toMatchObject({ current: before.current, buffers: before.buffers });
      field.buffer.release();
    }
  },
);

test("memory beyond what statistics work in does not stay", async () => {
  await trimPrimitives(gpu);
  const before = gpu.pool.use;
  const large = new Float32Array(1 << 20);
  await withPrimitives(gpu, async (primitives) => primitives.fromHost("f32", large).release());
  expect(gpu.pool.use).toMatchObject({ current: before.current, buffers: before.buffers });
});
