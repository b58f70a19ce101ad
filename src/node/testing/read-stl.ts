import { readFileSync } from "node:fs";

/** Of a binary STL file: the volume that its facets enclose by the divergence theorem, negative where they face inwards. */
export function stlVolume(path: string): number {
  const bytes = readFileSync(path);
  const triangles = bytes.readUInt32LE(80);
  let sum = 0;
  for (let t = 0; t < triangles; t++) {
    const [a, b, c] = [1, 2, 3].map((corner) =>
      [0, 1, 2].map((axis) => bytes.readFloatLE(84 + 50 * t + 12 * corner + 4 * axis)),
    );
    for (let axis = 0; axis < 3; axis++) {
      const [u, v] = [(axis + 1) % 3, (axis + 2) % 3];
      sum += a[axis] * (b[u] * c[v] - b[v] * c[u]);
    }
  }
  return sum / 6;
}
