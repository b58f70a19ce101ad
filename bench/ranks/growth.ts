// How what algorithms exchange grows with elements and ranks: the shapes are known, their factors are counted.

import { samplesFor } from "../../src/distributed/splitters.ts";
import { type CountedAlgorithm, countExchanges, type Exchanges } from "./exchanges.ts";
import { leastSquares } from "./least-squares.ts";

/** Functions of elements (of an isosurface: nodes along an edge) and ranks, of which a count is a sum with factors. */
type Shape = readonly ((n: number, ranks: number) => number)[];

interface Growth {
  /** At which it is counted, on each number of ranks: enough for all samples of their sorts. */
  readonly sizes: readonly number[];
  /** 2, 4, 8 and 16 where it is left out. */
  readonly ranks?: readonly number[];
  readonly calls: Shape;
  readonly gathered: Shape;
  readonly exchanged: Shape;
  readonly staged: Shape;
}

const countedRanks = [2, 4, 8, 16];

const one = () => 1;
const log = (_: number, ranks: number) => Math.log2(ranks);
const samples = (_: number, ranks: number) => samplesFor(ranks);
const part = (n: number, ranks: number) => n / ranks;
/** Planes of nodes to one neighbour, and to the second that inner ranks have. */
const planes: Shape = [one, (n) => n ** 2, (n, ranks) => (ranks > 2 ? n ** 2 : 0)];

const growths: Readonly<Record<CountedAlgorithm, Growth>> = {
  isosurface: { sizes: [32, 48], calls: [one], gathered: [one], exchanged: planes, staged: planes },
  // On more ranks a grid of this size has no planes to spare, of which ranks could keep copies.
  "isosurface, further isovalue": {
    sizes: [48],
    ranks: [2, 4],
    calls: [one],
    gathered: [one],
    exchanged: [one],
    staged: [one],
  },
  scan: { sizes: [1024], calls: [one], gathered: [one], exchanged: [one], staged: [one] },
  // Samples of all ranks go to all; each key goes through its rank's host memory to the rank where it belongs.
  sort: {
    sizes: [4096],
    calls: [one],
    gathered: [one, samples],
    exchanged: [(n, ranks) => (n * (ranks - 1)) / ranks ** 2],
    staged: [part],
  },
  // On level k, points move among ranks / 2^k of them; before the first, sorts give their ranks along each axis.
  "KD-tree": {
    sizes: [4096],
    calls: [one, log],
    gathered: [one, log, samples],
    exchanged: [(n, ranks) => (n / ranks) * (Math.log2(ranks) - 1 + 1 / ranks)],
    staged: [part, (n, ranks) => (n / ranks) * Math.log2(ranks)],
  },
};

export type ExchangesOf = (n: number, ranks: number) => Exchanges;

/** What an algorithm exchanges over any number of elements and ranks, by counts on 1 to 16 ranks. */
export async function exchangesOf(algorithm: CountedAlgorithm): Promise<ExchangesOf> {
  const { sizes, ranks: among = countedRanks, calls, gathered, exchanged, staged } = growths[algorithm];
  const single = await countExchanges(algorithm, 1, sizes[0]);
  const counts: { readonly n: number; readonly ranks: number; readonly count: Exchanges }[] = [];
  for (const ranks of among)
    for (const n of sizes) counts.push({ n, ranks, count: await countExchanges(algorithm, ranks, n) });
  const fitted = (shape: Shape, of: keyof Exchanges) => {
    const rows = counts.map(({ n, ranks }) => shape.map((each) => each(n, ranks)));
    const factors = leastSquares(
      rows,
      counts.map(({ count }) => count[of]),
    );
    return (n: number, ranks: number) => shape.reduce((sum, each, k) => sum + factors[k] * each(n, ranks), 0);
  };
  const laws = {
    allgathers: fitted(calls, "allgathers"),
    alltoalls: fitted(calls, "alltoalls"),
    halos: fitted([one], "halos"),
    gathered: fitted(gathered, "gathered"),
    exchanged: fitted(exchanged, "exchanged"),
    readBack: fitted(staged, "readBack"),
    written: fitted(staged, "written"),
  };
  return (n, ranks) =>
    ranks === 1
      ? single
      : {
          allgathers: laws.allgathers(n, ranks),
          alltoalls: laws.alltoalls(n, ranks),
          halos: laws.halos(n, ranks),
          gathered: laws.gathered(n, ranks),
          exchanged: laws.exchanged(n, ranks),
          readBack: laws.readBack(n, ranks),
          written: laws.written(n, ranks),
        };
}
