// The model with what was measured, for each algorithm that is composed over ranks.
import { staging } from "./costs.ts";
import type { CountedAlgorithm } from "./exchanges.ts";
import { type ExchangesOf, exchangesOf } from "./growth.ts";
import type { Measured } from "./measured.ts";
import { type Compute, type ExchangeCosts, predictMs } from "./model.ts";

export interface Modelled {
  readonly algorithm: CountedAlgorithm;
  /** The bench's case over ranks, and that of one GPU without ranks where there is one. */
  readonly name: string;
  readonly alone?: string;
  elements(n: number): number;
}

const same = (n: number) => n;

export const modelled: readonly Modelled[] = [
  {
    algorithm: "isosurface",
    name: "isosurface, composed, distributed",
    alone: "isosurface, composed, manual",
    elements: (n) => n ** 3,
  },
  {
    algorithm: "isosurface, further isovalue",
    name: "isosurface, composed, further isovalue",
    alone: "isosurface, composed, manual",
    elements: (n) => n ** 3,
  },
  { algorithm: "scan", name: "inclusive scan", elements: same },
  { algorithm: "sort", name: "sort", elements: same },
  { algorithm: "KD-tree", name: "KD-tree, subtrees fused", elements: same },
];

/** An algorithm with the times of one rank, and all that it exchanges. */
export interface Prediction extends Modelled {
  readonly compute: Compute;
  readonly exchanges: ExchangesOf;
  /** Milliseconds over n elements (of an isosurface: nodes along an edge). */
  ms(costs: ExchangeCosts, n: number, ranks: number): number;
}

export interface Model {
  /** Where the rows were measured. */
  readonly costs: ExchangeCosts;
  /** Of the barrier that ends each trial of the bench. */
  readonly barrierMs: number;
  readonly predictions: readonly Prediction[];
}

const wordBytes = 4;

/** Rows of a case, by n. */
export const rowsOf = (rows: readonly Measured[], name: string, ranks: number): readonly Measured[] =>
  rows.filter((row) => row.name === name && row.ranks === ranks).sort((a, b) => a.n - b.n);

/** Whether the rows have what the constants of exchanges are taken from, and all algorithms on one rank. */
export const isCalibrated = (rows: readonly Measured[]): boolean =>
  ["exchange, host", "halo, GPU"].every((name) => rowsOf(rows, name, 2).length > 0) &&
  ["word, GPU", ...modelled.map(({ name, alone }) => alone ?? name)].every(
    (name) => rowsOf(rows, name, 1).length > 0,
  );

/** Throws where the rows lack a case by which the model is calibrated. */
export async function modelOf(rows: readonly Measured[]): Promise<Model> {
  const longest = (name: string, ranks: number): Measured => {
    const row = rowsOf(rows, name, ranks).at(-1);
    if (!row) throw new Error(`The rows lack “${name}” on ${ranks} ranks.`);
    return row;
  };
  const shortest = (name: string, ranks: number) => rowsOf(rows, name, ranks)[0] ?? longest(name, ranks);
  const counted = new Map<CountedAlgorithm, ExchangesOf>();
  for (const { algorithm } of modelled) counted.set(algorithm, await exchangesOf(algorithm));

  const barrierMs = shortest("barrier", 2).ms;
  const callMs = shortest("word, GPU", 1).ms;
  const latencyMs = shortest("exchange, host", 2).ms;
  const halo = longest("halo, GPU", 2);
  const bytes = wordBytes * halo.n;
  const stagingMs = bytes / staging.readBackBytesPerMs + bytes / staging.writtenBytesPerMs;
  const bytesPerMs = bytes / (halo.ms - latencyMs - callMs - stagingMs - barrierMs);
  const costs = { name: "TCP, as measured", latencyMs, bytesPerMs, callMs, ...staging };
  const predictions = modelled.map((one): Prediction => {
    const own = rowsOf(rows, one.alone ?? one.name, 1);
    const compute = lineOf(own.map(({ n, ms }) => [one.elements(n), ms] as const));
    const exchanges = exchangesFor(counted, one.algorithm);
    const ms = (costs: ExchangeCosts, n: number, ranks: number) =>
      predictMs(compute, costs, exchanges(n, ranks), one.elements(n), ranks);
    return { ...one, compute, exchanges, ms };
  });
  return { costs, barrierMs, predictions };
}

function exchangesFor(
  counted: ReadonlyMap<CountedAlgorithm, ExchangesOf>,
  algorithm: CountedAlgorithm,
): ExchangesOf {
  const exchanges = counted.get(algorithm);
  if (!exchanges) throw new Error(`What ${algorithm} exchanges was not counted.`);
  return exchanges;
}

/** The shortest time is that of no elements; what the largest takes beyond it is proportional to its elements. */
export function lineOf(times: readonly (readonly [elements: number, ms: number])[]): Compute {
  if (times.length === 0) throw new Error("An algorithm was not measured on one rank.");
  const fixedMs = Math.min(...times.map(([, ms]) => ms));
  const [elements, ms] = times.reduce((a, b) => (b[0] > a[0] ? b : a));
  return { fixedMs, perElementMs: (ms - fixedMs) / elements };
}
