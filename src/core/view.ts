import type { Triple } from "./grid.ts";
import type { ScaleKind } from "./scale.ts";

/** How the page and the viewer speak of what is on the screen. */
export type Theme = "light" | "dark";

export interface Viewport {
  /** CSS pixels. */
  readonly width: number;
  readonly height: number;
  readonly pixelRatio: number;
}

export type ViewDirection = "default" | "+x" | "-x" | "+y" | "-y" | "+z" | "-z";

/** What the page draws beside the picture; `colors` are CSS colours from low to high. */
export interface ScalarBar {
  readonly title: string;
  readonly min: number;
  readonly max: number;
  /** How numbers are laid out from `min` to `max`; linear where it is left out. */
  readonly scale?: ScaleKind;
  readonly colors: readonly string[];
  /** Where the colours are equal bands for the whole numbers from 0 on: how many. */
  readonly bands?: number;
  readonly nanColor: string;
  /** Whether the surface holds NaN colours, so that the legend shows them. */
  readonly hasNaN: boolean;
}

/**
 * Where the picture is seen from: around `target`, from `distance`, `azimuth` around z from +x and `elevation` above the
 * xy plane, in radians. Lengths are in parts of the diagonal of the data's box, whose middle is the origin.
 */
export interface CameraState {
  readonly azimuth: number;
  readonly elevation: number;
  readonly distance: number;
  readonly target: Triple;
  /** Where the target is seen: right and up of the view's middle, in parts of half its width and height. */
  readonly center: readonly [right: number, up: number];
}
