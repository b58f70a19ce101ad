import { expect } from "vitest";
import { makeField } from "../../core/field.ts";
import type { Grid } from "../../core/grid.ts";
import { noJob } from "../../core/job.ts";
import { uploadField } from "../../gpu/fields/upload.ts";
import { fieldValues } from "../../gpu/primitives/field-values.ts";
import { trimPrimitives, withPrimitives } from "../../gpu/primitives/with-primitives.ts";
import { testGpu } from "../../gpu/testing/context.ts";
import { describeStatistics } from "./testing/describe-statistics.ts";

describeStatistics("gpu", {
  async at(data, components, look) {
    const gpu = await testGpu();
    const dims = [data.length / components, 1, 1] as const;
    const grid: Grid = { kind: "uniform", dims, origin: [0, 0, 0], spacing: [1, 1, 1] };
    const field = await uploadField(gpu, grid, makeField(grid, "f", "node", components, data), noJob);
    await trimPrimitives(gpu);
    const before = gpu.pool.use;
    try {
      return await withPrimitives(gpu, (primitives) => look(fieldValues(primitives, field)));
    } finally {
      await trimPrimitives(gpu);
      expect(gpu.pool.use).toMatchObject({ current: before.current, buffers: before.buffers });
      field.buffer.release();
    }
  },
});
