/** Moves as values: cyclic shifts, flips and exchanges of axes, one after the other, are one move again. */
import type { AxisMove, Move } from "./filter.ts";

type Axis = AxisMove["from"];

const axes: readonly Axis[] = [0, 1, 2];
const letters = "xyz";

/** Shifts are whole numbers below it, so that shaders can add them to indices. */
const maxShift = 2 ** 30;

export const isShift = (by: number): boolean => Number.isInteger(by) && Math.abs(by) < maxShift;

const moveOf = (along: (axis: Axis) => AxisMove): Move => [along(0), along(1), along(2)];

/** out[(i + s) mod L] = in[i] along each axis. */
export const shiftBy = (distances: readonly number[]): Move =>
  moveOf((from) => ({ from, isFlipped: false, by: -(distances[from] ?? 0) || 0 }));

/** out[L − 1 − i] = in[i] along these axes: −1 − i is L − 1 − i modulo L. */
export const flipOf = (flipped: readonly number[]): Move =>
  moveOf((from) =>
    flipped.filter((axis) => axis === from).length % 2 === 1
      ? { from, isFlipped: true, by: -1 }
      : { from, isFlipped: false, by: 0 },
  );

/** Two axes change places. */
export const exchangeOf = (a: number, b: number): Move =>
  moveOf((axis) => ({
    from: axis === a ? (b as Axis) : axis === b ? (a as Axis) : axis,
    isFlipped: false,
    by: 0,
  }));

/** Both moves as one; undefined where its shifts are too far. */
export function bothMoves(first: Move, second: Move): Move | undefined {
  const both = moveOf((axis) => {
    const { from: through, isFlipped, by } = first[axis];
    const then = second[through];
    return {
      from: then.from,
      isFlipped: isFlipped !== then.isFlipped,
      by: by + (isFlipped ? -then.by : then.by) || 0,
    };
  });
  return both.every(({ by }) => isShift(by)) ? both : undefined;
}

export const isStill = (move: Move): boolean =>
  move.every(({ from, isFlipped, by }, axis) => from === axis && !isFlipped && by === 0);

/** The axes that a move exchanges: each of them becomes another one. */
export const exchangedAxes = (move: Move): number[] => axes.filter((axis) => move[axis].from !== axis);

/** Whether values keep their place along an axis, and that of the others does not depend on it. */
export const keepsAxis = (move: Move, axis: Axis): boolean => {
  const { from, isFlipped, by } = move[axis];
  return from === axis && !isFlipped && by === 0;
};

/** The source's indices along x, y and z: `x-1,-y-1,z`. */
export const printMove = (move: Move): string =>
  move
    .map(({ from, isFlipped, by }) => {
      const shift = by === 0 ? "" : by > 0 ? `+${by}` : String(by);
      return `${isFlipped ? "-" : ""}${letters[from]}${shift}`;
    })
    .join(",");

/** Reads what `printMove` writes; undefined for anything else. */
export function parseMove(text: string): Move | undefined {
  const parts = text.split(",").map((part) => /^(-?)([xyz])([-+]\d+)?$/.exec(part));
  const along = parts.map((part): AxisMove | undefined =>
    part
      ? { from: letters.indexOf(part[2]) as Axis, isFlipped: part[1] === "-", by: Number(part[3] ?? 0) }
      : undefined,
  );
  const [x, y, z] = along;
  if (along.length !== 3 || !x || !y || !z) return undefined;
  const move: Move = [x, y, z];
  const isOnce = new Set(move.map(({ from }) => from)).size === 3;
  return isOnce && move.every(({ by }) => isShift(by)) && printMove(move) === text ? move : undefined;
}
