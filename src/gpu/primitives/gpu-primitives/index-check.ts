import { indexOutOfRange } from "../../../core/primitives/checks.ts";
import { chunkOf, piecesOf } from "./chunks.ts";
import { keyOf } from "./kernels.ts";
import type { Session } from "./session.ts";
import { readerOf } from "./sources.ts";
import type { GpuVector } from "./vector.ts";

/** Indices that have to be below a length, where the stencil is not 0. */
export interface CheckedMap {
  /** The method that is to name the first that is not. */
  readonly what: string;
  readonly map: GpuVector<"u32">;
  readonly length: number;
  readonly stencil?: GpuVector<"u32">;
}

/** Throws for the first index that is out of range: it reads it back. */
export async function checkMap(session: Session, { what, map, length, stencil }: CheckedMap): Promise<void> {
  const vectors = stencil ? [map, stencil] : [map];
  const chunks = piecesOf(session.maxBinding, vectors, map.length, 1);
  const [check, readers] = await Promise.all([
    session.compiled(keyOf("indices", stencil !== undefined), async () => {
      const { createIndexCheck } = await import("../gather/gather.ts");
      return createIndexCheck(session.gpu, stencil !== undefined);
    }),
    Promise.all(
      chunks.map((chunk) => Promise.all(vectors.map((vector) => readerOf(session, chunkOf(vector, chunk))))),
    ),
  ]);
  const found = await session.read(() => {
    const buffer = session.recorder.workspace("bad indices", chunks.length * 4);
    for (const k of chunks.keys()) {
      session.recorder.scratch(() => {
        const [indices, by] = readers[k].map((reader) => reader());
        const bad = { buffer, offset: k, length: 1 };
        check.record(session.recorder, { map: indices, length, bad, stencil: by });
      });
    }
    return { buffer, offset: 0, length: chunks.length };
  });
  const k = found.findIndex((position) => position !== 2 ** 32 - 1);
  if (k < 0) return;
  const [index] = await session.read(() => {
    const indices = readers[k][0]();
    return { ...indices, offset: indices.offset + found[k], length: 1 };
  });
  throw indexOutOfRange(what, chunks[k].from + found[k], index, length);
}

/** The maps that views were made through in checked mode, the innermost first. */
export function checkedMaps({ content }: GpuVector): readonly CheckedMap[] {
  if (content.kind === "reversed") return checkedMaps(content.of);
  if (content.kind !== "permuted") return [];
  const { of, map, checked } = content;
  const inner = [...checkedMaps(of), ...checkedMaps(map)];
  return checked ? [...inner, { what: "permuted", map, length: of.length }] : inner;
}
