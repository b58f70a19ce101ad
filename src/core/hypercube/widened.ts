/** Maps of groups of neighbouring elements, which stay together: fewer and larger elements to move. */
import { axesOfDigits, type DigitStep } from "./digits.ts";
import type { IndexMap, Step } from "./index-map.ts";
import type { Move, MoveStep } from "./moves.ts";

/** The map of groups of `width` elements along the fastest axis; undefined where it parts them. */
export function widenedMap(map: IndexMap, width: number): IndexMap | undefined {
  if (map.from[0] % width !== 0 || map.to[0] % width !== 0) return undefined;
  const steps: Step[] = [];
  for (const step of map.steps) {
    const wide = step.kind === "digits" ? widenedDigits(step, width) : widenedMoves(step, width);
    if (!wide) return undefined;
    steps.push(wide);
  }
  return { from: divided(map.from, width), to: divided(map.to, width), steps };
}

const divided = ([first, ...others]: readonly number[], width: number): number[] => [
  first / width,
  ...others,
];

function widenedDigits({ from, to, radices, places }: DigitStep, width: number): DigitStep | undefined {
  const [low] = radices;
  const isKept =
    low !== undefined &&
    low % width === 0 &&
    axesOfDigits(from, radices)[0] === 0 &&
    places[0].digit === 0 &&
    !places[0].isFlipped &&
    to[0] % width === 0;
  if (!isKept) return undefined;
  const lengths = { kind: "digits", from: divided(from, width), to: divided(to, width) } as const;
  if (low > width) return { ...lengths, radices: [low / width, ...radices.slice(1)], places };
  const moved = places.slice(1).map((place) => ({ ...place, digit: place.digit - 1 }));
  return { ...lengths, radices: radices.slice(1), places: moved };
}

function widenedMoves({ from, to, moves }: MoveStep, width: number): MoveStep | undefined {
  if (from[0] % width !== 0 || to[0] % width !== 0) return undefined;
  const wide = moves[0].map((move) => widenedMove(move, width));
  if (wide.some((move) => move === undefined)) return undefined;
  const first = wide.filter((move) => move !== undefined);
  return {
    kind: "moves",
    from: divided(from, width),
    to: divided(to, width),
    moves: [first, ...moves.slice(1)],
  };
}

function widenedMove(move: Move, width: number): Move | undefined {
  const { kind, ...numbers } = move;
  if (Object.values(numbers).some((number) => number % width !== 0)) return undefined;
  if (move.kind === "shift") return { ...move, length: move.length / width, by: move.by / width };
  const { from, to, by, first, end } = move;
  return {
    kind: "window",
    from: from / width,
    to: to / width,
    by: by / width,
    first: first / width,
    end: end / width,
  };
}
