import type { Field } from "../../core/field.ts";
import { type Grid, nodeCoordinates } from "../../core/grid.ts";

/** One component of a node-centred field as numbers, and its derivatives. */
export class Sampler {
  readonly coordinates: readonly Float64Array[];
  readonly #field: Field;
  readonly #component: number;
  readonly #strides: readonly number[];

  constructor(grid: Grid, field: Field, component: number) {
    this.coordinates = [0, 1, 2].map((axis) => nodeCoordinates(grid, axis));
    this.#strides = [1, grid.dims[0], grid.dims[0] * grid.dims[1]];
    this.#field = field;
    this.#component = component;
  }

  value(point: number): number {
    return Number(this.#field.data[point * this.#field.components + this.#component]);
  }

  /**
   * Along `axis` at a point with index `i` in that direction: central difference over both neighbours, one-sided at
   * the border and beside values that are not finite, zero where neither side has one.
   */
  derivative(point: number, axis: number, i: number): number {
    const x = this.coordinates[axis];
    const stride = this.#strides[axis];
    let low = i > 0 ? i - 1 : i;
    let high = i < x.length - 1 ? i + 1 : i;
    if (!Number.isFinite(this.value(point + (low - i) * stride))) low = i;
    if (!Number.isFinite(this.value(point + (high - i) * stride))) high = i;
    if (low === high) return 0;
    const rise = this.value(point + (high - i) * stride) - this.value(point + (low - i) * stride);
    return rise / (x[high] - x[low]);
  }

  /** 0 where the point's value is at most the isovalue, 1 where it is above, 2 where it is not finite. */
  classify(first: number, isovalue: number, out: Uint8Array): void {
    const { data, components } = this.#field;
    let at = first * components + this.#component;
    for (let i = 0; i < out.length; i++, at += components) {
      const value = Number(data[at]);
      out[i] = Number.isFinite(value) ? (value > isovalue ? 1 : 0) : 2;
    }
  }
}
