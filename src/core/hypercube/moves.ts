/**
 * Moves along axes: cyclic shifts, and windows, which move an array and give it another length, zeros where it did not reach. Moves
 * along different axes do not meet; those along one axis become as few as there can be.
 */
import type { DigitStep } from "./digits.ts";
import { wholeAxis } from "./digits.ts";

/** out[(i + by) mod length] = in[i], 0 < by < length */
export interface Shift {
  readonly kind: "shift";
  readonly length: number;
  readonly by: number;
}

/** out[i] = in[i − by] where first ≤ i < end, else 0; these i − by are within the source. */
export interface Window {
  readonly kind: "window";
  readonly from: number;
  readonly to: number;
  readonly by: number;
  readonly first: number;
  readonly end: number;
}

export type Move = Shift | Window;

export interface MoveStep {
  readonly kind: "moves";
  readonly from: readonly number[];
  readonly to: readonly number[];
  /** Of each axis, in the order in which they are made. */
  readonly moves: readonly (readonly Move[])[];
}

const modulo = (x: number, n: number): number => ((x % n) + n) % n;

/**
 * A shift by any distance (seed 002, §8.2). Listing 5 takes L_i − s for a negative s, where L_i + s is due, and puts it at the bit
 * `h_bits[i]`, the number of the axis's bits, instead of at offset_i.
 */
export const shiftMove = (length: number, by: number): Shift => ({
  kind: "shift",
  length,
  by: modulo(by, length),
});

/** The window of `to` elements in which the source begins at `by`. */
export function windowMove(from: number, to: number, by: number): Window {
  return normalWindow({ kind: "window", from, to, by, first: Math.max(0, by), end: Math.min(to, from + by) });
}

/** All windows without an element of the source are one. */
const normalWindow = (window: Window): Window =>
  window.first < window.end ? window : { ...window, by: 0, first: 0, end: 0 };

function isStill(move: Move): boolean {
  if (move.kind === "shift") return move.by === 0;
  return move.by === 0 && move.from === move.to && move.first === 0 && move.end === move.to;
}

function joined(a: Move, b: Move): Move | undefined {
  if (a.kind === "shift" && b.kind === "shift") return shiftMove(a.length, a.by + b.by);
  if (a.kind !== "window" || b.kind !== "window") return undefined;
  const first = Math.max(b.first, a.first + b.by);
  const end = Math.min(b.end, a.end + b.by);
  return normalWindow({ kind: "window", from: a.from, to: b.to, by: a.by + b.by, first, end });
}

/** The moves with one more, in as few as there can be. */
function withMove(moves: readonly Move[], move: Move): readonly Move[] {
  if (isStill(move)) return moves;
  const last = moves.at(-1);
  const both = last && joined(last, move);
  if (!both) return [...moves, move];
  return withMove(moves.slice(0, -1), both);
}

/** The step that makes one move along one axis. */
export function moveStep(from: readonly number[], axis: number, move: Move): MoveStep {
  const to = from.map((length, i) => (i === axis ? lengthAfter(move) : length));
  return { kind: "moves", from, to, moves: from.map((_, i) => (i === axis ? withMove([], move) : [])) };
}

const lengthAfter = (move: Move): number => (move.kind === "shift" ? move.length : move.to);

export const isStillStep = ({ moves }: MoveStep): boolean => moves.every((along) => along.length === 0);

export const mergedMoves = (first: MoveStep, second: MoveStep): MoveStep => ({
  kind: "moves",
  from: first.from,
  to: second.to,
  moves: first.moves.map((moves, axis) => second.moves[axis].reduce(withMove, moves)),
});

/** The step back; undefined where a window loses or adds elements. */
export function invertedMoves({ from, to, moves }: MoveStep): MoveStep | undefined {
  const isBijective = moves.every((along) => along.every(({ kind }) => kind === "shift"));
  if (!isBijective) return undefined;
  const back = moves.map((along) =>
    [...along].reverse().map((move) => shiftMove(lengthAfter(move), move.kind === "shift" ? -move.by : 0)),
  );
  return { kind: "moves", from: to, to: from, moves: back };
}

/** The move as it is in an array that is flipped. */
function mirrored(move: Move): Move {
  if (move.kind === "shift") return shiftMove(move.length, -move.by);
  const { from, to, by, first, end } = move;
  return normalWindow({ kind: "window", from, to, by: to - from - by, first: to - end, end: to - first });
}

/**
 * The same as `moves`, then `digits`, with as many of the moves last as there can be: those along axes that `digits` keeps whole.
 * `before` is what stays first, if anything. Undefined where none can go last.
 */
export function movesLast(
  { from, moves }: MoveStep,
  digits: DigitStep,
): { readonly before: MoveStep; readonly digits: DigitStep; readonly after: MoveStep } | undefined {
  const wholes = moves.map((along, axis) =>
    along.length > 0 && from[axis] > 1 ? wholeAxis(digits, axis) : undefined,
  );
  if (wholes.every((whole) => whole === undefined)) return undefined;
  const between = digits.from.map((length, axis) => (wholes[axis] ? from[axis] : length));
  const to = [...digits.to];
  const after: (readonly Move[])[] = digits.to.map(() => []);
  const radices = [...digits.radices];
  for (const [axis, whole] of wholes.entries()) {
    if (!whole) continue;
    to[whole.axis] = from[axis];
    after[whole.axis] = whole.isFlipped ? moves[axis].map(mirrored) : moves[axis];
    radices[digitOf(digits, axis)] = from[axis];
  }
  return {
    before: {
      kind: "moves",
      from,
      to: between,
      moves: moves.map((along, axis) => (wholes[axis] ? [] : along)),
    },
    digits: { ...digits, from: between, to, radices },
    after: { kind: "moves", from: to, to: digits.to, moves: after },
  };
}

/** The same as `digits`, then `moves`, with all of the moves first; undefined where one is along an axis that `digits` makes of parts. */
export function movesFirst(
  digits: DigitStep,
  { to, moves }: MoveStep,
): { readonly moves: MoveStep; readonly digits: DigitStep } | undefined {
  const lengths = [...digits.from];
  const radices = [...digits.radices];
  const before: (readonly Move[])[] = digits.from.map(() => []);
  let left = moves.filter((along) => along.length > 0).length;
  for (const axis of digits.from.keys()) {
    const whole = wholeAxis(digits, axis);
    const along = whole ? moves[whole.axis] : [];
    // An axis of one element has no digit.
    if (!whole || along.length === 0 || to[whole.axis] === 1) continue;
    lengths[axis] = to[whole.axis];
    before[axis] = whole.isFlipped ? along.map(mirrored) : along;
    radices[digitOf(digits, axis)] = to[whole.axis];
    left--;
  }
  if (left > 0) return undefined;
  return {
    moves: { kind: "moves", from: digits.from, to: lengths, moves: before },
    digits: { ...digits, from: lengths, to, radices },
  };
}

/** The number of the digit that an axis is as a whole. */
function digitOf({ from, radices }: DigitStep, axis: number): number {
  let digit = 0;
  for (let i = 0; i < axis; i++) for (let product = 1; product < from[i]; digit++) product *= radices[digit];
  return digit;
}
