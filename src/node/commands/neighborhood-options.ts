import type { Neighborhood } from "../../engine/points/surroundings.ts";
import { numberOption } from "../command-line/arguments.ts";

/** Neighbours by which the page's density is taken. */
const usualNeighbors = 16;

/** The options of commands that look around points. */
export const neighborhoodOptions = {
  k: {
    type: "string",
    help: `With points: how many neighbours count (${usualNeighbors}; with --radius, all within it)`,
  },
  radius: { type: "string", help: "With points: the largest distance of a neighbour" },
} as const;

export const neighborhoodUsage = "[--k N] [--radius R]";

type Given = { readonly [Name in keyof typeof neighborhoodOptions]?: string };

/** Throws Usage. */
export function neighborhoodOption(given: Given): Neighborhood {
  const radius = given.radius === undefined ? undefined : numberOption("radius", given.radius);
  const usual = radius === undefined ? usualNeighbors : undefined;
  return { k: given.k === undefined ? usual : numberOption("k", given.k), radius };
}
