import { CrinkleError, describeError } from "../core/errors.ts";

/**
 * Provides OffscreenCanvas for 2D drawing, and ImageData, from the optional package `@napi-rs/canvas` (Skia, which draws
 * Chromium's canvases, too). Resolves to whether the machine has fonts. Throws Refused if the package is not installed or
 * does not run here.
 */
export async function installCanvas(): Promise<{ readonly hasFonts: boolean }> {
  const { Canvas, GlobalFonts, ImageData } = await import("@napi-rs/canvas").catch((cause: unknown) => {
    throw new CrinkleError({
      tag: "Refused",
      problem: `Pictures cannot be drawn in this Node: ${describeError(cause)}`,
      remedy: "Install the package @napi-rs/canvas.",
      cause,
    });
  });
  Object.assign(globalThis, { OffscreenCanvas: Canvas, ImageData });
  return { hasFonts: GlobalFonts.families.length > 0 };
}
