import type { Triple } from "./grid.ts";
import type { Topology } from "./marching-cubes/topology.ts";
import type { ScaleKind } from "./scale.ts";

/** Of one isosurface at most: all are extracted in one pass. */
export const maxIsovalues = 32;

/** Through `origin`, across `normal` (any length but 0); its positive side is the one that `normal` points to. */
export interface Plane {
  readonly origin: Triple;
  readonly normal: Triple;
}

/** A function of space whose zero set cuts the data. */
export type Implicit =
  | { readonly kind: "plane"; readonly plane: Plane }
  | { readonly kind: "sphere"; readonly center: Triple; readonly radius: number }
  /** Where the expression's scalar equals `value`. */
  | {
      readonly kind: "expression";
      readonly text: string;
      readonly value: number;
      /** "table" where it is left out. */
      readonly topology?: Topology;
    };

/** What a layer is the geometry of. Fields are expressions of scalars; lengths are physical units. */
export type LayerShape =
  | {
      readonly kind: "isosurface";
      readonly field: string;
      /** At least one; all in one pass. */
      readonly isovalues: readonly number[];
      /** Along the gradient, or across each triangle. */
      readonly normals: "smooth" | "flat";
      readonly topology: Topology;
    }
  | { readonly kind: "cut"; readonly by: Implicit }
  /** Across axis 0, 1 or 2 at a coordinate. */
  | { readonly kind: "slice"; readonly axis: number; readonly position: number }
  /** The outside of the cells whose corners all lie in the closed range. */
  | {
      readonly kind: "threshold";
      readonly field: string;
      readonly range: readonly [low: number, high: number];
    }
  /** The points of a point set; `size` in CSS pixels. */
  | { readonly kind: "points"; readonly size: number }
  /** The nodes of a grid that is flat along an axis, each a texel in its colour. */
  | { readonly kind: "image" };

/** The shapes that are surfaces. */
export type SurfaceShape = Exclude<LayerShape, { readonly kind: "points" | "image" }>;

export interface LayerPaint {
  /** CSS colour where `colorBy` is undefined. */
  readonly solid: string;
  readonly map: string;
  readonly reversed: boolean;
  /**
   * undefined: the colour field's own finite range. "surface": its range over what the layer shows, without the
   * hundredth of the vertices at either end.
   */
  readonly range: readonly [low: number, high: number] | "surface" | undefined;
  /** How colours are laid out over the range; linear where it is left out. */
  readonly scale?: ScaleKind | undefined;
  /** CSS colour for NaN. */
  readonly nanColor: string;
  /** In (0, 1]. */
  readonly opacity: number;
}

/** One of the things that the picture shows, drawn in the order of their list. Plain data: it crosses and is saved. */
export interface Layer {
  readonly id: string;
  /** Given by a person; undefined where the shape says enough. */
  readonly title: string | undefined;
  readonly isVisible: boolean;
  readonly shape: LayerShape;
  /** Expression of the colour field; a column of a point set, or "density". */
  readonly colorBy: string | undefined;
  readonly paint: LayerPaint;
  /** Only the plane's positive side is kept. */
  readonly clip: Plane | undefined;
}

export const isSurface = (shape: LayerShape): shape is SurfaceShape =>
  shape.kind !== "points" && shape.kind !== "image";
