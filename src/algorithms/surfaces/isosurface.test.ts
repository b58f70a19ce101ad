import { CpuPrimitives } from "../../cpu/primitives/cpu-primitives.ts";
import { describeIsosurface } from "./testing/describe-isosurface.ts";

describeIsosurface("cpu", async () => new CpuPrimitives(), 60);
