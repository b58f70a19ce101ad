import { CrinkleError } from "../core/errors.ts";

/** sRGB components in [0, 1]. */
export type Rgb = readonly [red: number, green: number, blue: number];

/** Parses any CSS colour; an alpha channel is composited over black. Throws BadArgument for any other text. */
export function parseCssColor(css: string): Rgb {
  // Without a canvas, which not every Node has.
  if (/^#[\da-f]{6}$/i.test(css)) {
    const word = Number.parseInt(css.slice(1), 16);
    return [(word >> 16) / 255, ((word >> 8) & 255) / 255, (word & 255) / 255];
  }
  const context = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
  if (!context) throw new Error("no 2D context");
  // An invalid colour leaves fillStyle unchanged, so two different initial values reveal it.
  const read = (start: string) => {
    context.fillStyle = start;
    context.fillStyle = css;
    return context.fillStyle;
  };
  if (read("#000000") !== read("#ffffff")) {
    throw new CrinkleError({
      tag: "BadArgument",
      problem: `“${css}” is not a colour.`,
      remedy: "Write a CSS colour, such as #a0a0a0 or gray.",
    });
  }
  context.fillRect(0, 0, 1, 1);
  const [red, green, blue] = context.getImageData(0, 0, 1, 1).data;
  return [red / 255, green / 255, blue / 255];
}
