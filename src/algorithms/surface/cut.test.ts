import { CpuPrimitives } from "../../cpu/primitives/cpu-primitives.ts";
import { describeCut } from "./testing/describe-cut.ts";

describeCut("cpu", async () => new CpuPrimitives());
