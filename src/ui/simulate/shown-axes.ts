/** The choice of the axes of a lattice that are seen. */

/**
 * The axes with another one at a place, of which there is one more than axes at most: where it is shown elsewhere, the two change places;
 * undefined leaves this place and those behind it out.
 */
export function withAxis(
  axes: readonly number[],
  place: number,
  axis: number | undefined,
): readonly number[] {
  if (axis === undefined) return axes.slice(0, Math.max(1, place));
  const changed = [...axes];
  const elsewhere = axes.indexOf(axis);
  if (elsewhere >= 0 && place < axes.length) changed[elsewhere] = axes[place];
  changed[place] = axis;
  return changed;
}

/** The axes that a place may show: at one that is empty, those that are shown nowhere. */
export function axesFor(count: number, axes: readonly number[], place: number): readonly number[] {
  const all = Array.from({ length: count }, (_, axis) => axis);
  return place < axes.length ? all : all.filter((axis) => !axes.includes(axis));
}
