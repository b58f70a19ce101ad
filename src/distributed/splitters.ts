/** Elements in the order of a sort: by their keys, equal ones by their positions in the vector. */
export interface OrderedElements {
  readonly keys: Uint32Array;
  readonly positions: Uint32Array;
}

/** Samples of a part's sorted elements, and how many elements the part has. */
export interface Samples extends OrderedElements {
  readonly count: number;
}

/**
 * Samples of each part, for each rank. Each part's place of a splitter is known to one sample's distance, those of all parts together
 * to a sixteenth of n / p elements: no result's part is longer than 1.125 n / p (and p elements, for rounding).
 */
const samplesPerRank = 16;

/** Elements at even distances, each the last of as many as it stands for. */
export function samplesOf({ keys, positions }: OrderedElements, size: number): Samples {
  const count = keys.length;
  const taken = Math.min(count, samplesPerRank * size);
  const places = Array.from({ length: taken }, (_, k) => Math.floor(((k + 1) * count) / taken) - 1);
  return {
    count,
    keys: Uint32Array.from(places, (place) => keys[place]),
    positions: Uint32Array.from(places, (place) => positions[place]),
  };
}

/** The last element of each part but the last, of samples of all parts; fewer where there are no samples. */
export function splittersOf(samples: readonly Samples[]): OrderedElements {
  const all = samples.flatMap(({ count, keys, positions }) =>
    Array.from(keys, (key, k) => ({ key, position: positions[k], weight: count / keys.length })),
  );
  all.sort((a, b) => a.key - b.key || a.position - b.position);
  const total = all.reduce((sum, { weight }) => sum + weight, 0);
  const splitters: (typeof all)[number][] = [];
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
  return {
    keys: Uint32Array.from(splitters, ({ key }) => key),
    positions: Uint32Array.from(splitters, ({ position }) => position),
  };
}

/** Where the parts of sorted elements begin and end that go to each rank. */
export function cutsOf({ keys, positions }: OrderedElements, splitters: OrderedElements, size: number) {
  const cuts = [0];
  for (let k = 0; k < size - 1; k++) {
    let [low, high] = [0, keys.length];
    while (low < high && k < splitters.keys.length) {
      const middle = (low + high) >>> 1;
      const isWithin =
        keys[middle] < splitters.keys[k] ||
        (keys[middle] === splitters.keys[k] && positions[middle] <= splitters.positions[k]);
      if (isWithin) low = middle + 1;
      else high = middle;
    }
    cuts.push(low);
  }
  return [...cuts, keys.length];
}
