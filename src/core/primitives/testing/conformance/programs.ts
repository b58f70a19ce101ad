import fc from "fast-check";
import { describe } from "vitest";
import { add, max } from "../../operators.ts";
import type { Primitives } from "../../primitives.ts";
import type { Vector } from "../../vector.ts";
import { randomWords } from "../data.ts";
import { isOdd, triple } from "../operators.ts";
import { type Bag, check, expectSame, type Subject } from "./subject.ts";

/** A vector, and what it has to hold. */
interface Pair {
  readonly vector: Vector<"u32">;
  readonly due: readonly number[];
}

interface Step {
  readonly name: string;
  readonly a: number;
  readonly b: number;
  readonly k: number;
}

type Operands = readonly [p: Primitives, x: Vector<"u32">, y: Vector<"u32">, k: number];
type Numbers = readonly number[];

/** What a step does with two vectors and a number, and the same in plain JavaScript. */
interface Operation {
  run(...operands: Operands): Vector<"u32"> | Promise<Vector<"u32">>;
  due(x: Numbers, y: Numbers, k: number): Numbers;
  /** The result is a view of what was there. */
  readonly isView?: boolean;
}

const sorted = (x: Numbers) => [...x].sort((a, b) => a - b);
const headsOf = (x: Numbers) => x.map((key, i) => i === 0 || key !== x[i - 1]);

function running(x: Numbers, combine: (a: number, b: number) => number): Numbers {
  let sum = 0;
  return x.map((value) => {
    sum = combine(sum, value);
    return sum;
  });
}

/** Sorts what a step needs in order, and lets go of it. */
async function inOrder<R>(
  p: Primitives,
  vectors: readonly Vector<"u32">[],
  then: (...sorted: Vector<"u32">[]) => Promise<R>,
): Promise<R> {
  const made: Vector<"u32">[] = [];
  for (const vector of vectors) made.push(await p.sort(vector));
  try {
    return await then(...made);
  } finally {
    for (const vector of made) vector.release();
  }
}

async function lengthsOf(pairs: ReturnType<Primitives["runLengthEncode"]>): Promise<Vector<"u32">> {
  const { keys, values } = await pairs;
  keys.release();
  return values;
}

const sum = (a: number, b: number) => (a + b) >>> 0;

const operations: Readonly<Record<string, Operation>> = {
  transform: {
    run: (p, x) => p.transform(x, triple, "u32"),
    due: (x) => x.map((value) => (3 * value + 1) >>> 0),
  },
  sums: { run: (p, x) => p.inclusiveScan(x, add), due: (x) => running(x, sum) },
  "sums from the end": {
    run: (p, x, _, k) => p.exclusiveScan(x, add, k, { reverse: true }),
    due: (x, _, k) => {
      const through = [...running([k, ...[...x].reverse()], sum)];
      return through.slice(0, x.length).reverse();
    },
  },
  greatest: {
    run: (p, x) => p.inclusiveScan(x, max),
    due: (x) => running(x, (a, b) => Math.max(a, b)),
  },
  sort: { run: (p, x) => p.sort(x), due: sorted },
  "sort down": { run: (p, x) => p.sort(x, { descending: true }), due: (x) => [...sorted(x)].reverse() },
  odd: { run: (p, x) => p.copyIf(x, { where: isOdd }), due: (x) => x.filter((value) => value % 2 === 1) },
  "odd first": {
    run: async (p, x) => (await p.partition(x, { where: isOdd })).vector,
    due: (x) => [...x.filter((value) => value % 2 === 1), ...x.filter((value) => value % 2 === 0)],
  },
  unique: { run: (p, x) => p.unique(x), due: (x) => x.filter((_, i) => headsOf(x)[i]) },
  "lengths of runs": {
    run: (p, x) => lengthsOf(p.runLengthEncode(x)),
    due: (x) => {
      const starts = [...x.keys()].filter((i) => i === 0 || x[i] !== x[i - 1]);
      return starts.map((start, run) => (starts[run + 1] ?? x.length) - start);
    },
  },
  gather: { run: (p, x, y) => p.gather(y, x), due: (x, y) => y.map((i) => x[i] ?? 0) },
  "where needles are": {
    run: (p, x, y) => inOrder(p, [x], (a) => p.lowerBound(a, y)),
    due: (x, y) => y.map((needle) => x.filter((value) => value < needle).length),
  },
  "counts of counts": {
    run: (p, x, _, k) => inOrder(p, [x], (a) => p.upperBoundCounting(a, k)),
    due: (x, _, k) => Array.from({ length: k }, (_, i) => x.filter((value) => value <= i).length),
  },
  merge: {
    run: (p, x, y) => inOrder(p, [x, y], (a, b) => p.merge(a, b)),
    due: (x, y) => sorted([...x, ...y]),
  },
  histogram: {
    run: (p, x, _, k) => p.histogramEven(x, 0, 64, k + 1),
    due: (x, _, k) => {
      const counts = new Array<number>(k + 1).fill(0);
      const scale = Math.fround((k + 1) / 64);
      for (const value of x) if (value < 64) counts[Math.min(k, Math.floor(Math.fround(value * scale)))]++;
      return counts;
    },
  },
  reversed: { run: (p, x) => p.reversed(x), due: (x) => [...x].reverse(), isView: true },
  permuted: { run: (p, x, y) => p.permuted(x, y), due: (x, y) => y.map((i) => x[i] ?? 0), isView: true },
  part: {
    run: (p, x, _, k) => p.view(x, Math.min(k, x.length), x.length),
    due: (x, _, k) => x.slice(k),
    isView: true,
  },
};

const names = Object.keys(operations);
const mostElements = 3000;

async function runProgram(bag: Bag, seeds: readonly number[], steps: readonly Step[]): Promise<void> {
  const p = bag.primitives;
  const pool: Pair[] = seeds.map((seed, k) => {
    const due = Array.from(randomWords((seed % 1500) * k, seed), (word) => word % (40 + (seed % 300)));
    return { vector: bag.u32(due), due };
  });
  for (const { name, a, b, k } of steps) {
    const [x, y] = [pool[a % pool.length], pool[b % pool.length]];
    if (x.due.length + y.due.length > mostElements) continue;
    const { run, due, isView } = operations[name];
    const vector = await run(p, x.vector, y.vector, k);
    pool.push({ vector: isView ? vector : bag.hold(vector), due: due(x.due, y.due, k) });
  }
  const program = steps.map(({ name, a, b, k }) => `${name}(${a}, ${b}, ${k})`).join(", ");
  for (const [i, { vector, due }] of pool.entries()) {
    expectSame(await p.toHost(vector), due, `vector ${i} of ${program}`);
  }
}

/** Random programs: each step takes vectors of earlier ones, and all are read at the end. */
export function describePrograms(subject: Subject, runs: number): void {
  const step = fc.record({
    name: fc.constantFrom(...names),
    a: fc.nat(30),
    b: fc.nat(30),
    k: fc.nat(40),
  });
  const programs = fc.tuple(
    fc.array(fc.nat(2 ** 20), { minLength: 3, maxLength: 3 }),
    fc.array(step, { minLength: 4, maxLength: 14 }),
  );
  describe("programs", () => {
    check(subject, "do what plain JavaScript does, step after step", async (bag) => {
      await fc.assert(
        fc.asyncProperty(programs, async ([seeds, steps]) => {
          try {
            await runProgram(bag, seeds, steps);
          } finally {
            bag.release();
          }
        }),
        { numRuns: runs, seed: 20240607, endOnFailure: true },
      );
    });
  });
}
