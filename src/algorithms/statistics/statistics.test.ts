import { CpuPrimitives } from "../../cpu/primitives/cpu-primitives.ts";
import { hostValues } from "./host.ts";
import { describeStatistics } from "./testing/describe-statistics.ts";

const primitives = new CpuPrimitives();

describeStatistics("cpu", {
  at: (data, components, look) => look(hostValues(primitives, data, components)),
});
