import { CpuPrimitives } from "../../cpu/primitives/cpu-primitives.ts";
import { describeSlice } from "./testing/describe-slice.ts";
import { composedSliceMesh } from "./testing/mesh.ts";

const p = new CpuPrimitives();

describeSlice("composed, cpu", (...of) => composedSliceMesh(p, ...of));
