import { describe, expect, test } from "vitest";
import { colorMapStops, colorMapSummaries, sampleColorMap } from "./colormaps.ts";

/** Relative luminance of an sRGB colour (IEC 61966-2-1, Rec. 709 primaries). */
function luminance(bytes: Uint8Array, i: number): number {
  const linear = (byte: number) => {
    const c = byte / 255;
    return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
  };
  return (
    0.2126 * linear(bytes[3 * i]) + 0.7152 * linear(bytes[3 * i + 1]) + 0.0722 * linear(bytes[3 * i + 2])
  );
}

describe("colour maps", () => {
  test("viridis has the colours its authors published", () => {
    // matplotlib's viridis at 0, 1/2 and 1.
    expect(colorMapStops("viridis", 3)).toEqual(["rgb(68, 1, 84)", "rgb(33, 145, 140)", "rgb(253, 231, 37)"]);
  });

  test.each(["viridis", "plasma", "inferno", "magma", "cividis", "greys", "lagoon"])(
    "%s grows lighter from low to high",
    (name) => {
      const bytes = sampleColorMap(name, 64);
      for (let i = 1; i < 64; i++) expect(luminance(bytes, i)).toBeGreaterThan(luminance(bytes, i - 1));
    },
  );

  test("diverging maps are palest in the middle and cold at the low end", () => {
    for (const name of ["coolwarm", "purpleorange"]) {
      const bytes = sampleColorMap(name, 65);
      const values = Array.from({ length: 65 }, (_, i) => luminance(bytes, i));
      expect(Math.abs(values.indexOf(Math.max(...values)) - 32)).toBeLessThanOrEqual(2);
    }
    const [red, , blue] = sampleColorMap("coolwarm", 2);
    expect(blue).toBeGreaterThan(red);
  });

  test("a reversed map is the same map backwards", () => {
    for (const { name, kind, colors } of colorMapSummaries()) {
      expect(colorMapStops(name, 17, true)).toEqual(colorMapStops(name, 17).reverse());
      expect(["sequential", "diverging", "cyclic"]).toContain(kind);
      expect(colors).toEqual(colorMapStops(name, colors.length));
    }
  });

  test("an unknown map is refused with the known ones", () => {
    expect(() => sampleColorMap("jet", 2)).toThrow(/no colour map “jet”.*viridis/);
    expect(() => sampleColorMap("toString", 2)).toThrow(/no colour map/);
  });
});
