import type { Layer, LayerPaint, LayerShape } from "../../core/layers.ts";

const testPaint: LayerPaint = {
  solid: "#3080d0",
  map: "viridis",
  reversed: false,
  range: undefined,
  nanColor: "#b0b0b0",
  opacity: 1,
};

/** A layer in one colour. */
export function testLayer(id: string, shape: LayerShape, change: Partial<Layer> = {}): Layer {
  return {
    id,
    title: undefined,
    isVisible: true,
    shape,
    colorBy: undefined,
    paint: testPaint,
    clip: undefined,
    ...change,
  };
}

/** An isosurface with smooth normals, by the table. */
export const testIsosurface = (field: string, ...isovalues: readonly number[]): LayerShape => ({
  kind: "isosurface",
  field,
  isovalues,
  normals: "smooth",
  topology: "table",
});
