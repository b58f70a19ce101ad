import { CrinkleError } from "../../core/errors.ts";
import { formulaOf, indexFormulaOf } from "../../core/hypercube/formula.ts";
import { invertedMap, sourceIndex } from "../../core/hypercube/index-map.ts";
import { mapOf } from "../../core/hypercube/operations.ts";
import { parseTransform } from "../../core/hypercube/parse-transform.ts";
import { countOf, parseShape, printShape } from "../../core/hypercube/shape.ts";
import type { Kind } from "./examples.ts";

/** Elements along an axis at most, by the number of axes: what can be seen, and drawn in a moment. */
const longest = [64, 256, 16] as const;
const kindOf = ["row", "picture", "cube"] as const;

/** An array whose elements are drawn; lengths are from the fastest axis on. */
export interface Source {
  readonly kind: Kind;
  readonly lengths: readonly number[];
}

/** What a transform makes of it. */
export interface Result {
  readonly lengths: readonly number[];
  readonly shape: string;
  /** Where each element comes from; −1 where it is filled in. */
  readonly sources: Int32Array;
  readonly formula: string;
  /** The same of whole arrays as rows. */
  readonly indexFormula: string;
  readonly isBijection: boolean;
  /** Elements that are filled in. */
  readonly filled: number;
  /** Elements whose place among all is the one that they had. */
  readonly staying: number;
}

/** A value, or one sentence that says why there is none. */
export type Found<T> = { readonly value: T; readonly problem?: undefined } | { readonly problem: string };

function found<T>(find: () => T): Found<T> {
  try {
    return { value: find() };
  } catch (error) {
    if (!(error instanceof CrinkleError)) throw error;
    return { problem: [error.problem, error.remedy].filter(Boolean).join(" ") };
  }
}

/** The array of such a shape, if this page can show it. */
export const sourceOf = (shape: string): Found<Source> =>
  found(() => {
    const { lengths } = parseShape(shape);
    const axes = lengths.length;
    if (axes > kindOf.length)
      throw unseen(`The shape has ${axes} axes.`, "This page shows arrays of 1 to 3.");
    const most = longest[axes - 1];
    const long = lengths.find((length) => length > most);
    if (long !== undefined) {
      throw unseen(
        `An axis has ${long} elements.`,
        `Of ${axes} ${axes === 1 ? "axis" : "axes"}, this page shows up to ${most} along each.`,
      );
    }
    return { kind: kindOf[axes - 1], lengths };
  });

const unseen = (problem: string, remedy: string) => new CrinkleError({ tag: "BadArgument", problem, remedy });

/** Results have at most so many times the elements of the largest source. */
const mostElements = 2 ** 18;

export const resultOf = ({ lengths }: Source, transform: string): Found<Result> =>
  found(() => {
    const map = mapOf(lengths, parseTransform(transform));
    const count = countOf(map.to);
    if (count > mostElements) {
      throw unseen(
        `The result has ${count.toLocaleString("en-US")} elements.`,
        `This page shows up to ${mostElements.toLocaleString("en-US")}.`,
      );
    }
    const source = sourceIndex(map);
    const sources = Int32Array.from({ length: count }, (_, k) => source(k) ?? -1);
    return {
      lengths: map.to,
      shape: printShape({ lengths: map.to }),
      sources,
      formula: formulaOf(map),
      indexFormula: indexFormulaOf(map),
      isBijection: invertedMap(map) !== undefined,
      filled: sources.filter((from) => from < 0).length,
      staying: sources.filter((from, k) => from === k).length,
    };
  });

/** What becomes of the elements, in a sentence. */
export function summaryOf({ sources, isBijection, filled, staying }: Result, from: number): string {
  const number = (n: number) => n.toLocaleString("en-US");
  const kept = sources.length - filled;
  const stay = `${number(staying)} of ${number(from)} elements stay where they are`;
  if (isBijection) return `${stay}; the transform can be undone.`;
  const lost = from - kept;
  const parts = [
    filled > 0 && `${number(filled)} are filled with 0`,
    lost > 0 && `${number(lost)} are left out`,
  ];
  return `${[stay, ...parts.filter(Boolean)].join("; ")}.`;
}
