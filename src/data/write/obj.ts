import type { JobContext } from "../../core/job.ts";
import type { TriangleMesh } from "../../core/mesh.ts";
import { Yielder } from "../bytes/yielder.ts";
import type { Chunks } from "./chunks.ts";
import { textOfF32 } from "./number-text.ts";

const linesPerChunk = 1 << 14;

/** Writes Wavefront OBJ as text: v, vn and f lines. Scalars and colours are not part of OBJ. */
export async function writeObj(mesh: TriangleMesh, job: JobContext): Promise<Chunks> {
  const { positions, normals, indices } = mesh;
  const yielder = new Yielder(job, "Writing the mesh");
  const all = positions.length + normals.length + indices.length;
  const chunks: Chunks = [encode("# written by Crinkle\n")];
  let before = 0;
  const add = async (items: Float32Array | Uint32Array, lineOf: (at: number) => string) => {
    for (let from = 0; from < items.length; from += 3 * linesPerChunk) {
      if (yielder.isDue()) await yielder.yield((before + from) / all);
      const to = Math.min(from + 3 * linesPerChunk, items.length);
      let text = "";
      for (let at = from; at < to; at += 3) text += lineOf(at);
      chunks.push(encode(text));
    }
    before += items.length;
  };
  const vector = (keyword: string, v: Float32Array) => (at: number) =>
    `${keyword} ${textOfF32(v[at])} ${textOfF32(v[at + 1])} ${textOfF32(v[at + 2])}\n`;
  const corner = (at: number) => `${indices[at] + 1}//${indices[at] + 1}`;
  await add(positions, vector("v", positions));
  await add(normals, vector("vn", normals));
  await add(indices, (at) => `f ${corner(at)} ${corner(at + 1)} ${corner(at + 2)}\n`);
  return chunks;
}

function encode(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text);
}
