import type { ViewSize } from "../../core/projection.ts";

/**
 * Who draws the surfaces that ranks make: the ranks, each its own part, or the host, which gathers the triangles; or whoever
 * has fewer bytes to send.
 */
export type DrawingMethod = "automatic" | "ranks" | "host";

export const drawingMethods = ["automatic", "ranks", "host"] as const;

/** How many pictures of a surface are expected before another one takes its place: small ones of a moving camera, and whole ones. */
const expectedPictures = { moving: 60, atRest: 4 };

/** Of a picture's width and height while the camera moves. */
export const movingScale = 1 / 2;

/**
 * Of the view's pixels, covered or not, in the packed pictures of all ranks: a wavy isosurface that covers 44% of the view takes 1.2.
 */
const bytesPerPixel = 1;

export interface DrawingCosts {
  /** Of the triangles and vertices on their way to the host. */
  readonly gatheredBytes: number;
  /** Of the pictures that are expected of the surface. */
  readonly expectedBytes: number;
}

export interface DrawingChoice extends DrawingCosts {
  readonly isByRanks: boolean;
  readonly why: "bytes" | "asked" | "translucent" | "no GPU";
  /** Whether the same is chosen once what moves has come to rest. */
  readonly holdsAtRest: boolean;
  /** The ranks that have something to draw and no GPU. */
  readonly without: readonly number[];
}

export interface DrawingSituation {
  readonly method: DrawingMethod;
  readonly gatheredBytes: number;
  /** Pixels of the host's view. */
  readonly view: ViewSize;
  /** While an isovalue is dragged, a surface is expected to be drawn once. */
  readonly isMoving: boolean;
  readonly isTranslucent: boolean;
  readonly without: readonly number[];
}

/**
 * Who draws a surface: the ranks, where the expected pictures are fewer bytes than its triangles, or where they are asked to. What is
 * translucent, and what a rank without a GPU has made, is drawn by the host.
 */
export function chooseDrawing(situation: DrawingSituation): DrawingChoice {
  const choice = chosenNow(situation);
  const atRest = situation.isMoving ? chosenNow({ ...situation, isMoving: false }) : choice;
  return { ...choice, holdsAtRest: atRest.isByRanks === choice.isByRanks };
}

function chosenNow({
  method,
  gatheredBytes,
  view,
  isMoving,
  isTranslucent,
  without,
}: DrawingSituation): Omit<DrawingChoice, "holdsAtRest"> {
  const moving = movingScale ** 2;
  const wholes = isMoving ? moving : expectedPictures.atRest + expectedPictures.moving * moving;
  const expectedBytes = Math.round(wholes * bytesPerPixel * view.width * view.height);
  const costs = { gatheredBytes, expectedBytes, without };
  if (method === "host") return { ...costs, isByRanks: false, why: "asked" };
  if (method === "automatic" && gatheredBytes <= expectedBytes)
    return { ...costs, isByRanks: false, why: "bytes" };
  if (isTranslucent) return { ...costs, isByRanks: false, why: "translucent" };
  if (without.length > 0) return { ...costs, isByRanks: false, why: "no GPU" };
  return { ...costs, isByRanks: true, why: method === "ranks" ? "asked" : "bytes" };
}
