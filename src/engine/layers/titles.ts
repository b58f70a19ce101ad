import type { Layer, LayerShape } from "../../core/layers.ts";
import { withoutQuotes } from "../../lang/expression/syntax/quoting.ts";

/** The kinds of layers that can be added; each kind of cut counts separately. */
export type LayerKind =
  | "isosurface"
  | "plane"
  | "sphere"
  | "expression"
  | "slice"
  | "threshold"
  | "points"
  | "image";

export const kindTitles: Readonly<Record<LayerKind, string>> = {
  isosurface: "Isosurface",
  plane: "Plane cut",
  sphere: "Sphere cut",
  expression: "Expression cut",
  slice: "Slice",
  threshold: "Threshold",
  points: "Points",
  image: "Image",
};

export function kindOf({ shape }: Layer): LayerKind {
  return shape.kind === "cut" ? shape.by.kind : shape.kind;
}

/** Maximum number of characters of a given title. */
export const maxTitleCharacters = 80;

/** The given title, or the one derived from the shape. */
export function titleOf({ title, shape }: Pick<Layer, "title" | "shape">): string {
  return title || shapeTitle(shape);
}

/** A text as a title: undefined if it is empty or equal to the one derived from the shape. */
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
    case "image":
      return kindTitles[shape.kind];
  }
}
