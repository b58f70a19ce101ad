import { CpuPrimitives } from "../../cpu/primitives/cpu-primitives.ts";
import { describeCut } from "./testing/describe-cut.ts";
import { composedCutMesh } from "./testing/mesh.ts";

const p = new CpuPrimitives();

describeCut("composed, cpu", (...of) => composedCutMesh(p, ...of));
