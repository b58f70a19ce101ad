/** Places of a tile's elements in workgroup memory. */
import type { Linear } from "../../core/hypercube/linear.ts";
import { valueAt } from "../../core/hypercube/linear-values.ts";
import type { Tile } from "./tile.ts";

/** Banks of workgroup memory, of a word each, and the threads whose accesses are served together. */
const banks = 32;

const range = (n: number): number[] => Array.from({ length: n }, (_, i) => i);

/** Where element t of a tile is in workgroup memory: one place further after every 2^shift elements. */
export const padded = (t: number, shift: number): number => t + (t >> shift);

/** The shift of `padded` with which neither order meets the same banks again and again. */
export function paddingOf(place: Linear, widths: Tile["widths"], size: number, bytes: number): number {
  const words = bytes / 4;
  const together = banks / words;
  const lanes = range(together);
  const orders = [
    { width: widths.source, elements: lanes.map((u) => valueAt(place, [u, 0])) },
    { width: widths.result, elements: lanes.map((u) => widths.result * u) },
  ];
  const cost = (shift: number): number => {
    const waits = orders.map(({ width, elements }) => {
      const inBank = new Array<number>(together).fill(0);
      for (const t of elements) if (t < size) inBank[padded(t, shift) % together]++;
      return width * Math.max(...inBank);
    });
    return waits[0] + waits[1];
  };
  const shifts = range(Math.ceil(Math.log2(size))).slice(2);
  return shifts.reduce((best, shift) => (cost(shift) <= cost(best) ? shift : best), shifts[0]);
}
