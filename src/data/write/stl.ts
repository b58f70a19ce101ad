import type { JobContext } from "../../core/job.ts";
import type { TriangleMesh } from "../../core/mesh.ts";
import { Yielder } from "../bytes/yielder.ts";
import type { Chunks } from "./chunks.ts";

const headerBytes = 84;
const triangleBytes = 50;
const trianglesPerChunk = 1 << 15;

/** Writes binary STL: each triangle with its own normal (zero if it has no area). Colours are not part of STL. */
export async function writeStl({ positions, indices }: TriangleMesh, job: JobContext): Promise<Chunks> {
  const count = indices.length / 3;
  const yielder = new Yielder(job, "Writing the mesh");
  const head = new Uint8Array(headerBytes).fill(0x20);
  head.set(new TextEncoder().encode("Binary STL, written by Crinkle"));
  new DataView(head.buffer).setUint32(80, count, true);
  const chunks: Chunks = [head];
  for (let from = 0; from < count; from += trianglesPerChunk) {
    if (yielder.isDue()) await yielder.yield(from / count);
    const to = Math.min(from + trianglesPerChunk, count);
    const view = new DataView(new ArrayBuffer((to - from) * triangleBytes));
    for (let triangle = from, at = 0; triangle < to; triangle++, at += triangleBytes) {
      const a = 3 * indices[3 * triangle];
      const b = 3 * indices[3 * triangle + 1];
      const c = 3 * indices[3 * triangle + 2];
      setNormal(view, at, positions, a, b, c);
      setPoint(view, at + 12, positions, a);
      setPoint(view, at + 24, positions, b);
      setPoint(view, at + 36, positions, c);
    }
    chunks.push(new Uint8Array(view.buffer));
  }
  return chunks;
}

function setPoint(view: DataView, at: number, positions: Float32Array, from: number): void {
  view.setFloat32(at, positions[from], true);
  view.setFloat32(at + 4, positions[from + 1], true);
  view.setFloat32(at + 8, positions[from + 2], true);
}

function setNormal(view: DataView, at: number, p: Float32Array, a: number, b: number, c: number): void {
  const ux = p[b] - p[a];
  const uy = p[b + 1] - p[a + 1];
  const uz = p[b + 2] - p[a + 2];
  const vx = p[c] - p[a];
  const vy = p[c + 1] - p[a + 1];
  const vz = p[c + 2] - p[a + 2];
  const x = uy * vz - uz * vy;
  const y = uz * vx - ux * vz;
  const z = ux * vy - uy * vx;
  const length = Math.hypot(x, y, z) || 1;
  view.setFloat32(at, x / length, true);
  view.setFloat32(at + 4, y / length, true);
  view.setFloat32(at + 8, z / length, true);
}
