import { createCpuPrimitives } from "../../cpu/primitives/cpu-primitives.ts";
import { describeSlice } from "./testing/describe-slice.ts";
import { composedSliceMesh } from "./testing/mesh.ts";

const p = createCpuPrimitives();

describeSlice("composed, cpu", (...of) => composedSliceMesh(p, ...of));
