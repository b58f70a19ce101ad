import { expect, test } from "vitest";
import type { LayerPaint } from "../core/layers.ts";
import type { ScaleKind } from "../core/scale.ts";
import { sampleColorMap } from "./colormaps.ts";
import { valueColors } from "./layers/paint.ts";
import { testIsosurface, testLayer } from "./testing/layers.ts";
import { vertexColors } from "./vertex-colors.ts";

const scalars = Float32Array.of(1e-4, 1e-3, 0.1, 1, 0, -2, Number.NaN);
const range = { min: 1e-4, max: 1 };

function colors(scale: ScaleKind): number[][] {
  const color = vertexColors(scalars, range, scale);
  return Array.from(scalars, (_, vertex) => {
    const target = new Uint8Array(3);
    color(vertex, target, 0);
    return [...target];
  });
}

const viridis = (step: number) => [...sampleColorMap("viridis", 256).slice(3 * step, 3 * step + 3)];

test("colours of a mesh are laid out on its scale", () => {
  // A fourth of 255 a decade.
  expect(colors("log")).toEqual([0, 64, 191, 255, 0, 0, 0].map(viridis));
  expect(colors("linear")).toEqual([0, 0, 25, 255, 0, 0, 0].map(viridis));
  // From 1e-4 on, a tenth of the limit: (10/9 + n − 1/9) / (10/9 + 3 − 1/9) of 255.
  expect(colors("symlog")).toEqual([0, 64, 191, 255, 0, 0, 0].map(viridis));
});

test("exports of layers have the same colours, and NaN its own", () => {
  const paint: LayerPaint = {
    ...testLayer("a", testIsosurface("f", 0)).paint,
    nanColor: "#ff0000",
    scale: "log",
  };
  const bytes = valueColors(scalars, paint, [range.min, range.max]);
  const layer = Array.from(scalars, (_, k) => [...bytes.slice(3 * k, 3 * k + 3)]);
  expect(layer).toEqual([...colors("log").slice(0, -1), [255, 0, 0]]);
});
