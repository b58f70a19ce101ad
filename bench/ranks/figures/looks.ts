import type { Marker, Series } from "../../evaluation/chart.ts";

type Look = Pick<Series, "color" | "marker" | "dash">;

const look = (color: string, marker: Marker, dash?: string): Look => ({ color, marker, dash });

/** Colours that are distinct without full colour vision, on white pages and on dark ones. */
export const looks = {
  one: look("#7d7d7d", "circle"),
  manual: look("#0072b2", "square"),
  distributed: look("#d55e00", "wedge"),
  further: look("#009e73", "triangle"),
  fifth: look("#b35c94", "diamond"),
  sixth: look("#9a7d0a", "circle"),
} as const;

/** Of curves that are numbered. */
export const lookOf = (k: number): Look => {
  const all = Object.values(looks);
  return all[k % all.length];
};

const superscripts = "⁰¹²³⁴⁵⁶⁷⁸⁹";

/** 2²⁴. */
export const powerOfTwo = (n: number): string =>
  `2${[...String(Math.round(Math.log2(n)))].map((digit) => superscripts[Number(digit)]).join("")}`;

export const rankCounts = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024];

/** Numbers as they are: 1,024. */
export const ticksAt = (values: readonly number[]) =>
  values.map((value) => [value, value.toLocaleString("en")] as const);

/** Every other power of 2 that elements may have. */
export const elementTicks = Array.from({ length: 17 }, (_, k) => [4 ** k, powerOfTwo(4 ** k)] as const);
