import { createCpuPrimitives } from "../../cpu/primitives/cpu-primitives.ts";
import { centeringOffsets } from "../../gpu/fields/upload.ts";
import { hostValues } from "./host.ts";
import { describeStatistics } from "./testing/describe-statistics.ts";

const primitives = createCpuPrimitives();

describeStatistics("cpu", {
  at: (data, components, look) => look(hostValues(primitives, data, components)),
});

/** Runs the texts of reductions and tallies that have loops in JavaScript, too. */
const byText: typeof primitives = {
  ...primitives,
  reduceEach: (count, reduction, given) =>
    primitives.reduceEach(count, { ...reduction, hostLoop: undefined }, given),
  countEach: (count, tally, bins, given) =>
    primitives.countEach(count, { ...tally, hostLoop: undefined }, bins, given),
};

// f32 about offsets, as on a GPU: the texts know no f64.
describeStatistics("cpu, by the texts", {
  at: (data, components, look) => {
    const offsets = centeringOffsets({ data, components });
    const values = Float32Array.from(data, (x, i) => x - offsets[i % components]);
    return look({ ...hostValues(byText, values, components), offsets });
  },
});
