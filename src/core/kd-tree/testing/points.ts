/** Numbers in [0, 1) from a seed (splitmix32). */
export function randomNumbers(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x9e3779b9) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 16), 0x21f0aaad);
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97);
    return ((mixed ^ (mixed >>> 15)) >>> 0) / 2 ** 32;
  };
}

type Shape = (random: () => number, dimensions: number, index: number) => number[];

/** Kinds of points that trees have trouble with, each a function of so many dimensions. */
export const shapes: Readonly<Record<string, Shape>> = {
  random: (random, dimensions) => Array.from({ length: dimensions }, () => 2 * random() - 1),
  "on a lattice, many equal": (random, dimensions) =>
    Array.from({ length: dimensions }, () => Math.floor(random() * 4) - 2),
  "all equal": (_, dimensions) => Array(dimensions).fill(0.25),
  "on a line": (random, dimensions) => {
    const t = random();
    return Array.from({ length: dimensions }, (_, axis) => (axis === 0 ? t : 3 * t - axis));
  },
  "across the first axis": (random, dimensions) =>
    Array.from({ length: dimensions }, (_, axis) => (axis === 0 ? 1 : random())),
  clustered: (random, dimensions, index) =>
    Array.from({ length: dimensions }, (_, axis) => ((index * (axis + 3)) % 5) + 1e-3 * random() ** 2),
  "in order": (_, dimensions, index) => Array.from({ length: dimensions }, (_, axis) => index * (1 - axis)),
  "of great and small sizes": (random, dimensions) =>
    Array.from({ length: dimensions }, () => (random() - 0.5) * 10 ** Math.floor(random() * 12 - 6)),
};

/** Points of which some coordinates are infinite, in places all of one sign. */
export function infinitePoints(n: number, dimensions: number): Float32Array<ArrayBuffer> {
  const random = randomNumbers(n);
  const coordinate = (axis: number) => {
    const kind = random();
    if (kind < 0.2 + 0.2 * axis) return Infinity;
    return kind < 0.3 + 0.2 * axis ? -Infinity : 8 * random();
  };
  return Float32Array.from({ length: n * dimensions }, (_, k) => coordinate(k % dimensions));
}

/** So many points of a shape. */
export function pointsOf(shape: string, n: number, dimensions: number, seed = 1): Float32Array<ArrayBuffer> {
  const random = randomNumbers(seed);
  return Float32Array.from(Array.from({ length: n }, (_, i) => shapes[shape](random, dimensions, i)).flat());
}
