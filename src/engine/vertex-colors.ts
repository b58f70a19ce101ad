import { type ScaleKind, scaleOver, scalePosition } from "../core/scale.ts";
import type { MeshOptions } from "../data/write/mesh-options.ts";
import { sampleColorMap } from "./colormaps.ts";

const colorMap = "viridis";

/** The colours of a mesh's vertices by its scalars on a scale over a range; NaN gets the lowest value's. */
export function vertexColors(
  scalars: Float32Array,
  { min, max }: { readonly min: number; readonly max: number },
  kind: ScaleKind = "linear",
): NonNullable<MeshOptions["color"]> {
  const table = sampleColorMap(colorMap, 256);
  const scale = scaleOver(kind, [min, max]);
  return (vertex, target, at) => {
    const position = max > min ? scalePosition(scale, scalars[vertex]) || 0 : 0;
    const from = 3 * Math.round(255 * Math.min(1, Math.max(0, position)));
    for (let c = 0; c < 3; c++) target[at + c] = table[from + c];
  };
}
