/** Maps whose index is a sum of a part for the place in a row and a part for the row, as that of most maps is. */
import { coordinatesOf, flatIndex, type IndexMap, sourceExpression } from "../../core/hypercube/index-map.ts";
import { axisOf, constantOf, type Linear } from "../../core/hypercube/linear.ts";
import { axesIn, substituted } from "../../core/hypercube/linear-values.ts";
import { countOf } from "../../core/hypercube/shape.ts";
import { noSource, type SourceIndex } from "../../kernel/hypercube/source-index.ts";
import { indexLoop } from "./index-loop.ts";
import type { Words } from "./words.ts";

export interface RowPlan {
  apply(source: Words, target: Words): void;
}

/** A longer row's table would leave the cache. */
const longestRow = 1 << 16;

/** Rows whose indices are computed at a time. */
const chunk = 1 << 12;

/** Runs that are this long on average are copied as such: shorter ones are faster word by word. */
const shortestRun = 32;

/** Words [first, first + length) of a row: from `at` on in the source, or zeros. */
interface Run {
  readonly first: number;
  readonly length: number;
  readonly at: number;
  readonly isZero: boolean;
}

/** Indices, which wrap around 2³², and for each whether there is no source; without the latter where there always is one. */
interface Indices {
  readonly at: Uint32Array;
  readonly none: Uint32Array | undefined;
}

/** The plan of a map; undefined where rows are long, or a place in a row cannot be separated from the row. */
export function rowPlan(map: IndexMap): RowPlan | undefined {
  const [width] = map.to;
  const parts = width <= longestRow ? partsOf(map) : undefined;
  if (!parts) return undefined;
  const rows = countOf(map.to) / width;
  const columns = indicesOf(parts.column)(0, width);
  const runs = runsOf(columns);
  const isInRuns = width / runs.length >= shortestRun;
  const basesOf = indicesOf(parts.row);
  return {
    apply(source, target) {
      for (let first = 0; first < rows; first += chunk) {
        const bases = basesOf(first, Math.min(chunk, rows - first));
        for (let r = 0; r < bases.at.length; r++) {
          const to = (first + r) * width;
          if (bases.none?.[r] === noSource) target.fill(0, to, to + width);
          else if (isInRuns) copyRuns(source, target, runs, bases.at[r], to);
          else if (columns.none) gatherOrZero(source, target, columns.at, columns.none, bases.at[r], to);
          else gather(source, target, columns.at, bases.at[r], to);
        }
      }
    },
  };
}

/** A function that gives indices from a first one on, in the same arrays again and again. */
function indicesOf({ index, conditions }: SourceIndex): (first: number, count: number) => Indices {
  const indexLoops = {
    at: indexLoop({ index, conditions: [] }),
    none: conditions.length > 0 ? indexLoop({ index: constantOf(0), conditions }) : undefined,
  };
  let [at, none] = [new Uint32Array(0), new Uint32Array(0)];
  return (first, count) => {
    if (at.length < count)
      [at, none] = [new Uint32Array(count), new Uint32Array(indexLoops.none ? count : 0)];
    const given = { at: at.subarray(0, count), none: indexLoops.none ? none.subarray(0, count) : undefined };
    indexLoops.at(first, given.at);
    if (given.none) indexLoops.none?.(first, given.none);
    return given;
  };
}

function partsOf(map: IndexMap): { readonly column: SourceIndex; readonly row: SourceIndex } | undefined {
  const { coordinates, conditions } = sourceExpression(map);
  const index = flatIndex(map.from, coordinates);
  const kindOf = (x: Linear) => {
    const axes = axesIn(x);
    if (!axes.has(0)) return "row";
    return axes.size === 1 ? "column" : "both";
  };
  const terms = index.terms.map((term) => ({ kind: kindOf({ ...index, terms: [term] }), term }));
  const guards = conditions.map((condition) => ({ kind: kindOf(condition.of), condition }));
  if ([...terms, ...guards].some(({ kind }) => kind === "both")) return undefined;
  const [width, ...others] = map.to;
  const row = axisOf(0, countOf(map.to) / width);
  const given = [constantOf(0), ...coordinatesOf(others, row)];
  const partOf = (wanted: "row" | "column", constant: number): SourceIndex => ({
    index: { ...index, terms: terms.filter(({ kind }) => kind === wanted).map(({ term }) => term), constant },
    conditions: guards.filter(({ kind }) => kind === wanted).map(({ condition }) => condition),
  });
  const ofRow = partOf("row", index.constant);
  return {
    column: partOf("column", 0),
    row: {
      index: substituted(ofRow.index, given),
      conditions: ofRow.conditions.map((condition) => ({
        ...condition,
        of: substituted(condition.of, given),
      })),
    },
  };
}

function runsOf({ at, none }: Indices): Run[] {
  const runs: Run[] = [];
  const isZero = (x: number) => none?.[x] === noSource;
  let first = 0;
  for (let x = 1; x <= at.length; x++) {
    const goesOn =
      x < at.length && isZero(x) === isZero(x - 1) && (isZero(x) || at[x] === (at[x - 1] + 1) >>> 0);
    if (goesOn) continue;
    runs.push({ first, length: x - first, at: at[first], isZero: isZero(first) });
    first = x;
  }
  return runs;
}

function copyRuns(source: Words, target: Words, runs: readonly Run[], base: number, to: number): void {
  for (const { first, length, at, isZero } of runs) {
    const from = (base + at) >>> 0;
    if (isZero) target.fill(0, to + first, to + first + length);
    else target.set(source.subarray(from, from + length), to + first);
  }
}

function gather(source: Words, target: Words, table: Uint32Array, base: number, to: number): void {
  for (let x = 0; x < table.length; x++) target[to + x] = source[(base + table[x]) >>> 0];
}

function gatherOrZero(
  source: Words,
  target: Words,
  table: Uint32Array,
  none: Uint32Array,
  base: number,
  to: number,
): void {
  for (let x = 0; x < table.length; x++) {
    target[to + x] = none[x] === noSource ? 0 : source[(base + table[x]) >>> 0];
  }
}
