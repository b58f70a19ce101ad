/** The axes of a lattice that are seen, as a grid whose nodes are sites. */
import type { Bounds, Triple, UniformGrid } from "../../core/grid.ts";
import { stridesOf } from "../../core/hypercube/shape.ts";
import { badArgument } from "../../core/primitives/checks.ts";
import type { SitePlane } from "../../gpu/lattice/plane-gather.ts";
import type { LatticePlane } from "./api.ts";

/** Half the height of a row of sites, as a part of its length, so that it can be seen. */
const rowHeight = 1 / 32;

/** The first three axes, through the middle of the others, where what begins as a spot is. */
export const firstPlane = (lengths: readonly number[]): LatticePlane => ({
  axes: lengths.slice(0, 3).map((_, axis) => axis),
  at: lengths.map((length) => Math.floor(length / 2)),
});

/** Throws BadArgument where it is none of the lattice's. */
export function checkPlane(lengths: readonly number[], { axes, at }: LatticePlane): void {
  const isAxis = (axis: number) => Number.isInteger(axis) && axis >= 0 && axis < lengths.length;
  const areDifferent = new Set(axes).size === axes.length;
  if (axes.length < 1 || axes.length > 3 || !axes.every(isAxis) || !areDifferent) {
    throw badArgument(
      `The axes to show are ${axes.join(", ") || "none"}.`,
      `Name one to three different axes from 0 to ${lengths.length - 1}.`,
    );
  }
  checkPlace(lengths, at);
}

/** Throws BadArgument where it is no site's. */
export function checkPlace(lengths: readonly number[], at: readonly number[]): void {
  if (at.length !== lengths.length)
    throw badArgument(
      `The place to show has ${at.length} indices.`,
      `Give ${lengths.length}, one for each axis.`,
    );
  const axis = at.findIndex((index, k) => !Number.isInteger(index) || index < 0 || index >= lengths[k]);
  if (axis >= 0)
    throw badArgument(
      `The place to show is ${at[axis]} along axis ${axis}.`,
      `Give a whole number from 0 to ${lengths[axis] - 1}.`,
    );
}

/** The plane's grid: sites are nodes, one unit apart. */
export function gridOf(lengths: readonly number[], { axes }: LatticePlane): UniformGrid {
  const dims: Triple = [lengths[axes[0]], lengths[axes[1]] ?? 1, lengths[axes[2]] ?? 1];
  return { kind: "uniform", dims, origin: [0, 0, 0], spacing: [1, 1, 1] };
}

/** The bounds of the sites, each of which is a unit cube around its node; flat along axes that are not shown. */
export function boundsOf({ dims: [x, y, z] }: UniformGrid): Bounds {
  const across = (n: number): [number, number] => (n > 1 ? [-0.5, n - 0.5] : [0, 0]);
  const row = Math.max(0.5, rowHeight * x);
  return [-0.5, x - 0.5, ...(y > 1 ? across(y) : ([-row, row] as const)), ...across(z)];
}

export function sitePlaneOf(lengths: readonly number[], plane: LatticePlane): SitePlane {
  const strides = stridesOf(lengths);
  const { axes, at } = plane;
  const first = at.reduce((sum, index, axis) => (axes.includes(axis) ? sum : sum + index * strides[axis]), 0);
  const stride = (k: number) => (k < axes.length ? strides[axes[k]] : 0);
  return { dims: gridOf(lengths, plane).dims, first, strides: [stride(0), stride(1), stride(2)] };
}

/** Whether the plane is the whole lattice as it lies in memory. */
export const isWhole = (lengths: readonly number[], { axes }: LatticePlane): boolean =>
  axes.length === lengths.length && axes.every((axis, k) => axis === k);
