import type { DigitStep } from "./digits.ts";
import type { IndexMap } from "./index-map.ts";
import type { MoveStep } from "./moves.ts";

/** The map with one more axis, the fastest, whose elements stay together: words of an element, components of a vector. */
export function axesLifted(map: IndexMap, length: number): IndexMap {
  const steps = map.steps.map((step) =>
    step.kind === "digits" ? liftedDigits(step, length) : liftedMoves(step, length),
  );
  return { from: [length, ...map.from], to: [length, ...map.to], steps };
}

function liftedDigits(step: DigitStep, length: number): DigitStep {
  const { from, to, radices, places } = step;
  const lengths = { from: [length, ...from], to: [length, ...to] };
  if (length === 1) return { ...step, ...lengths };
  const moved = places.map(({ digit, isFlipped }) => ({ digit: digit + 1, isFlipped }));
  return {
    ...step,
    ...lengths,
    radices: [length, ...radices],
    places: [{ digit: 0, isFlipped: false }, ...moved],
  };
}

const liftedMoves = (step: MoveStep, length: number): MoveStep => ({
  ...step,
  from: [length, ...step.from],
  to: [length, ...step.to],
  moves: [[], ...step.moves],
});
