import { dtypeOf, type TypedArray } from "../core/dtype.ts";
import { CrinkleError } from "../core/errors.ts";
import { formatCount } from "../core/format.ts";
import type { PointColumn, PointSet } from "../core/point-set.ts";

interface NewColumn {
  readonly name: string;
  readonly components: number;
  /** `components` values per point. */
  readonly data: TypedArray;
}

/** Collects and checks what a reader of points finds. */
export class PointSetBuilder {
  readonly name: string;
  readonly #columns: NewColumn[] = [];
  readonly #notes: string[] = [];
  #leftOut = 0;

  constructor(name: string) {
    this.name = name;
  }

  /** Adds a column under a name made unique: empty names become “column”, repeated ones get a number. */
  add(name: string, components: number, data: TypedArray): void {
    const wanted = name.trim() || "column";
    let unique = wanted;
    for (let n = 2; this.#columns.some((column) => column.name === unique); n++) unique = `${wanted}_${n}`;
    if (unique !== wanted)
      this.note(`Several columns are named “${wanted}”; one of them is now called “${unique}”.`);
    this.#columns.push({ name: unique, components, data });
  }

  /** A sentence about what the reader decided or left out. */
  note(sentence: string): void {
    if (!this.#notes.includes(sentence)) this.#notes.push(sentence);
  }

  /**
   * The set of the points at `positions` (three numbers each). Points without finite coordinates are left out.
   * Throws BadFile if none is left.
   */
  build(positions: Float64Array): PointSet {
    const { kept, dimensions } = compact(positions, this.#columns);
    const count = positions.length / 3;
    this.#leftOut += count - kept;
    if (kept === 0) {
      throw new CrinkleError({
        tag: "BadFile",
        problem:
          this.#leftOut === 0
            ? `“${this.name}” has no points.`
            : `“${this.name}” has no point whose coordinates are all finite numbers.`,
        remedy: "The file may be truncated.",
      });
    }
    if (this.#leftOut > 0) {
      const [points, were] = this.#leftOut === 1 ? ["point", "was"] : ["points", "were"];
      this.note(`${formatCount(this.#leftOut)} ${points} without finite coordinates ${were} left out.`);
    }
    return {
      name: this.name,
      dimensions,
      positions: kept < count ? positions.slice(0, 3 * kept) : positions,
      columns: this.#columns.map(({ name, components, data }): PointColumn => {
        const all = data.length > components * kept ? data.slice(0, components * kept) : data;
        return { name, components, dtype: dtypeOf(data), data: all };
      }),
      notes: this.#notes,
    };
  }

  /** Counts points that the reader left out because they lack coordinates. */
  leaveOut(count: number): void {
    this.#leftOut += count;
  }
}

/** Moves points with finite coordinates, and their values, to the front. */
function compact(
  positions: Float64Array,
  columns: readonly NewColumn[],
): { readonly kept: number; readonly dimensions: 2 | 3 } {
  let kept = 0;
  let dimensions: 2 | 3 = 2;
  for (let at = 0; at < positions.length; at += 3) {
    // Infinities and NaN alone give NaN.
    const sum = 0 * positions[at] + 0 * positions[at + 1] + 0 * positions[at + 2];
    if (sum !== 0) continue;
    if (positions[at + 2] !== 0) dimensions = 3;
    if (3 * kept !== at) {
      positions.copyWithin(3 * kept, at, at + 3);
      for (const { components, data } of columns)
        data.copyWithin(components * kept, components * (at / 3), components * (at / 3 + 1));
    }
    kept++;
  }
  return { kept, dimensions };
}
