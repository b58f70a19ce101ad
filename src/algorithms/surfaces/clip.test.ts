import { CpuPrimitives } from "../../cpu/primitives/cpu-primitives.ts";
import { describeClip } from "./testing/describe-clip.ts";

describeClip("cpu", async () => new CpuPrimitives());
