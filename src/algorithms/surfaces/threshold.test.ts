import { createCpuPrimitives } from "../../cpu/primitives/cpu-primitives.ts";
import { describeThreshold } from "./testing/describe-threshold.ts";

describeThreshold("cpu", async () => createCpuPrimitives());
