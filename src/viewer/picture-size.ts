import { CrinkleError } from "../core/errors.ts";

/** The limits of 2D canvases in Chromium, Firefox and Skia: 2^28 pixels in all and 32,767 on a side. */
const maxPixels = 2 ** 28;
const maxSide = 32_767;

/** Throws TooLarge unless a picture can have `width` × `height` pixels. */
export function checkPictureSize(width: number, height: number): void {
  if (width * height <= maxPixels && Math.max(width, height) <= maxSide) return;
  throw new CrinkleError({
    tag: "TooLarge",
    problem: `A picture of ${width} × ${height} pixels is larger than a canvas can be.`,
    remedy: "Choose a smaller size: at most 2²⁸ pixels, and 32,767 on a side.",
  });
}
