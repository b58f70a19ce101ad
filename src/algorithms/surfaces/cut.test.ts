import { createCpuPrimitives } from "../../cpu/primitives/cpu-primitives.ts";
import { describeCut } from "./testing/describe-cut.ts";
import { composedCutMesh } from "./testing/mesh.ts";

const p = createCpuPrimitives();

describeCut("composed, cpu", (...of) => composedCutMesh(p, ...of));
