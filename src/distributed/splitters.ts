/**
 * A part of a vector in the order of a sort: element i has the key `keyAt(i)`, and comes after all equal elements of earlier parts
 * and before those of later ones.
 */
export interface SortedPart {
  readonly length: number;
  /** Ascends. */
  keyAt(i: number): number;
}

/** An element of some rank's part: where a result's part ends. */
export interface Splitter {
  readonly key: number;
  readonly rank: number;
  /** Its number in its rank's part. */
  readonly index: number;
}

/** Elements of a part, with how many it has. */
export interface Samples {
  readonly count: number;
  readonly keys: Uint32Array;
}

/**
 * How many samples each part gives on p ranks. A part's place of a splitter is known to one sample's distance; of p parts the
 * distances add up. Up to 16 ranks 16 p samples leave a sixteenth of n / p elements, whatever the keys: no result's part is longer
 * than 1.125 n / p (and p elements, for rounding). On more, what is wrong of one part is as often too much as too little, so that it
 * adds up as √p: 32 √p samples leave the same at almost seven standard deviations, and all ranks get 32 p √p instead of 16 p².
 */
export const samplesFor = (ranks: number): number =>
  16 * Math.min(ranks, Math.max(16, Math.ceil(2 * Math.sqrt(ranks))));

const goldenRatio = (1 + Math.sqrt(5)) / 2;

/**
 * The place of a part's sample k of so many. Where parts are alike, samples of all of them would lie at the same keys: each rank's
 * are shifted by another share of their distance, multiples of the golden ratio, which fill it evenly.
 */
const placeOf = (k: number, count: number, taken: number, rank: number): number =>
  Math.floor(((k + ((rank * goldenRatio) % 1)) * count) / taken);

/** Elements of a rank's part at even distances. */
export function samplesOf({ length, keyAt }: SortedPart, rank: number, size: number): Samples {
  const taken = Math.min(length, samplesFor(size));
  const keys = Uint32Array.from({ length: taken }, (_, k) => keyAt(placeOf(k, length, taken, rank)));
  return { count: length, keys };
}

/** The last element of each part but the last, of samples of all parts; fewer where there are no samples. */
export function splittersOf(samples: readonly Samples[]): readonly Splitter[] {
  const all = samples.flatMap(({ count, keys }, rank) =>
    Array.from(keys, (key, k) => {
      const index = placeOf(k, count, keys.length, rank);
      return { key, rank, index, weight: count / keys.length };
    }),
  );
  all.sort((a, b) => a.key - b.key || a.rank - b.rank || a.index - b.index);
  const total = all.reduce((sum, { weight }) => sum + weight, 0);
  const splitters: Splitter[] = [];
  let before = 0;
  for (const sample of all) {
    before += sample.weight;
    while (
      splitters.length < samples.length - 1 &&
      before * samples.length >= (splitters.length + 1) * total - 1e-6 * total
    ) {
      splitters.push(sample);
    }
  }
  return splitters;
}

/** Where the elements of a rank's part begin and end that go to each rank. */
export function cutsOf(part: SortedPart, rank: number, splitters: readonly Splitter[], size: number) {
  const cuts = [0];
  for (let k = 0; k < size - 1; k++) {
    const splitter = splitters[k];
    cuts.push(splitter ? endOf(part, rank, splitter) : 0);
  }
  return [...cuts, part.length];
}

/** How many elements of a rank's part are a splitter or come before it. */
function endOf({ length, keyAt }: SortedPart, rank: number, splitter: Splitter): number {
  if (rank === splitter.rank) return splitter.index + 1;
  const isWithin = (key: number) => (rank < splitter.rank ? key <= splitter.key : key < splitter.key);
  let [low, high] = [0, length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isWithin(keyAt(middle))) low = middle + 1;
    else high = middle;
  }
  return low;
}
