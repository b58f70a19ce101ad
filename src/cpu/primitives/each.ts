import { badArgument, checkBins, checkKernel, checkReduction } from "../../core/primitives/checks.ts";
import type { Inputs, KernelArguments, Signature, Slots } from "../../core/primitives/kernel.ts";
import type { Reduction, Tally, Terms, Totals } from "../../core/primitives/reduction.ts";
import type { ScalarType, Vector } from "../../core/primitives/vector.ts";
import { elementsOf } from "./constants.ts";
import { type CpuVector, newWords } from "./vector.ts";
import { CpuVectors } from "./vectors.ts";

type Given = Omit<KernelArguments<Inputs, Slots>, "at">;

/** What a function of elements is given, as vectors of ours. */
export interface ReadArguments {
  readonly inputs: Readonly<Record<string, CpuVector>>;
  readonly constants: Given["constants"];
}

type MutableTotals = Record<string, number>;

/**
 * What reduces and counts what functions make of elements, by loops that are written in JavaScript: all that statistics
 * need, without the kernel layer.
 */
export class CpuEach extends CpuVectors {
  reduceEach<I extends Inputs, T extends Terms, C extends Slots>(
    count: number,
    reduction: Reduction<I, T, C>,
    given: Omit<KernelArguments<I, C>, "at">,
  ): Promise<Totals<T>>;
  async reduceEach(count: number, reduction: Reduction, given: Given): Promise<Totals<Terms>> {
    const what = `reduceEach (“${reduction.name}”)`;
    checkReduction(what, reduction);
    const read = this.readInputs(what, count, reduction, given);
    const terms = Object.entries(reduction.terms);
    const totals = Object.fromEntries(
      terms.map(([name, { type, operator }]) => [name, operator.identity(type)]),
    );
    if (reduction.hostLoop) reduction.hostLoop(boundOf(reduction, read), 0, count, totals);
    else this.reduceByText(count, reduction, read, totals);
    for (const [name, { type }] of terms) totals[name] = element(type, totals[name]);
    return totals;
  }

  countEach<I extends Inputs, C extends Slots>(
    count: number,
    tally: Tally<I, C>,
    bins: number,
    given: Omit<KernelArguments<I, C>, "at">,
  ): Promise<Vector<"u32">>;
  async countEach(count: number, tally: Tally, bins: number, given: Given): Promise<Vector<"u32">> {
    const what = `countEach (“${tally.name}”)`;
    checkBins(what, bins);
    this.checkRoom(what, bins);
    const read = this.readInputs(what, count, tally, given);
    const counts = newWords("u32", bins);
    if (tally.hostLoop) tally.hostLoop(boundOf(tally, read), 0, count, counts);
    else this.countByText(count, tally, read, counts);
    return this.own("u32", counts);
  }

  protected readInputs(
    what: string,
    count: number,
    signature: Signature,
    { inputs, constants, at }: KernelArguments<Inputs, Slots>,
  ): ReadArguments {
    const read = Object.keys(signature.inputs).map(
      (name) => [name, this.read(what, name, inputs[name])] as const,
    );
    if (at) this.read(what, "at", at);
    checkKernel(what, count, signature, { inputs, constants, at });
    return { inputs: Object.fromEntries(read), constants };
  }

  protected reduceByText(
    _count: number,
    reduction: Reduction,
    _: ReadArguments,
    _totals: MutableTotals,
  ): void {
    throw noLoop(reduction);
  }

  protected countByText(_count: number, tally: Tally, _: ReadArguments, _counts: Uint32Array): void {
    throw noLoop(tally);
  }
}

const noLoop = ({ name }: Signature) =>
  badArgument(`“${name}” has no loop that is written in JavaScript.`, "Run it by CpuPrimitives.");

/** What loops read: numbers with all the digits that they are held with. */
const boundOf = (signature: Signature, { inputs, constants }: ReadArguments) => ({
  inputs: Object.fromEntries(
    Object.entries(inputs).map(([name, vector]) => [name, vector.wide?.() ?? vector.words()]),
  ),
  constants: elementsOf(signature, constants),
});

/** Integers wrap; numbers keep the digits that they have. */
const element = (type: ScalarType, x: number): number =>
  type === "f32" ? x : type === "u32" ? x >>> 0 : x | 0;
