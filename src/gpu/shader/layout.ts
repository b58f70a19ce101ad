import { isStandIn } from "./float16-stand-in.ts";

export { makeStructuredView, type StructuredView } from "webgpu-utils";

// Others that look for Float16Array must not find the stand-in.
if (isStandIn) delete (globalThis as { Float16Array?: unknown }).Float16Array;
