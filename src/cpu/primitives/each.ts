import type { EachArguments, EachBackend } from "../../core/primitives/backend.ts";
import { badArgument } from "../../core/primitives/checks.ts";
import type { Signature } from "../../core/primitives/kernel.ts";
import type { Reduction, Tally } from "../../core/primitives/reduction.ts";
import type { ScalarType } from "../../core/primitives/vector.ts";
import { elementsOf } from "./constants.ts";
import { type CpuVector, type NewVector, newWords } from "./vector.ts";

export interface CpuArguments extends EachArguments {
  readonly inputs: Readonly<Record<string, CpuVector>>;
}

/** What runs the texts of functions that have no loop in JavaScript. */
export interface TextRunner {
  reduce(count: number, reduction: Reduction, given: CpuArguments, totals: Record<string, number>): void;
  count(count: number, tally: Tally, given: CpuArguments, counts: Uint32Array): void;
}

/** Runs none: for programs that do without the kernel layer. */
export const noTextRunner: TextRunner = {
  reduce(_, reduction) {
    throw noLoop(reduction);
  },
  count(_, tally) {
    throw noLoop(tally);
  },
};

/** What reduces and counts what functions make of elements: by loops that are written in JavaScript, or by their texts. */
export const cpuEach = (newVector: NewVector, texts: TextRunner): EachBackend => ({
  reduceEach(count, reduction, given: CpuArguments) {
    const terms = Object.entries(reduction.terms);
    const totals = Object.fromEntries(
      terms.map(([name, { type, operator }]) => [name, operator.identity(type)]),
    );
    if (reduction.hostLoop && !given.share) reduction.hostLoop(boundOf(reduction, given), 0, count, totals);
    else texts.reduce(count, reduction, given, totals);
    for (const [name, { type }] of terms) totals[name] = element(type, totals[name]);
    return totals;
  },

  countEach(count, tally, bins, given: CpuArguments) {
    const counts = newWords("u32", bins);
    if (tally.hostLoop && !given.share) tally.hostLoop(boundOf(tally, given), 0, count, counts);
    else texts.count(count, tally, given, counts);
    return newVector("u32", counts);
  },
});

const noLoop = ({ name }: Signature) =>
  badArgument(`“${name}” has no loop that is written in JavaScript.`, "Run it by createCpuPrimitives.");

/** What loops read: numbers with all the digits that they are held with. */
const boundOf = (signature: Signature, { inputs, constants }: CpuArguments) => ({
  inputs: Object.fromEntries(
    Object.keys(signature.inputs).map((name) => [name, inputs[name].wide?.() ?? inputs[name].words()]),
  ),
  constants: elementsOf(signature, constants),
});

/** Integers wrap; numbers keep the digits that they have. */
const element = (type: ScalarType, x: number): number =>
  type === "f32" ? x : type === "u32" ? x >>> 0 : x | 0;
