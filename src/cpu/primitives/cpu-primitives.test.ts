import { describePrimitives } from "../../core/primitives/testing/conformance/describe-primitives.ts";
import { createCpuPrimitives } from "./cpu-primitives.ts";

/** Around the blocks of f32 scans, and squares of them. */
const sizes = [0, 1, 2, 15, 16, 17, 31, 33, 255, 256, 257, 1337, 4097];

describePrimitives("cpu", async () => createCpuPrimitives(), sizes);
