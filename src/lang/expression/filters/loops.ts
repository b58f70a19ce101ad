/**
 * CPU twins of the commonest filters of one and two numbers, each a loop of its own: an engine compiles it into a few
 * instructions, where a loop that calls the function it is given serves all functions and calls each.
 */
export type MapLoop = (x: Float64Array, out: Float64Array, count: number) => void;
/** `out` may be `a` or `b`. */
export type ZipLoop = (a: Float64Array, b: Float64Array, out: Float64Array, count: number) => void;

/** The loop of any function of a number. */
export const each =
  (cpu: (x: number) => number): MapLoop =>
  (x, out, count) => {
    for (let i = 0; i < count; i++) out[i] = cpu(x[i]);
  };

/** The loop of any function of two numbers. */
export const eachPair =
  (cpu: (a: number, b: number) => number): ZipLoop =>
  (a, b, out, count) => {
    for (let i = 0; i < count; i++) out[i] = cpu(a[i], b[i]);
  };

/** Each of `count` numbers `times` times. */
export function repeat(x: Float64Array, out: Float64Array, count: number, times: number): void {
  for (let e = 0, i = 0; e < count; e++) for (let k = 0; k < times; k++) out[i++] = x[e];
}

export const sums: ZipLoop = (a, b, out, count) => {
  for (let i = 0; i < count; i++) out[i] = a[i] + b[i];
};

export const differences: ZipLoop = (a, b, out, count) => {
  for (let i = 0; i < count; i++) out[i] = a[i] - b[i];
};

export const products: ZipLoop = (a, b, out, count) => {
  for (let i = 0; i < count; i++) out[i] = a[i] * b[i];
};

export const quotients: ZipLoop = (a, b, out, count) => {
  for (let i = 0; i < count; i++) out[i] = a[i] / b[i];
};

export const minima: ZipLoop = (a, b, out, count) => {
  for (let i = 0; i < count; i++) out[i] = Math.min(a[i], b[i]);
};

export const maxima: ZipLoop = (a, b, out, count) => {
  for (let i = 0; i < count; i++) out[i] = Math.max(a[i], b[i]);
};

export const lessThan: ZipLoop = (a, b, out, count) => {
  for (let i = 0; i < count; i++) out[i] = a[i] < b[i] ? 1 : 0;
};

export const atMost: ZipLoop = (a, b, out, count) => {
  for (let i = 0; i < count; i++) out[i] = a[i] <= b[i] ? 1 : 0;
};

export const greaterThan: ZipLoop = (a, b, out, count) => {
  for (let i = 0; i < count; i++) out[i] = a[i] > b[i] ? 1 : 0;
};

export const atLeast: ZipLoop = (a, b, out, count) => {
  for (let i = 0; i < count; i++) out[i] = a[i] >= b[i] ? 1 : 0;
};

export const negations: MapLoop = (x, out, count) => {
  for (let i = 0; i < count; i++) out[i] = -x[i];
};

export const sizes: MapLoop = (x, out, count) => {
  for (let i = 0; i < count; i++) out[i] = Math.abs(x[i]);
};

export const roots: MapLoop = (x, out, count) => {
  for (let i = 0; i < count; i++) out[i] = Math.sqrt(x[i]);
};

export const squares: MapLoop = (x, out, count) => {
  for (let i = 0; i < count; i++) out[i] = x[i] * x[i];
};
