/**
 * Rearrangements of an index's digits. In a mixed radix a coordinate of an axis of length 12 may be two digits, one below 4 and one
 * below 3. Transposes, crinkles, tilings and Morton order give each digit another place; a flip replaces digits by their
 * complements. Digits go from low to high through the axes, from the fastest one on; none has radix 1.
 */
export interface DigitStep {
  readonly kind: "digits";
  /** Lengths of the source. */
  readonly from: readonly number[];
  /** Lengths of the result. */
  readonly to: readonly number[];
  /** Of the source's digits. */
  readonly radices: readonly number[];
  /** What each digit of the result is. */
  readonly places: readonly Place[];
}

/** A digit of the source, or its complement, which is radix − 1 − digit. */
export interface Place {
  readonly digit: number;
  readonly isFlipped: boolean;
}

/** The axis of each digit, where digits of these radices make up axes of these lengths. */
export function axesOfDigits(lengths: readonly number[], radices: readonly number[]): number[] {
  let axis = 0;
  let product = 1;
  return radices.map((radix) => {
    while (product === lengths[axis]) {
      axis++;
      product = 1;
    }
    product *= radix;
    return axis;
  });
}

export const radicesOfResult = ({ radices, places }: DigitStep): number[] =>
  places.map(({ digit }) => radices[digit]);

/** The step with axes as digits of their own. `places` are the source's axes that the result's axes are. */
export function axisStep(from: readonly number[], places: readonly Place[]): DigitStep {
  const numbers = new Map<number, number>();
  for (const [axis, length] of from.entries()) if (length > 1) numbers.set(axis, numbers.size);
  return {
    kind: "digits",
    from,
    to: places.map(({ digit }) => from[digit]),
    radices: from.filter((length) => length > 1),
    places: places
      .filter(({ digit }) => numbers.has(digit))
      .map(({ digit, isFlipped }) => ({ digit: numbers.get(digit)!, isFlipped })),
  };
}

/** The step whose source has digits of these radices, axis by axis; radices of 1 are left out, and places count without them. */
export function digitStep(
  from: readonly number[],
  to: readonly number[],
  radices: readonly number[],
  order: readonly number[],
): DigitStep {
  const numbers = new Map<number, number>();
  for (const [digit, radix] of radices.entries()) if (radix > 1) numbers.set(digit, numbers.size);
  const kept = order.filter((digit) => numbers.has(digit));
  return coalesced({
    kind: "digits",
    from,
    to,
    radices: radices.filter((radix) => radix > 1),
    places: kept.map((digit) => ({ digit: numbers.get(digit)!, isFlipped: false })),
  });
}

/** The same step with as few digits as it needs. */
function coalesced(step: DigitStep): DigitStep {
  const { from, to, radices, places } = step;
  const sourceAxes = axesOfDigits(from, radices);
  const resultAxes = axesOfDigits(to, radicesOfResult(step));
  const placeOf = new Map(places.map(({ digit }, place) => [digit, place]));
  const staysWithNext = (digit: number): boolean => {
    const [place, next] = [placeOf.get(digit)!, placeOf.get(digit + 1)];
    return (
      next === place + 1 &&
      sourceAxes[digit] === sourceAxes[digit + 1] &&
      resultAxes[place] === resultAxes[next] &&
      places[place].isFlipped === places[next].isFlipped
    );
  };
  const groups: number[] = [];
  const merged: number[] = [];
  for (const [digit, radix] of radices.entries()) {
    const isFirst = digit === 0 || !staysWithNext(digit - 1);
    if (isFirst) merged.push(radix);
    else merged[merged.length - 1] *= radix;
    groups.push(merged.length - 1);
  }
  if (merged.length === radices.length) return step;
  const first = places.filter(({ digit }) => digit === 0 || groups[digit - 1] !== groups[digit]);
  return {
    ...step,
    radices: merged,
    places: first.map((place) => ({ ...place, digit: groups[place.digit] })),
  };
}

/** Whether the step, which is coalesced, leaves everything where it is. */
export const isIdentityStep = ({ from, to, places }: DigitStep): boolean =>
  from.length === to.length &&
  from.every((length, axis) => length === to[axis]) &&
  places.every(({ digit, isFlipped }, place) => digit === place && !isFlipped);

/** The step back. */
export function invertedStep({ from, to, radices, places }: DigitStep): DigitStep {
  const back: Place[] = [];
  for (const [place, { digit, isFlipped }] of places.entries()) back[digit] = { digit: place, isFlipped };
  return {
    kind: "digits",
    from: to,
    to: from,
    radices: places.map(({ digit }) => radices[digit]),
    places: back,
  };
}

/** The source's digits in parts: `parts[d]` are the radices of digit d's, low to high. */
function split(step: DigitStep, parts: readonly (readonly number[])[]): DigitStep {
  const firsts: number[] = [];
  let next = 0;
  for (const radices of parts) {
    firsts.push(next);
    next += radices.length;
  }
  const places = step.places.flatMap(({ digit, isFlipped }) =>
    parts[digit].map((_, part) => ({ digit: firsts[digit] + part, isFlipped })),
  );
  return { ...step, radices: parts.flat(), places };
}

/** Radices that both lists can be divided into, axis by axis: parts of each digit; undefined where there are none. */
function commonParts(
  lengths: readonly number[],
  first: readonly number[],
  second: readonly number[],
): readonly [number[][], number[][]] | undefined {
  const boundaries = (radices: readonly number[]) => {
    const axes = axesOfDigits(lengths, radices);
    let low = 1;
    return radices.map((radix, digit) => {
      if (digit > 0 && axes[digit] !== axes[digit - 1]) low = 1;
      const ends = { axis: axes[digit], low, high: low * radix };
      low = ends.high;
      return ends;
    });
  };
  const [a, b] = [boundaries(first), boundaries(second)];
  const cuts = [...a, ...b];
  const partsOf = ({ axis, low, high }: (typeof a)[number]): number[] | undefined => {
    const inside = cuts.filter((cut) => cut.axis === axis && cut.high > low && cut.high <= high);
    const ends = [...new Set(inside.map((cut) => cut.high))].sort((p, q) => p - q);
    const radices: number[] = [];
    let from = low;
    for (const end of ends) {
      if (end % from !== 0) return undefined;
      radices.push(end / from);
      from = end;
    }
    return radices;
  };
  const [ofA, ofB] = [a.map(partsOf), b.map(partsOf)];
  const isWhole = (parts: (number[] | undefined)[]): parts is number[][] =>
    parts.every((part) => part !== undefined);
  return isWhole(ofA) && isWhole(ofB) ? [ofA, ofB] : undefined;
}

/** Both steps as one; undefined where their radices have no common parts, as 2·6 and 3·4 of an axis of 12. */
export function mergedSteps(first: DigitStep, second: DigitStep): DigitStep | undefined {
  const parts = commonParts(first.to, radicesOfResult(first), second.radices);
  if (!parts) return undefined;
  const [ofResult, ofSource] = parts;
  const ofFirst: (readonly number[])[] = [];
  for (const [place, { digit }] of first.places.entries()) ofFirst[digit] = ofResult[place];
  const a = split(first, ofFirst);
  const b = split(second, ofSource);
  const places = b.places.map(({ digit, isFlipped }) => {
    const through = a.places[digit];
    return { digit: through.digit, isFlipped: through.isFlipped !== isFlipped };
  });
  return coalesced({ kind: "digits", from: first.from, to: second.to, radices: a.radices, places });
}

/** The result's axis that an axis of the source is as a whole, flipped or not; undefined where it is divided or joined. */
export function wholeAxis(
  step: DigitStep,
  axis: number,
): { readonly axis: number; readonly isFlipped: boolean } | undefined {
  const sourceAxes = axesOfDigits(step.from, step.radices);
  const digit = sourceAxes.indexOf(axis);
  if (digit < 0 || sourceAxes.lastIndexOf(axis) !== digit) return undefined;
  const place = step.places.findIndex((candidate) => candidate.digit === digit);
  const resultAxes = axesOfDigits(step.to, radicesOfResult(step));
  const to = resultAxes[place];
  if (resultAxes.indexOf(to) !== resultAxes.lastIndexOf(to)) return undefined;
  return { axis: to, isFlipped: step.places[place].isFlipped };
}
