import { createCpuPrimitives } from "../../cpu/primitives/cpu-primitives.ts";
import { describeClip } from "./testing/describe-clip.ts";

describeClip("cpu", async () => createCpuPrimitives());
