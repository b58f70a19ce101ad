import { expect, test } from "vitest";
import type { Layer, LayerShape } from "../../core/layers.ts";
import { followField } from "./follow-field.ts";

const layerOf = (shape: LayerShape, colorBy?: string) => ({ id: "a", shape, colorBy }) as Layer;

const surface = (field: string): LayerShape => ({
  kind: "isosurface",
  field,
  isovalues: [1],
  normals: "smooth",
  topology: "table",
});

test("layers show what a field of other components has", () => {
  const shown = (field: string, name: string, components: number) =>
    followField(layerOf(surface(field)), { name, components }).shape;
  expect(shown("w", "w", 3)).toMatchObject({ field: "magnitude(w)" });
  expect(shown("magnitude(w)", "w", 1)).toMatchObject({ field: "w" });
  expect(shown("w[2]", "w", 2)).toMatchObject({ field: "magnitude(w)" });
  expect(shown("w[2][1]", "w", 1)).toMatchObject({ field: "w" });
  expect(shown('"X V"', "X V", 4)).toMatchObject({ field: '"X V"[0]' });
});

test("cuts, thresholds and colours follow, and what still holds stays", () => {
  const field = { name: "w", components: 3 };
  const cut = { kind: "cut", by: { kind: "expression", text: "w", value: 2 } } as const;
  expect(followField(layerOf(cut), field).shape).toMatchObject({ by: { text: "magnitude(w)", value: 2 } });
  const threshold = { kind: "threshold", field: "w", range: [0, 1] } as const;
  expect(followField(layerOf(threshold), field).shape).toMatchObject({ field: "magnitude(w)" });
  expect(followField(layerOf({ kind: "image" }, "w"), field).colorBy).toBe("magnitude(w)");
  for (const text of ["w[1]", "magnitude(w)", "2 * w", "www", "p"]) {
    const layer = layerOf(surface(text), text);
    expect(followField(layer, field)).toBe(layer);
  }
});
