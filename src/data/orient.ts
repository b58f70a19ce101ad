import type { TypedArray } from "../core/dtype.ts";
import type { Grid, Triple } from "../core/grid.ts";

/** A grid with increasing coordinates, and the axes that were reversed for it. */
export interface Oriented {
  readonly grid: Grid;
  /** Axes (0, 1, 2) along which fields must be reversed too. */
  readonly reversed: readonly number[];
}

/** Reverses axes with negative spacing or decreasing coordinates; other faults are left to `validateGrid`. */
export function orient(grid: Grid): Oriented {
  const reversed: number[] = [];
  if (grid.kind === "rectilinear") {
    const axes = grid.axes.map((axis, i) => {
      if (axis.length < 2 || axis[0] <= axis[axis.length - 1]) return axis;
      reversed.push(i);
      return axis.slice().reverse();
    });
    return { grid: { ...grid, axes: [axes[0], axes[1], axes[2]] }, reversed };
  }
  const origin = [...grid.origin];
  const spacing = grid.spacing.map((h, i) => {
    if (!(h < 0)) return h;
    reversed.push(i);
    origin[i] += h * (grid.dims[i] - 1);
    return -h;
  });
  return {
    grid: {
      ...grid,
      origin: [origin[0], origin[1], origin[2]],
      spacing: [spacing[0], spacing[1], spacing[2]],
    },
    reversed,
  };
}

/** Reverses interleaved values along one axis, in place. */
export function reverseAxis(data: TypedArray, dims: Triple, components: number, axis: number): void {
  let inner = components;
  for (let i = 0; i < axis; i++) inner *= dims[i];
  const length = dims[axis];
  for (let base = 0; base < data.length; base += inner * length) {
    for (let low = 0, high = length - 1; low < high; low++, high--) {
      const a = base + low * inner;
      const b = base + high * inner;
      for (let k = 0; k < inner; k++) {
        const value = data[a + k];
        data[a + k] = data[b + k];
        data[b + k] = value;
      }
    }
  }
}
