import type { Layer } from "../../../core/layers.ts";
import { withoutQuotes } from "../../../lang/expression/syntax/quoting.ts";

/** What a person adds; cuts are told apart by what they cut with. */
export type LayerKind = "isosurface" | "plane" | "sphere" | "expression" | "slice" | "threshold" | "points";

export const kindTitles: Readonly<Record<LayerKind, string>> = {
  isosurface: "Isosurface",
  plane: "Plane cut",
  sphere: "Sphere cut",
  expression: "Expression cut",
  slice: "Slice",
  threshold: "Threshold",
  points: "Points",
};

export function kindOf({ shape }: Layer): LayerKind {
  return shape.kind === "cut" ? shape.by.kind : shape.kind;
}

/** The title that a person gave, or what the shape says. */
export function titleOf(layer: Layer): string {
  const { title, shape } = layer;
  if (title) return title;
  switch (shape.kind) {
    case "isosurface":
      return withoutQuotes(shape.field);
    case "threshold":
      return `Threshold of ${withoutQuotes(shape.field)}`;
    case "slice":
      return `Slice across ${"xyz"[shape.axis]}`;
    case "cut":
      return shape.by.kind === "expression" ? `Cut by ${shape.by.text}` : kindTitles[shape.by.kind];
    case "points":
      return "Points";
  }
}
