import type { Layer, LayerShape } from "../../../core/layers.ts";
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

/** Characters of a title that a person gives. */
export const maxTitleCharacters = 80;

/** The title that a person gave, or what the shape says. */
export function titleOf({ title, shape }: Pick<Layer, "title" | "shape">): string {
  return title || shapeTitle(shape);
}

/** A text as a title: undefined where it is empty, or what the shape says anyway. */
export function givenTitle(text: string, shape: LayerShape): string | undefined {
  const title = text.trim().replaceAll(/\s+/gu, " ").slice(0, maxTitleCharacters);
  return title === "" || title === shapeTitle(shape) ? undefined : title;
}

function shapeTitle(shape: LayerShape): string {
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
