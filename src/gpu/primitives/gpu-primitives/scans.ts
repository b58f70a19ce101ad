import type { ScanByKeyRequest, ScansBackend } from "../../../core/primitives/backend.ts";
import type { Operator, ResultOf } from "../../../core/primitives/functions.ts";
import { resultType } from "../../../core/primitives/operators.ts";
import type { ScalarType } from "../../../core/primitives/vector.ts";
import type { ScanKernel } from "../scan/options.ts";
import type { Scan } from "../scan/scan.ts";
import { carriesOf } from "./carries.ts";
import { windowOf } from "./chunks.ts";
import { type Eventual, mapEventual, together } from "./eventual.ts";
import { keyOf, operatorKey } from "./kernels.ts";
import type { Session } from "./session.ts";
import type { GpuVector } from "./vector.ts";
import type { VectorIo } from "./vector-io.ts";

type Kind = Omit<ScanKernel, "type" | "operator">;
type TypedKind<T extends ScalarType> = Kind & { readonly type?: T };

export type GpuSegments = { readonly keys: GpuVector } | { readonly heads: GpuVector<"u32"> };

/** Scans, whole and by segment. */
export const gpuScans = (io: VectorIo): ScansBackend => ({
  scan(vector: GpuVector, operator, { type, isExclusive, init, reverse, transform }) {
    const inputType = type === vector.type ? undefined : vector.type;
    const kind = { type, inputType, exclusive: isExclusive, reverse, transform };
    return scanned(io, [vector], operator, kind, init);
  },

  scanByKey<T extends ScalarType, O extends Operator>(
    segments: GpuSegments,
    values: GpuVector<T>,
    operator: O,
    { isExclusive, init, reverse }: ScanByKeyRequest,
  ) {
    const [descriptor, kind] = segmentDescriptorOf(segments);
    const by: TypedKind<T> = { segments: kind, exclusive: isExclusive, reverse };
    return scanned(io, [values, descriptor], operator, by, init);
  },
});

/** The vector that defines segments, and how. */
export function segmentDescriptorOf(segments: GpuSegments): readonly [GpuVector, "heads" | ScalarType] {
  return "heads" in segments ? [segments.heads, "heads"] : [segments.keys, segments.keys.type];
}

export function scanOf(session: Session, type: ScalarType, operator: Operator, kind: Kind): Eventual<Scan> {
  const key = keyOf("scan", operatorKey(operator, type), { ...kind, transform: kind.transform?.text });
  return session.compiled(key, async () => {
    const { createScan } = await import("../scan/scan.ts");
    return createScan(session.gpu, { type, operator, ...kind }, await session.strategy());
  });
}

function scanned<T extends ScalarType, O extends Operator>(
  io: VectorIo,
  vectors: readonly GpuVector[],
  operator: O,
  kind: TypedKind<T>,
  init?: number,
): Promise<GpuVector<ResultOf<O, T>>> {
  return io.using(vectors, async (ticket) => {
    const scan = await ticket.ready(scanner(io, vectors, operator, kind, init));
    return scan();
  });
}

/** Prepares a scan of a vector, by segment where a second one defines those. */
export function scanner<T extends ScalarType, O extends Operator>(
  io: VectorIo,
  vectors: readonly GpuVector[],
  operator: O,
  { type = vectors[0].type as T, ...kind }: TypedKind<T>,
  init?: number,
): Eventual<() => GpuVector<ResultOf<O, T>>> {
  const [{ length }] = vectors;
  const chunks = io.chunks(vectors);
  const continues = chunks.length > 1;
  const prepared = together([
    scanOf(io.session, type, operator, continues ? { ...kind, continues } : kind),
    io.chunkReaders(chunks, vectors),
  ]);
  const { recorder } = io.session;
  return mapEventual(
    prepared,
    ([scan, inputs]) =>
      () =>
        io.produce({ type: resultType(operator, type), length, components: 1 }, (output) => {
          const carries = continues ? carriesOf(recorder) : undefined;
          io.encodeChunks(kind.reverse ? chunks.toReversed() : chunks, (chunk, k) => {
            const [input, segments] = inputs[kind.reverse ? chunks.length - 1 - k : k].map((read) => read());
            const positioned = { output: windowOf(output, chunk), firstPosition: chunk.from };
            scan.record(recorder, { input, segments, init, ...positioned, ...carries?.(k) });
          });
        }),
  );
}
