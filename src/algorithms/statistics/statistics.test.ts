import type { Inputs, KernelArguments, Slots } from "../../core/primitives/kernel.ts";
import type { Reduction, Tally, Terms } from "../../core/primitives/reduction.ts";
import { CpuPrimitives } from "../../cpu/primitives/cpu-primitives.ts";
import { centeringOffsets } from "../../gpu/fields/upload.ts";
import { hostValues } from "./host.ts";
import { describeStatistics } from "./testing/describe-statistics.ts";

const primitives = new CpuPrimitives();

describeStatistics("cpu", {
  at: (data, components, look) => look(hostValues(primitives, data, components)),
});

/** Runs the texts of reductions and tallies that have loops in JavaScript, too. */
class ByText extends CpuPrimitives {
  override async reduceEach<I extends Inputs, T extends Terms, C extends Slots>(
    count: number,
    reduction: Reduction<I, T, C>,
    given: Omit<KernelArguments<I, C>, "at">,
  ) {
    return super.reduceEach(count, { ...reduction, hostLoop: undefined }, given);
  }

  override async countEach<I extends Inputs, C extends Slots>(
    count: number,
    tally: Tally<I, C>,
    bins: number,
    given: Omit<KernelArguments<I, C>, "at">,
  ) {
    return super.countEach(count, { ...tally, hostLoop: undefined }, bins, given);
  }
}

// f32 about offsets, as on a GPU: the texts know no f64.
describeStatistics("cpu, by the texts", {
  at: (data, components, look) => {
    const offsets = centeringOffsets(data, components);
    const values = Float32Array.from(data, (x, i) => x - offsets[i % components]);
    return look({ ...hostValues(new ByText(), values, components), offsets });
  },
});
