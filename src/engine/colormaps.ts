import { rgb } from "d3-color";
import {
  interpolateCividis,
  interpolateGreys,
  interpolateInferno,
  interpolateMagma,
  interpolatePlasma,
  interpolatePuOr,
  interpolateRdBu,
  interpolateSinebow,
  interpolateSpectral,
  interpolateTurbo,
  interpolateViridis,
  interpolateYlGnBu,
} from "d3-scale-chromatic";
import { CrinkleError } from "../core/errors.ts";
import type { ColorMapSummary } from "./api.ts";

interface ColorMap {
  readonly kind: "sequential" | "diverging" | "cyclic";
  /** A CSS colour for t in [0, 1], low to high. */
  readonly color: (t: number) => string;
}

const reversed = (color: (t: number) => string) => (t: number) => color(1 - t);

const maps = {
  viridis: { kind: "sequential", color: interpolateViridis },
  plasma: { kind: "sequential", color: interpolatePlasma },
  inferno: { kind: "sequential", color: interpolateInferno },
  magma: { kind: "sequential", color: interpolateMagma },
  cividis: { kind: "sequential", color: interpolateCividis },
  turbo: { kind: "sequential", color: interpolateTurbo },
  lagoon: { kind: "sequential", color: reversed(interpolateYlGnBu) },
  greys: { kind: "sequential", color: reversed(interpolateGreys) },
  coolwarm: { kind: "diverging", color: reversed(interpolateRdBu) },
  purpleorange: { kind: "diverging", color: reversed(interpolatePuOr) },
  spectral: { kind: "diverging", color: reversed(interpolateSpectral) },
  sinebow: { kind: "cyclic", color: interpolateSinebow },
} as const satisfies Record<string, ColorMap>;

export type ColorMapName = keyof typeof maps;

/** In the order a menu shows them. */
const colorMapNames = Object.keys(maps) as readonly ColorMapName[];

/** Whether a map has a middle that its two ends differ from. Throws UnknownName. */
export const isDiverging = (name: string): boolean => colorMap(name).kind === "diverging";

/** Throws UnknownName if there is no such map. */
function colorMap(name: string): ColorMap {
  if (Object.hasOwn(maps, name)) return maps[name as ColorMapName];
  throw new CrinkleError({
    tag: "UnknownName",
    problem: `There is no colour map “${name}”.`,
    remedy: `Choose one of ${colorMapNames.join(", ")}.`,
  });
}

/**
 * `count` (at least 2) sRGB colours of a map at equal steps from low to high, three bytes each.
 * Between its anchors a map is interpolated in sRGB, as its authors define it. Throws UnknownName.
 */
export function sampleColorMap(name: string, count: number, reverse = false): Uint8Array<ArrayBuffer> {
  const { color } = colorMap(name);
  const bytes = new Uint8Array(count * 3);
  for (let i = 0; i < count; i++) {
    const t = i / (count - 1);
    const { r, g, b } = rgb(color(reverse ? 1 - t : t));
    bytes.set([r, g, b], i * 3);
  }
  return bytes;
}

/** The same as CSS colours, for previews and scalar bars. */
export function colorMapStops(name: string, count: number, reverse = false): string[] {
  const bytes = sampleColorMap(name, count, reverse);
  const stops: string[] = [];
  for (let i = 0; i < bytes.length; i += 3) stops.push(`rgb(${bytes[i]}, ${bytes[i + 1]}, ${bytes[i + 2]})`);
  return stops;
}

/** Number of colours of a map in a menu's preview. */
const previewStops = 16;

/** All maps, with the colours of their previews. */
export const colorMapSummaries = (): readonly ColorMapSummary[] =>
  colorMapNames.map((name) => ({ name, kind: maps[name].kind, colors: colorMapStops(name, previewStops) }));
