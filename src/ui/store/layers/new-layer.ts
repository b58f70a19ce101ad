import type { Bounds, Triple } from "../../../core/grid.ts";
import type { Layer, LayerPaint } from "../../../core/layers.ts";

/** Colours of layers without a colour field, distinguishable also by people who do not see red or green. */
const solids = ["#6c9fd2", "#e0a13c", "#5fb39a", "#c4779f", "#9a8fd1", "#b8b04f"] as const;

export const defaultPaint: LayerPaint = {
  solid: solids[0],
  map: "viridis",
  reversed: false,
  range: undefined,
  nanColor: "#b0b0b0",
  opacity: 1,
};

/** A colour that no other layer has, while there are any. */
export function solidColor(layers: readonly Layer[]): string {
  const taken = layers.map(({ paint }) => paint.solid);
  return solids.find((color) => !taken.includes(color)) ?? solids[layers.length % solids.length];
}

/** An unused id. */
export function freshId(layers: readonly Pick<Layer, "id">[]): string {
  const numbers = layers.map(({ id }) => Number(/^layer-(\d+)$/.exec(id)?.[1] ?? 0));
  return `layer-${1 + Math.max(0, ...numbers)}`;
}

/** An isosurface with initial settings. */
export function isosurface(
  id: string,
  {
    field,
    isovalue,
    colorBy,
  }: { readonly field: string; readonly isovalue: number; readonly colorBy: string | undefined },
  paint: LayerPaint,
): Layer {
  return {
    id,
    title: undefined,
    isVisible: true,
    shape: { kind: "isosurface", field, isovalues: [isovalue], normals: "smooth", topology: "table" },
    colorBy,
    paint,
    clip: undefined,
  };
}

export function centerOf([x0, x1, y0, y1, z0, z1]: Bounds): Triple {
  return [0.5 * (x0 + x1), 0.5 * (y0 + y1), 0.5 * (z0 + z1)];
}
