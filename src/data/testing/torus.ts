import type { TriangleMesh } from "../../core/mesh.ts";

const major = 3;
const minor = 1;
const around = 24;
const across = 16;

/** A closed torus about the z axis, moved off the origin, with exact normals; its scalar is the height above its plane. */
export function torus(): TriangleMesh {
  const positions: number[] = [];
  const normals: number[] = [];
  const scalars: number[] = [];
  const indices: number[] = [];
  for (let i = 0; i < around; i++) {
    const u = (2 * Math.PI * i) / around;
    for (let j = 0; j < across; j++) {
      const v = (2 * Math.PI * j) / across;
      const normal = [Math.cos(u) * Math.cos(v), Math.sin(u) * Math.cos(v), Math.sin(v)];
      const r = major + minor * Math.cos(v);
      positions.push(10 + r * Math.cos(u), r * Math.sin(u) - 5, minor * Math.sin(v) + 0.25);
      normals.push(...normal);
      scalars.push(minor * Math.sin(v));
      const at = (a: number, b: number) => (a % around) * across + (b % across);
      indices.push(at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j), at(i + 1, j + 1), at(i, j + 1));
    }
  }
  return {
    positions: Float32Array.from(positions),
    normals: Float32Array.from(normals),
    scalars: Float32Array.from(scalars),
    indices: Uint32Array.from(indices),
  };
}

/** A different colour for each vertex. */
export function torusColor(vertex: number, target: Uint8Array, at: number): void {
  target[at] = vertex % 256;
  target[at + 1] = 255 - (vertex % 200);
  target[at + 2] = vertex >> 3;
}
