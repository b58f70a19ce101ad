import { createCpuPrimitives } from "../../cpu/primitives/cpu-primitives.ts";
import { describeIsosurface } from "./testing/describe-isosurface.ts";

describeIsosurface("cpu", async () => createCpuPrimitives(), 60);
