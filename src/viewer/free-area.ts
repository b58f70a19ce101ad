import { barLayout } from "../core/bar-layout.ts";
import type { Insets, ViewSize } from "./camera.ts";

/** Below this width the page's buttons lie along the upper edge; the page's styles use the same width. */
const narrow = 560;

/** Views smaller than this in either direction are thumbnails, which have labels only. */
const smallest = 250;

/** CSS pixels around a fitted box: for its labels, the orientation mark, the page's buttons and the scalar bar. */
export function fitInsets(size: ViewSize): Insets {
  const smaller = Math.min(size.width, size.height);
  if (smaller < smallest) {
    const margin = Math.min(56, 0.14 * smaller);
    return { left: margin, right: margin, top: margin, bottom: margin };
  }
  if (barLayout(size, 1) === "standing") return { left: 84, right: 180, top: 28, bottom: 60 };
  return size.width < narrow
    ? { left: 48, right: 36, top: 56, bottom: 96 }
    : { left: 60, right: 72, top: 28, bottom: 104 };
}
