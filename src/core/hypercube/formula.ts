/** Index maps as formulas that a person can check. */
import { effectiveIndex, type IndexMap, sourceExpression } from "./index-map.ts";
import type { Atom, Linear } from "./linear.ts";

/** x, y and z in up to three dimensions, else x0, x1 … */
const axisNames = (axes: number): string[] =>
  Array.from({ length: axes }, (_, axis) => (axes <= 3 ? "xyz"[axis] : `x${axis}`));

/** `out[y, x] = in[y, (x + 3) mod 8]`: coordinates in the order of shapes, the fastest last. */
export function formulaOf(map: IndexMap): string {
  const names = axisNames(map.to.length);
  const { coordinates, conditions } = sourceExpression(map);
  const source = coordinates.map((coordinate) => linearText(coordinate, names)).reverse();
  const guards = conditions.map(({ of, first, end }) => guardText(linearText(of, names), of, first, end));
  return `out[${[...names].reverse().join(", ")}] = in[${source.join(", ")}]${guardsText(guards)}`;
}

/** `out[k] = in[(k + 1) mod 8]`: the effective k-index, of whole arrays as rows. */
export function indexFormulaOf(map: IndexMap): string {
  const { index, conditions } = effectiveIndex(map);
  const guards = conditions.map(({ of, first, end }) => guardText(linearText(of, ["k"]), of, first, end));
  return `out[k] = in[${linearText(index, ["k"])}]${guardsText(guards)}`;
}

const guardsText = (guards: readonly string[]): string =>
  guards.length === 0 ? "" : ` where ${guards.join(" and ")}, else 0`;

function guardText(text: string, { min, max }: Linear, first: number, end: number): string {
  if (first >= end) return "never";
  const lower = first > min ? `${first} ≤ ` : "";
  const upper = end <= max ? ` < ${end}` : "";
  return `${lower}${text}${upper}`;
}

function linearText({ terms, constant }: Linear, names: readonly string[]): string {
  let text = "";
  const add = (isNegative: boolean, part: string) => {
    if (text === "") text = isNegative ? `−${part}` : part;
    else text += isNegative ? ` − ${part}` : ` + ${part}`;
  };
  const isFirst = constant > 0 && terms.some(({ factor }) => factor < 0);
  if (isFirst) add(false, String(constant));
  for (const { factor, atom } of [...terms].sort((a, b) => b.factor - a.factor)) {
    const size = Math.abs(factor);
    const of = atomText(atom, names, size === 1 && terms.length === 1 && constant === 0);
    add(factor < 0, size === 1 ? of : `${size}·${of}`);
  }
  if (constant !== 0 && !isFirst) add(constant < 0, String(Math.abs(constant)));
  return text || "0";
}

function atomText(atom: Atom, names: readonly string[], isAlone: boolean): string {
  if (atom.kind === "axis") return names[atom.axis];
  const of = linearText(atom.of, names);
  const [only] = atom.of.terms;
  const isLone = atom.of.terms.length === 1 && atom.of.constant === 0 && only.factor === 1;
  const isPlain = isLone && (only.atom.kind === "axis" || only.atom.kind === "quotient");
  const part = isPlain || !of.includes(" ") ? of : `(${of})`;
  switch (atom.kind) {
    case "quotient":
      return `⌊${part} / ${atom.by}⌋`;
    case "remainder":
      return isAlone ? `${part} mod ${atom.by}` : `(${part} mod ${atom.by})`;
    case "rotation": {
      const back = atom.length - atom.by;
      const sum = isLone ? part : of;
      const moved = back <= atom.by ? `(${sum} − ${back})` : `(${sum} + ${atom.by})`;
      return isAlone ? `${moved} mod ${atom.length}` : `(${moved} mod ${atom.length})`;
    }
  }
}
