import type { JobContext } from "../../core/job.ts";
import type { TriangleMesh } from "../../core/mesh.ts";
import { Yielder } from "../bytes/yielder.ts";
import type { Chunks } from "./chunks.ts";
import type { MeshOptions } from "./mesh-options.ts";

const verticesPerChunk = 1 << 15;
const faceBytes = 13;

/**
 * Writes binary little-endian PLY: positions, normals, the scalar where there is one, and colours where asked for.
 * In the name of the scalar's property other characters than letters, digits and “_” become “_”.
 */
export async function writePly(
  mesh: TriangleMesh,
  job: JobContext,
  options: MeshOptions = {},
): Promise<Chunks> {
  const yielder = new Yielder(job, "Writing the mesh");
  const vertices = mesh.positions.length / 3;
  const faces = mesh.indices.length / 3;
  const scalar = mesh.scalars ? [`property float ${propertyName(options.scalarName ?? "scalar")}`] : [];
  const colors = options.color ? ["red", "green", "blue"].map((name) => `property uchar ${name}`) : [];
  const head = [
    "ply",
    "format binary_little_endian 1.0",
    "comment written by Crinkle",
    `element vertex ${vertices}`,
    ...["x", "y", "z", "nx", "ny", "nz"].map((name) => `property float ${name}`),
    ...scalar,
    ...colors,
    `element face ${faces}`,
    "property list uchar int vertex_indices",
    "end_header\n",
  ];
  const chunks: Chunks = [new TextEncoder().encode(head.join("\n"))];
  const all = vertices + faces;
  for (let from = 0; from < vertices; from += verticesPerChunk) {
    if (yielder.isDue()) await yielder.yield(from / all);
    chunks.push(vertexChunk(mesh, options, from, Math.min(from + verticesPerChunk, vertices)));
  }
  for (let from = 0; from < faces; from += verticesPerChunk) {
    if (yielder.isDue()) await yielder.yield((vertices + from) / all);
    chunks.push(faceChunk(mesh.indices, from, Math.min(from + verticesPerChunk, faces)));
  }
  return chunks;
}

function vertexChunk(
  { positions, normals, scalars }: TriangleMesh,
  { color }: MeshOptions,
  from: number,
  to: number,
): Uint8Array<ArrayBuffer> {
  const stride = 24 + (scalars ? 4 : 0) + (color ? 3 : 0);
  const bytes = new Uint8Array((to - from) * stride);
  const view = new DataView(bytes.buffer);
  for (let vertex = from, at = 0; vertex < to; vertex++, at += stride) {
    for (let c = 0; c < 3; c++) {
      view.setFloat32(at + 4 * c, positions[3 * vertex + c], true);
      view.setFloat32(at + 12 + 4 * c, normals[3 * vertex + c], true);
    }
    if (scalars) view.setFloat32(at + 24, scalars[vertex], true);
    color?.(vertex, bytes, at + stride - 3);
  }
  return bytes;
}

function faceChunk(indices: Uint32Array, from: number, to: number): Uint8Array<ArrayBuffer> {
  const view = new DataView(new ArrayBuffer((to - from) * faceBytes));
  for (let face = from, at = 0; face < to; face++, at += faceBytes) {
    view.setUint8(at, 3);
    for (let c = 0; c < 3; c++) view.setInt32(at + 1 + 4 * c, indices[3 * face + c], true);
  }
  return new Uint8Array(view.buffer);
}

const reserved = new Set(["x", "y", "z", "nx", "ny", "nz", "red", "green", "blue"]);

function propertyName(name: string): string {
  const plain = name.replace(/[^A-Za-z0-9_]+/g, "_") || "scalar";
  return reserved.has(plain) ? `scalar_${plain}` : plain;
}
