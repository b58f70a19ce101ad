import type { Fragment } from "../../../shader/fragment.ts";
import { isosurfaceState } from "./isosurface-state.ts";

/** What kernels that make vertices read, and write. */
export const vertexBindings: Fragment = {
  name: "vertex bindings",
  requires: [isosurfaceState],
  code: /* wgsl */ `
@group(0) @binding(1) var<storage, read> field: array<u32>;
@group(0) @binding(2) var<storage, read> color: array<f32>;
@group(0) @binding(3) var<storage, read> coordinates: array<f32>;
@group(0) @binding(4) var<storage, read_write> state: IsosurfaceState;
@group(0) @binding(5) var<storage, read_write> vertices: array<vec4u>;
`,
};
