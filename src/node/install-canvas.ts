import { execFile } from "node:child_process";
import { platform } from "node:os";
import { promisify } from "node:util";
import { CrinkleError, describeError } from "../core/errors.ts";

/**
 * The generic families that pictures name, and what browsers commonly show for them where no desktop says otherwise, most common
 * first.
 */
const genericFamilies = {
  "system-ui": ["DejaVu Sans", "Noto Sans", "Liberation Sans", "Arial"],
  monospace: ["DejaVu Sans Mono", "Noto Sans Mono", "Liberation Mono", "Courier New"],
} as const;

/**
 * Provides OffscreenCanvas for 2D drawing, and ImageData, from the optional package `@napi-rs/canvas` (Skia, which draws
 * Chromium's canvases, too), with the fonts that browsers on this machine take for generic families. Resolves to whether the
 * machine has fonts. Throws Refused if the package is not installed or does not run here.
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
  const families = GlobalFonts.families.map(({ family }) => family);
  for (const [generic, common] of Object.entries(genericFamilies)) {
    const file = await fontFile(generic);
    // By file, as browsers take it: its one weight stands for those between regular and bold.
    if (file !== undefined && GlobalFonts.registerFromPath(file, generic)) continue;
    const family = common.find((name) => families.includes(name));
    if (family !== undefined) GlobalFonts.setAlias(family, generic);
  }
  return { hasFonts: families.length > 0 };
}

/** The font that fontconfig, which Linux browsers ask, has for a family; undefined where its command is not installed. */
async function fontFile(family: string): Promise<string | undefined> {
  if (platform() !== "linux") return undefined;
  try {
    return (await promisify(execFile)("fc-match", ["--format=%{file}", family])).stdout;
  } catch {
    return undefined;
  }
}
