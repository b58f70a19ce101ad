/**
 * Integer expressions of coordinates, simplified as they are made: sums of multiples of atoms, which are coordinates, quotients,
 * remainders and rotations. Of every expression it is known between which values it lies, so that x mod 8 is x where x is below 8.
 */
export type Atom =
  | { readonly kind: "axis"; readonly axis: number; readonly length: number }
  | { readonly kind: "quotient"; readonly of: Linear; readonly by: number }
  | { readonly kind: "remainder"; readonly of: Linear; readonly by: number }
  /** (of + by) mod length, where of is below length */
  | { readonly kind: "rotation"; readonly of: Linear; readonly by: number; readonly length: number };

export interface Term {
  readonly factor: number;
  readonly atom: Atom;
}

/** Σ factor·atom + constant, from min to max. */
export interface Linear {
  readonly terms: readonly Term[];
  readonly constant: number;
  readonly min: number;
  readonly max: number;
}

const rangeOf = (atom: Atom): readonly [min: number, max: number] => {
  switch (atom.kind) {
    case "axis":
    case "rotation":
      return [0, atom.length - 1];
    case "quotient":
      return [Math.floor(atom.of.min / atom.by), Math.floor(atom.of.max / atom.by)];
    case "remainder":
      return [0, atom.by - 1];
  }
};

/** A text that is the same for equal atoms. */
function keyOf(atom: Atom): string {
  switch (atom.kind) {
    case "axis":
      return `a${atom.axis}`;
    case "rotation":
      return `r(${linearKey(atom.of)},${atom.by},${atom.length})`;
    default:
      return `${atom.kind[0] === "q" ? "/" : "%"}(${linearKey(atom.of)},${atom.by})`;
  }
}

/** A text that is the same for equal expressions. */
export const linearKey = ({ terms, constant }: Linear): string =>
  [...terms.map(({ factor, atom }) => `${factor}${keyOf(atom)}`), constant].join("+");

function linear(terms: readonly Term[], constant: number): Linear {
  let [min, max] = [constant, constant];
  for (const { factor, atom } of terms) {
    const [low, high] = rangeOf(atom);
    min += factor * (factor > 0 ? low : high);
    max += factor * (factor > 0 ? high : low);
  }
  return { terms, constant, min, max };
}

const ofAtom = (atom: Atom): Linear => linear([{ factor: 1, atom }], 0);

export const constantOf = (value: number): Linear => linear([], value);

/** A coordinate of the result; 0 along an axis of one element. */
export const axisOf = (axis: number, length: number): Linear =>
  length === 1 ? constantOf(0) : ofAtom({ kind: "axis", axis, length });

/** The expression where it is known to lie between these values. */
export const within = (x: Linear, min: number, max: number): Linear => ({
  ...x,
  min: Math.max(x.min, min),
  max: Math.min(x.max, max),
});

export const scaled = (x: Linear, factor: number): Linear =>
  factor === 0
    ? constantOf(0)
    : linear(
        x.terms.map((term) => ({ ...term, factor: term.factor * factor })),
        x.constant * factor,
      );

export function sumOf(parts: readonly Linear[], constant = 0): Linear {
  const terms = new Map<string, Term>();
  let rest = constant;
  for (const part of parts) {
    rest += part.constant;
    for (const { factor, atom } of part.terms) {
      const key = keyOf(atom);
      const sum = factor + (terms.get(key)?.factor ?? 0);
      if (sum === 0) terms.delete(key);
      else terms.set(key, { factor: sum, atom });
    }
  }
  return joinedDigits([...terms.values()], rest);
}

/** (e mod n) + n·⌊e / n⌋ is e, and (e mod n) + n·(⌊e / n⌋ mod m) is e mod nm. */
function joinedDigits(terms: readonly Term[], constant: number): Linear {
  for (const [k, { factor, atom }] of terms.entries()) {
    if (atom.kind !== "remainder") continue;
    const high = quotientOf(atom.of, atom.by);
    if (high.terms.length !== 1 || high.constant !== 0 || high.terms[0].factor !== 1) continue;
    const whole = keyOf(high.terms[0].atom);
    for (const [m, other] of terms.entries()) {
      if (m === k || other.factor !== factor * atom.by) continue;
      const isQuotient = keyOf(other.atom) === whole;
      const isPart = other.atom.kind === "remainder" && linearKey(other.atom.of) === linearKey(high);
      if (!isQuotient && !isPart) continue;
      const joined = isQuotient ? atom.of : remainderOf(atom.of, atom.by * (other.atom as { by: number }).by);
      const others = linear(
        terms.filter((_, i) => i !== k && i !== m),
        constant,
      );
      return sumOf([others, scaled(joined, factor)]);
    }
  }
  return linear(terms, constant);
}

/** The parts of a sum that n divides, over n, and the rest, of at least 0; undefined where the rest may be negative. */
function dividedBy(x: Linear, n: number): { readonly whole: Linear; readonly rest: Linear } | undefined {
  const isDivided = ({ factor }: Term) => factor % n === 0;
  const rest = x.terms.filter((term) => !isDivided(term));
  const above = Math.floor(x.constant / n);
  const whole = linear(
    x.terms.filter(isDivided).map(({ factor, atom }) => ({ factor: factor / n, atom })),
    above,
  );
  const left = linear(rest, x.constant - n * above);
  if (whole.terms.length === 0 && above === 0) return { whole, rest: x };
  if (left.min < 0) return undefined;
  const isBelow = left.max < n;
  return { whole: isBelow ? within(whole, Math.floor(x.min / n), Math.floor(x.max / n)) : whole, rest: left };
}

const gcd = (a: number, b: number): number => (b === 0 ? a : gcd(b, a % b));

/** x as n·of + rest, with 0 ≤ rest < n, where n divides every term. */
export interface Multiple {
  readonly of: Linear;
  readonly rest: number;
}

/** The expression as a multiple of n and a rest that is known; undefined where n does not divide every term. */
export function multipleOf({ terms, constant, min, max }: Linear, n: number): Multiple | undefined {
  if (terms.some(({ factor }) => factor % n !== 0)) return undefined;
  const above = Math.floor(constant / n);
  const of = linear(
    terms.map(({ factor, atom }) => ({ factor: factor / n, atom })),
    above,
  );
  return { of: within(of, Math.floor(min / n), Math.floor(max / n)), rest: constant - n * above };
}

/** The expression as a multiple of the largest number that divides its terms and n; undefined where that is 1. */
function sharedMultiple(x: Linear, n: number): (Multiple & { readonly by: number }) | undefined {
  const by = x.terms.reduce((divisor, { factor }) => gcd(divisor, Math.abs(factor)), n);
  const multiple = by > 1 ? multipleOf(x, by) : undefined;
  return multiple && { ...multiple, by };
}

/** ⌊x / n⌋ of an expression that is not negative. */
export function quotientOf(x: Linear, n: number): Linear {
  if (n === 1) return x;
  const divided = dividedBy(x, n);
  if (!divided) return ofAtom({ kind: "quotient", of: x, by: n });
  const { whole, rest } = divided;
  if (rest.min >= 0 && rest.max < n) return whole;
  return sumOf([whole, restQuotient(rest, n)]);
}

/** ⌊(g·u + c) / n⌋ is ⌊u / (n / g)⌋ where g divides n and c is below g. */
function restQuotient(x: Linear, n: number): Linear {
  const shared = sharedMultiple(x, n);
  return shared ? quotientOf(shared.of, n / shared.by) : ofAtom(quotientAtom(x, n));
}

function quotientAtom(x: Linear, by: number): Atom {
  const [only] = x.terms;
  const isLone = x.terms.length === 1 && x.constant === 0 && only.factor === 1;
  if (isLone && only.atom.kind === "quotient") return { ...only.atom, by: only.atom.by * by };
  return { kind: "quotient", of: x, by };
}

/** x mod n of an expression that is not negative. */
export function remainderOf(x: Linear, n: number): Linear {
  const rest = dividedBy(x, n)?.rest ?? x;
  if (rest.min >= 0 && rest.max < n) return rest;
  const [only] = rest.terms;
  const isLone = rest.terms.length === 1 && rest.constant === 0 && only.factor === 1;
  if (isLone && only.atom.kind === "remainder" && only.atom.by % n === 0) return remainderOf(only.atom.of, n);
  const shared = rest.min >= 0 ? sharedMultiple(rest, n) : undefined;
  if (!shared) return ofAtom({ kind: "remainder", of: rest, by: n });
  // (g·u + c) mod n is g·(u mod (n / g)) + c where g divides n and c is below g.
  return sumOf([scaled(remainderOf(shared.of, n / shared.by), shared.by)], shared.rest);
}

/** (x + by) mod length, where x is below length and 0 ≤ by < length. */
export function rotationOf(x: Linear, by: number, length: number): Linear {
  if (by === 0) return x;
  if (x.terms.length === 0) return constantOf((x.constant + by) % length);
  const shared = sharedMultiple(x, length);
  if (!shared) return ofAtom({ kind: "rotation", of: x, by, length });
  // With x = g·u + c: c + by is g·b + d, and the rotation by b of u counts in groups of g.
  const [group, groups] = [shared.by, length / shared.by];
  const low = shared.rest + by;
  const turned = rotationOf(shared.of, Math.floor(low / group) % groups, groups);
  return sumOf([scaled(turned, group)], low % group);
}
