import { dtypeOf, type TypedArray } from "../core/dtype.ts";
import { CrinkleError } from "../core/errors.ts";
import { checkLength } from "../core/field.ts";
import { type Centering, type Grid, nodeCount, validateGrid, valueDims } from "../core/grid.ts";
import { type DeferredArray, isDeferred } from "./bytes/deferred.ts";
import { badFile } from "./failure.ts";
import { orient, reverseAxis } from "./orient.ts";
import { type StoredData, type StoredField, storedField } from "./stored.ts";

/**
 * Maximum nodes of a grid without fields: nothing else in the file bounds it, so a damaged header could demand any
 * amount of memory.
 */
const maxNodesWithoutFields = 2 ** 26;

/** Throws BadFile if neighbouring nodes of a uniform grid coincide, or its last node has no finite position. */
function checkResolution(name: string, grid: Grid): void {
  if (grid.kind !== "uniform") return;
  for (let axis = 0; axis < 3; axis++) {
    const h = grid.spacing[axis];
    const intervals = grid.dims[axis] - 1;
    const first = grid.origin[axis];
    const last = first + intervals * h;
    if (intervals === 0 || (Number.isFinite(last) && first + h > first && last - h < last)) continue;
    throw badFile(
      name,
      "header",
      `points from ${first} on with a spacing of ${h} along ${"xyz"[axis]} cannot be told apart in double precision.`,
    );
  }
}

/** Collects and checks what a reader finds. */
export class DataSetBuilder {
  readonly name: string;
  readonly grid: Grid;
  readonly #fields: StoredField[] = [];
  readonly #notes: string[] = [];

  readonly #reversed: readonly number[];

  /** Sets the grid. Throws BadFile if it is invalid; decreasing axes are reversed, with a note. */
  constructor(name: string, described: Grid) {
    const { grid, reversed } = orient(described);
    validateGrid(grid, `“${name}”`);
    if (!Number.isSafeInteger(nodeCount(grid))) {
      throw badFile(
        name,
        "header",
        `a grid of ${grid.dims.join(" × ")} points is more than any computer holds.`,
      );
    }
    checkResolution(name, grid);
    this.name = name;
    this.grid = grid;
    this.#reversed = reversed;
    for (const axis of reversed) this.note(`Its ${"xyz"[axis]} axis runs backwards and was reversed.`);
  }

  /** Adds a field under a name made unique: empty names become “field”, repeated ones get a number. */
  add(name: string, centering: Centering, components: number, data: TypedArray | DeferredArray): void {
    const wanted = name.trim() || "field";
    let unique = wanted;
    for (let n = 2; this.#fields.some((field) => field.name === unique); n++) unique = `${wanted}_${n}`;
    if (unique !== wanted)
      this.note(`Several arrays are named “${wanted}”; one of them is now called “${unique}”.`);
    checkLength(this.grid, unique, centering, components, data.length);
    if (!isDeferred(data)) {
      const dims = valueDims(this.grid, centering);
      for (const axis of this.#reversed) reverseAxis(data, dims, components, axis);
    }
    const dtype = isDeferred(data) ? data.dtype : dtypeOf(data);
    const field = { name: unique, centering, components, dtype };
    this.#fields.push(storedField(this.grid, field, data, this.#reversed));
  }

  /** A sentence about what the reader decided or left out. */
  note(sentence: string): void {
    if (!this.#notes.includes(sentence)) this.#notes.push(sentence);
  }

  build(): StoredData {
    const { name, grid } = this;
    if (this.#fields.length === 0) {
      if (nodeCount(grid) > maxNodesWithoutFields) {
        throw new CrinkleError({
          tag: "BadFile",
          problem: `“${name}” has a grid of ${grid.dims.join(" × ")} points, but no fields.`,
          remedy: "The file is truncated, or its header is wrong.",
        });
      }
      this.note("The file has a grid, but no fields.");
    }
    return { name, grid, fields: this.#fields, notes: this.#notes };
  }
}
