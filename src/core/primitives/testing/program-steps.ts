import type { BinaryOperator } from "../functions.ts";
import { add, argmax, argmin, max } from "../operators.ts";
import type { Primitives, Segments } from "../primitives.ts";
import type { ScalarType, Vector } from "../vector.ts";
import { spread, tallyOf } from "./each.ts";
import { affine, difference, isLarge, isOdd, triple } from "./operators.ts";

/** What a step makes. All vectors are the caller's. */
export interface Outcome {
  readonly vectors?: readonly Vector[];
  readonly numbers?: readonly number[];
}

/** Vectors that a step takes: of any type, of u32, or of the first one's type. */
export type Operand = "any" | "u32" | "like";

export interface Step {
  readonly operands: readonly Operand[];
  /** Whether operands have to be as long as each other: they are cut to the shortest. */
  readonly isEven?: boolean;
  /**
   * Which operand's elements are added up: f32 are within the bound of sums then, of what the same step makes of their
   * magnitudes. Other steps, and whole numbers that f32 holds, are exact.
   */
  readonly summed?: number;
  /** `choice` is any whole number. */
  run(p: Primitives, operands: readonly Vector[], choice: number): Promise<Outcome>;
}

type Run<Vectors extends readonly Vector[]> = (p: Primitives, ...operands: Vectors) => Promise<Outcome>;

const one = async (vector: Promise<Vector>): Promise<Outcome> => ({ vectors: [await vector] });
const number = async (value: Promise<number>): Promise<Outcome> => ({ numbers: [await value] });

const isOf = <T extends ScalarType>(type: T, vector: Vector): vector is Vector<T> => vector.type === type;

function u32(vector: Vector): Vector<"u32"> {
  if (!isOf("u32", vector)) throw new TypeError(`A step was given ${vector.type} for u32.`);
  return vector;
}

/** Runs with sorted copies of the operands, which are released afterwards. */
async function sorted(
  p: Primitives,
  operands: readonly Vector[],
  run: Run<readonly Vector[]>,
): Promise<Outcome> {
  const vectors = await Promise.all(operands.map((vector) => p.sort(vector)));
  try {
    return await run(p, ...vectors);
  } finally {
    for (const vector of vectors) vector.release();
  }
}

const operatorFor = (vector: Vector, choice: number): BinaryOperator =>
  choice % 3 === 0 ? max : choice % 3 === 1 && vector.type === "u32" ? affine : add;

/** Segments that any vector of u32 defines. */
const segmentsOf = (marks: Vector<"u32">, choice: number): Segments =>
  choice % 2 ? { keys: marks } : { heads: marks };

/** The steps that programs are made of. */
export const steps: Readonly<Record<string, Step>> = {
  sequence: {
    operands: [],
    run: (p, _, choice) => one(p.sequence("u32", choice % 700, choice % 11, choice % 5)),
  },
  generate: { operands: [], run: (p, _, choice) => one(p.generate("i32", choice % 700, triple)) },
  reverse: { operands: ["any"], run: (p, [x]) => one(p.reverse(x)) },
  transform: { operands: ["any"], summed: 0, run: (p, [x]) => one(p.transform(x, triple, x.type)) },
  zip: {
    operands: ["any", "like"],
    isEven: true,
    run: (p, [x, y]) => one(p.zip([x, y], difference, x.type)),
  },
  reduce: {
    operands: ["any"],
    summed: 0,
    run: (p, [x], choice) => number(p.reduce(x, operatorFor(x, choice))),
  },
  argmin: { operands: ["any"], run: (p, [x]) => number(p.argmin(x)) },
  count: { operands: ["any"], run: (p, [x]) => number(p.countIf(x, isLarge)) },
  histogram: { operands: ["any"], run: (p, [x]) => one(p.histogramEven(x, 0, 512, 64)) },
  reduceEach: {
    operands: ["any"],
    run: async (p, [x], choice) => {
      const given = { inputs: { x }, constants: { shift: choice % 7 } };
      const { least, greatest, large, places } = await p.reduceEach(x.length, spread[x.type], given);
      return { numbers: [least, greatest, large, places] };
    },
  },
  countEach: {
    operands: ["any"],
    run: (p, [x], choice) => {
      const bins = choice % 2 ? 5 : 5000;
      return one(p.countEach(x.length, tallyOf[x.type], bins, { inputs: { x }, constants: { scale: 3 } }));
    },
  },
  inclusiveScan: {
    operands: ["any"],
    summed: 0,
    run: (p, [x], choice) => one(p.inclusiveScan(x, operatorFor(x, choice), { reverse: choice % 2 === 1 })),
  },
  exclusiveScan: {
    operands: ["any"],
    summed: 0,
    run: (p, [x], choice) => one(p.exclusiveScan(x, operatorFor(x, choice), choice % 9)),
  },
  scanByKey: {
    operands: ["any", "u32"],
    isEven: true,
    summed: 0,
    run: (p, [x, marks], choice) =>
      one(p.inclusiveScanByKey(segmentsOf(u32(marks), choice), x, operatorFor(x, choice))),
  },
  reduceByKey: {
    operands: ["any", "any"],
    isEven: true,
    summed: 1,
    run: (p, [keys, values], choice) =>
      sorted(p, [keys], async (_, ascending) => {
        const sums = await p.reduceByKey(ascending, values, operatorFor(values, choice));
        return { vectors: [sums.keys, sums.values] };
      }),
  },
  locateAlong: {
    operands: ["any"],
    run: (p, [x], choice) => one(p.inclusiveScan(x, argmin, { reverse: choice % 2 === 1 })),
  },
  locateInSegments: {
    operands: ["any", "u32"],
    isEven: true,
    run: (p, [x, marks]) => one(p.inclusiveScanByKey({ keys: u32(marks) }, x, argmin)),
  },
  locateInRuns: {
    operands: ["any", "any"],
    isEven: true,
    run: (p, [keys, values]) =>
      sorted(p, [keys], async (_, ascending) => {
        const places = await p.reduceByKey(ascending, values, argmax);
        return { vectors: [places.keys, places.values] };
      }),
  },
  runLengthEncode: {
    operands: ["any"],
    run: (p, [x]) =>
      sorted(p, [x], async (_, ascending) => {
        const { keys, values } = await p.runLengthEncode(ascending);
        return { vectors: [keys, values] };
      }),
  },
  copyIf: { operands: ["any"], run: (p, [x]) => one(p.copyIf(x, { where: isLarge })) },
  partition: {
    operands: ["any", "u32"],
    isEven: true,
    run: async (p, [x, stencil]) => {
      const { vector, selected } = await p.partition(x, { stencil: u32(stencil) });
      return { vectors: [vector], numbers: [selected] };
    },
  },
  removeOdd: { operands: ["u32"], run: (p, [x]) => one(p.removeIf(u32(x), { where: isOdd })) },
  unique: { operands: ["any"], run: (p, [x]) => one(p.unique(x)) },
  segmentedSplit: {
    operands: ["any", "u32", "u32"],
    isEven: true,
    run: (p, [x, flags, marks], choice) =>
      one(p.segmentedSplit(x, u32(flags), segmentsOf(u32(marks), choice))),
  },
  gather: { operands: ["u32", "any"], run: (p, [map, x]) => one(p.gather(u32(map), x)) },
  gatherView: {
    operands: ["any"],
    run: (p, [x]) => one(p.gather(p.reversed(p.counting("u32", x.length)), p.reversed(x))),
  },
  reversed: { operands: ["any"], run: async (p, [x]) => ({ vectors: [p.reversed(x)] }) },
  permuted: {
    operands: ["any", "u32"],
    run: async (p, [x, map]) => ({ vectors: [p.permuted(x, u32(map))] }),
  },
  part: {
    operands: ["any"],
    run: async (p, [x], choice) => ({ vectors: [p.view(x, Math.min(choice % 40, x.length), x.length)] }),
  },
  scatter: {
    operands: ["any"],
    run: async (p, [x]) => {
      const [order, target] = [await p.argsort(x), await p.fill(x.type, x.length, 1)];
      await p.scatter(x, order, target);
      order.release();
      return { vectors: [target] };
    },
  },
  lowerBound: {
    operands: ["any", "like"],
    run: (p, [x, needles]) => sorted(p, [x], (_, ascending) => one(p.lowerBound(ascending, needles))),
  },
  upperBoundCounting: {
    operands: ["u32"],
    run: (p, [x], choice) =>
      sorted(p, [x], (_, ascending) => one(p.upperBoundCounting(u32(ascending), choice % 700))),
  },
  merge: { operands: ["any", "like"], run: (p, both) => sorted(p, both, (_, x, y) => one(p.merge(x, y))) },
  setUnion: {
    operands: ["any", "like"],
    run: (p, both) => sorted(p, both, (_, x, y) => one(p.setUnion(x, y))),
  },
  setDifference: {
    operands: ["any", "like"],
    run: (p, both) => sorted(p, both, (_, x, y) => one(p.setDifference(x, y))),
  },
  sort: { operands: ["any"], run: (p, [x], choice) => one(p.sort(x, { descending: choice % 2 === 1 })) },
  sortByKey: {
    operands: ["any", "any"],
    isEven: true,
    run: async (p, [keys, values], choice) => {
      const pairs = await p.sortByKey(keys, values, { descending: choice % 2 === 1 });
      return { vectors: [pairs.keys, pairs.values] };
    },
  },
  segmentedSort: {
    operands: ["any", "u32"],
    isEven: true,
    run: (p, [x, marks], choice) => one(p.segmentedSort(x, segmentsOf(u32(marks), choice))),
  },
  rank: { operands: ["any"], run: (p, [x]) => one(p.rank(x)) },
};
