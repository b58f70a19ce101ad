import type { MeshOptions } from "../data/write/mesh-options.ts";
import { sampleColorMap } from "./colormaps.ts";

const colorMap = "viridis";

/** The colours of a mesh's vertices by its scalars in a range; NaN gets the lowest value's. */
export function vertexColors(
  scalars: Float32Array,
  { min, max }: { readonly min: number; readonly max: number },
): NonNullable<MeshOptions["color"]> {
  const table = sampleColorMap(colorMap, 256);
  const scale = max > min ? 255 / (max - min) : 0;
  return (vertex, target, at) => {
    const step = Math.round((scalars[vertex] - min) * scale) || 0;
    const from = 3 * Math.min(255, Math.max(0, step));
    for (let c = 0; c < 3; c++) target[at + c] = table[from + c];
  };
}
