/** The numbers 0 … n−1 ordered by their keys, equal keys in their own order: three counting passes of 11 bits. */
export function orderByKey(keys: Uint32Array): Uint32Array {
  const n = keys.length;
  let from = new Uint32Array(n);
  for (let i = 0; i < n; i++) from[i] = i;
  let isOrdered = true;
  for (let i = 1; i < n && isOrdered; i++) isOrdered = keys[i - 1] <= keys[i];
  if (isOrdered) return from;
  let to = new Uint32Array(n);
  const starts = new Uint32Array(2049);
  for (let shift = 0; shift < 33; shift += 11) {
    starts.fill(0);
    for (let i = 0; i < n; i++) starts[((keys[i] >>> shift) & 2047) + 1]++;
    for (let digit = 0; digit < 2048; digit++) starts[digit + 1] += starts[digit];
    for (let i = 0; i < n; i++) {
      const item = from[i];
      to[starts[(keys[item] >>> shift) & 2047]++] = item;
    }
    [from, to] = [to, from];
  }
  return from;
}

/** Turns each triangle to begin with its smallest vertex, then orders the triangles by their vertices, in place. */
export function orderTriangles(indices: Uint32Array, vertexCount: number): void {
  const count = indices.length / 3;
  const starts = new Uint32Array(vertexCount + 1);
  for (let t = 0; t < count; t++)
    starts[Math.min(indices[3 * t], indices[3 * t + 1], indices[3 * t + 2]) + 1]++;
  for (let v = 0; v < vertexCount; v++) starts[v + 1] += starts[v];
  // The second and third vertex as one number, exact up to 94 million vertices.
  const rest = new Float64Array(count);
  const next = starts.slice(0, vertexCount);
  for (let t = 0; t < count; t++) {
    const a = indices[3 * t];
    const b = indices[3 * t + 1];
    const c = indices[3 * t + 2];
    if (a < b && a < c) rest[next[a]++] = b * vertexCount + c;
    else if (b < c) rest[next[b]++] = c * vertexCount + a;
    else rest[next[c]++] = a * vertexCount + b;
  }
  for (let v = 0, at = 0; v < vertexCount; v++) {
    insertionSort(rest, starts[v], starts[v + 1]);
    for (let t = starts[v]; t < starts[v + 1]; t++) {
      indices[at++] = v;
      indices[at++] = Math.floor(rest[t] / vertexCount);
      indices[at++] = rest[t] % vertexCount;
    }
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
