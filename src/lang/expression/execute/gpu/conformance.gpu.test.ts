import { describe, it } from "vitest";
import { noJob } from "../../../../core/job.ts";
import { expectArraysClose } from "../../../../core/testing/compare.ts";
import { testGpu } from "../../../../gpu/testing/context.ts";
import { allFilters } from "../../filters/registry.ts";
import { evaluateOnCpu } from "../cpu/evaluate.ts";
import { overloadCase, trialOf } from "../testing/conformance.ts";
import { GpuDataSet, readInterleaved } from "../testing/evaluate.ts";
import { evaluateOnGpu } from "./evaluate.ts";

describe("every overload computes on the GPU what its twin computes in f64", () => {
  for (const filter of allFilters) {
    if (filter.kind !== "element") continue;
    for (const overload of filter.overloads) {
      it(`${filter.name}(${overload.inputs.join(", ")})`, async () => {
        const gpu = await testGpu();
        const { dataSet, network } = overloadCase(filter, overload);
        const inputs = new GpuDataSet(gpu, dataSet);
        const got = await evaluateOnGpu(gpu, network, inputs, ["result"], noJob);
        const expected = await evaluateOnCpu(network, dataSet, ["result"], noJob);
        const field = got.fields.get("result")!;
        const values = await readInterleaved(gpu, field);
        field.buffer.release();
        await inputs.release();
        const twin = expected.fields.get("result")!.data as Float32Array;
        expectArraysClose(values, twin, trialOf(filter).tolerance, filter.name);
      });
    }
  }
});
