/** What elements look like: each keeps its colour wherever it goes. */
import { toCoordinates } from "../../core/hypercube/coordinates.ts";
import type { Source } from "./examine.ts";

export type Rgb = readonly [r: number, g: number, b: number];

export type CubeColors = "checkerboard" | "place";

/** The colours of a source's elements, one behind the other. */
export function colorsOf({ kind, lengths }: Source, cubeColors: CubeColors): Uint8ClampedArray {
  const count = lengths.reduce((product, length) => product * length, 1);
  const colors = new Uint8ClampedArray(3 * count);
  for (let k = 0; k < count; k++) {
    const at = toCoordinates(lengths, k);
    // From 0 to 1, in the middle of each element.
    const [u, v = 0, w = 0] = at.map((x, axis) => (x + 0.5) / lengths[axis]);
    colors.set(colorAt(), 3 * k);
    function colorAt(): Rgb {
      if (kind === "row") return mixed(early, late, u);
      if (kind === "cube") return cubeColor(at, [u, v, w], cubeColors);
      // A line of one element shows what happens to neighbours.
      return at[0] === at[1] ? white : landscape(u, v);
    }
  }
  return colors;
}

const mixed = (a: Rgb, b: Rgb, t: number): Rgb => {
  const part = (c: 0 | 1 | 2) => a[c] + (b[c] - a[c]) * t;
  return [part(0), part(1), part(2)];
};

const [early, late]: readonly Rgb[] = [
  [126, 208, 214],
  [246, 190, 110],
];
const [even, odd]: readonly Rgb[] = [
  [20, 108, 120],
  [246, 205, 140],
];
const white: Rgb = [255, 255, 255];

function cubeColor(at: readonly number[], [u, v, w]: Rgb, colors: CubeColors): Rgb {
  if (colors === "place") return [70 + 180 * u, 70 + 180 * v, 70 + 180 * w];
  return at.reduce((sum, x) => sum + x, 0) % 2 === 0 ? even : odd;
}

/** A picture with a top, a bottom, a left and a right: the sun over a mountain, and a boat on the water. */
function landscape(u: number, v: number): Rgb {
  if (v > 0.54 && v < 0.84 && u > 0.24 && u < 0.24 + 0.45 * (v - 0.54)) return [214, 70, 62];
  if (v >= 0.84 && v < 0.88 && u > v - 0.64 && u < 1.26 - v) return [74, 48, 38];
  if (v > 0.64) {
    const wave = 0.14 * Math.sin(60 * v + 4 * Math.sin(7 * u));
    return mixed([34, 98, 128], [18, 60, 92], (v - 0.64) / 0.36 + wave);
  }
  const slope = 0.3 + 0.75 * Math.abs(u - 0.62) + 0.03 * Math.sin(40 * u);
  if (v > slope) {
    const isSnow = v < slope + 0.07 && v < 0.46;
    return isSnow ? [244, 246, 248] : mixed([88, 96, 122], [60, 92, 88], (v - 0.3) / 0.34);
  }
  if (Math.hypot(u - 0.2, v - 0.2) < 0.11) return [255, 236, 150];
  return mixed([92, 164, 214], [250, 222, 178], Math.min(1, v / 0.6));
}
