import { finished, rangesOf, type Steps } from "../steps.ts";

/** The numbers 0 … n−1 ordered by their keys, equal keys in their own order: three counting passes of 11 bits. */
export const orderByKey = (keys: Uint32Array): Uint32Array => finished(orderingByKey(keys));

export function* orderingByKey(keys: Uint32Array): Steps<Uint32Array> {
  const n = keys.length;
  let from = new Uint32Array(n);
  let isOrdered = true;
  for (const [first, end] of rangesOf(n)) {
    for (let i = first; i < end; i++) from[i] = i;
    for (let i = Math.max(1, first); i < end && isOrdered; i++) isOrdered = keys[i - 1] <= keys[i];
    yield;
  }
  if (isOrdered) return from;
  let to = new Uint32Array(n);
  const starts = new Uint32Array(2049);
  for (let shift = 0; shift < 33; shift += 11) {
    starts.fill(0);
    for (const [first, end] of rangesOf(n)) {
      for (let i = first; i < end; i++) starts[((keys[i] >>> shift) & 2047) + 1]++;
      yield;
    }
    for (let digit = 0; digit < 2048; digit++) starts[digit + 1] += starts[digit];
    for (const [first, end] of rangesOf(n)) {
      for (let i = first; i < end; i++) {
        const item = from[i];
        to[starts[(keys[item] >>> shift) & 2047]++] = item;
      }
      yield;
    }
    [from, to] = [to, from];
  }
  return from;
}

/** Turns each triangle to begin with its smallest vertex, then orders the triangles by their vertices, in place. */
export const orderTriangles = (indices: Uint32Array, vertexCount: number): void =>
  finished(orderingTriangles(indices, vertexCount));

export function* orderingTriangles(indices: Uint32Array, vertexCount: number): Steps<void> {
  const count = indices.length / 3;
  const starts = new Uint32Array(vertexCount + 1);
  for (const [first, end] of rangesOf(count)) {
    for (let t = first; t < end; t++)
      starts[Math.min(indices[3 * t], indices[3 * t + 1], indices[3 * t + 2]) + 1]++;
    yield;
  }
  for (let v = 0; v < vertexCount; v++) starts[v + 1] += starts[v];
  // The second and third vertex as one number, exact up to 94 million vertices.
  const rest = new Float64Array(count);
  const next = starts.slice(0, vertexCount);
  for (const [first, end] of rangesOf(count)) {
    for (let t = first; t < end; t++) {
      const a = indices[3 * t];
      const b = indices[3 * t + 1];
      const c = indices[3 * t + 2];
      if (a < b && a < c) rest[next[a]++] = b * vertexCount + c;
      else if (b < c) rest[next[b]++] = c * vertexCount + a;
      else rest[next[c]++] = a * vertexCount + b;
    }
    yield;
  }
  for (const [first, end] of rangesOf(vertexCount)) {
    let at = 3 * starts[first];
    for (let v = first; v < end; v++) {
      insertionSort(rest, starts[v], starts[v + 1]);
      for (let t = starts[v]; t < starts[v + 1]; t++) {
        indices[at++] = v;
        indices[at++] = Math.floor(rest[t] / vertexCount);
        indices[at++] = rest[t] % vertexCount;
      }
    }
    yield;
  }
}

/** For the few triangles that share their smallest vertex. */
function insertionSort(values: Float64Array, first: number, end: number): void {
  for (let i = first + 1; i < end; i++) {
    const value = values[i];
    let at = i;
    while (at > first && values[at - 1] > value) {
      values[at] = values[at - 1];
      at--;
    }
    values[at] = value;
  }
}
