import { CpuPrimitives } from "../../../cpu/primitives/cpu-primitives.ts";
import { describeExact } from "../testing/describe-exact.ts";

describeExact("CPU", async () => new CpuPrimitives());
