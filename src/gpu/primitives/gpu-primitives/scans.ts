import { checkScanType, checkSegments } from "../../../core/primitives/checks.ts";
import type { Operator, ResultOf } from "../../../core/primitives/functions.ts";
import { resultType } from "../../../core/primitives/operators.ts";
import type {
  ExclusiveScanByKeyOptions,
  ScanByKeyOptions,
  ScanOptions,
  Segments,
} from "../../../core/primitives/primitives.ts";
import type { ScalarType, Vector } from "../../../core/primitives/vector.ts";
import type { ScanKernel } from "../scan/options.ts";
import type { Scan } from "../scan/scan.ts";
import { carriesOf } from "./carries.ts";
import { windowOf } from "./chunks.ts";
import { type Eventual, mapEventual, together } from "./eventual.ts";
import { keyOf, operatorKey } from "./kernels.ts";
import { GpuReductions } from "./reductions.ts";
import type { GpuVector } from "./vector.ts";

type Kind = Omit<ScanKernel, "type" | "operator">;
type TypedKind<T extends ScalarType> = Kind & { readonly type?: T };

/** Scans, whole and by segment. */
export class GpuScans extends GpuReductions {
  async inclusiveScan<T extends ScalarType, O extends Operator, R extends ScalarType = T>(
    vector: Vector<T>,
    operator: O,
    options?: ScanOptions<R>,
  ): Promise<Vector<ResultOf<O, R>>> {
    const of = this.readScalar("inclusiveScan", "vector", vector);
    return this.#scan(of, operator, this.#kindOf("inclusiveScan", of, options));
  }

  async exclusiveScan<T extends ScalarType, O extends Operator, R extends ScalarType = T>(
    vector: Vector<T>,
    operator: O,
    init?: number,
    options?: ScanOptions<R>,
  ): Promise<Vector<ResultOf<O, R>>> {
    const of = this.readScalar("exclusiveScan", "vector", vector);
    const kind = this.#kindOf("exclusiveScan", of, options);
    return this.#scan(of, operator, { ...kind, exclusive: true }, init);
  }

  async inclusiveScanByKey<T extends ScalarType, O extends Operator>(
    segments: Segments,
    values: Vector<T>,
    operator: O,
    { reverse }: ScanByKeyOptions = {},
  ): Promise<Vector<ResultOf<O, T>>> {
    const what = "inclusiveScanByKey";
    const of = this.readScalar(what, "values", values);
    const [descriptor, kind] = this.segmentDescriptorOf(what, segments, "values", values);
    return this.#scan(of, operator, { reverse, segments: kind }, undefined, descriptor);
  }

  async exclusiveScanByKey<T extends ScalarType, O extends Operator>(
    segments: Segments,
    values: Vector<T>,
    operator: O,
    { reverse, init }: ExclusiveScanByKeyOptions = {},
  ): Promise<Vector<ResultOf<O, T>>> {
    const what = "exclusiveScanByKey";
    const of = this.readScalar(what, "values", values);
    const [descriptor, kind] = this.segmentDescriptorOf(what, segments, "values", values);
    return this.#scan(of, operator, { reverse, segments: kind, exclusive: true }, init, descriptor);
  }

  /** The vector that tells segments, for a vector as long, and how. */
  protected segmentDescriptorOf(
    what: string,
    segments: Segments,
    name: string,
    vector: Vector,
  ): readonly [GpuVector, "heads" | ScalarType] {
    const isHeads = "heads" in segments;
    const descriptor = this.read(what, isHeads ? "heads" : "keys", isHeads ? segments.heads : segments.keys);
    checkSegments(what, segments, name, vector);
    return [descriptor, isHeads ? "heads" : descriptor.type];
  }

  protected scanOf(type: ScalarType, operator: Operator, kind: Kind): Eventual<Scan> {
    const { session } = this;
    const key = keyOf("scan", operatorKey(operator, type), { ...kind, transform: kind.transform?.text });
    return session.compiled(key, async () => {
      const { createScan } = await import("../scan/scan.ts");
      return createScan(session.gpu, { type, operator, ...kind }, await session.strategy());
    });
  }

  /** What a whole scan is made for; its type is checked. */
  #kindOf<R extends ScalarType>(what: string, of: GpuVector, options: ScanOptions<R> = {}): TypedKind<R> {
    const { reverse, transform, type } = options;
    return {
      reverse,
      transform,
      type,
      inputType: checkScanType(what, of, options) === of.type ? undefined : of.type,
    };
  }

  #scan<T extends ScalarType, O extends Operator>(
    of: GpuVector,
    operator: O,
    kind: TypedKind<T>,
    init?: number,
    descriptor?: GpuVector,
  ): Promise<GpuVector<ResultOf<O, T>>> {
    const vectors = descriptor ? [of, descriptor] : [of];
    return this.using(vectors, async (ticket) => {
      const scan = await ticket.ready(this.scanner(vectors, operator, kind, init));
      return scan();
    });
  }

  /** Prepares a scan of a vector, by segment where a second one tells those. */
  protected scanner<T extends ScalarType, O extends Operator>(
    vectors: readonly GpuVector[],
    operator: O,
    { type = vectors[0].type as T, ...kind }: TypedKind<T>,
    init?: number,
  ): Eventual<() => GpuVector<ResultOf<O, T>>> {
    const [{ length }] = vectors;
    const chunks = this.chunks(vectors);
    const continues = chunks.length > 1;
    const prepared = together([
      this.scanOf(type, operator, continues ? { ...kind, continues } : kind),
      this.chunkReaders(chunks, vectors),
    ]);
    const { recorder } = this.session;
    return mapEventual(
      prepared,
      ([scan, inputs]) =>
        () =>
          this.produce({ type: resultType(operator, type), length, components: 1 }, (output) => {
            const carries = continues ? carriesOf(recorder) : undefined;
            this.encodeChunks(kind.reverse ? chunks.toReversed() : chunks, (chunk, k) => {
              const [input, segments] = inputs[kind.reverse ? chunks.length - 1 - k : k].map((read) =>
                read(),
              );
              const positioned = { output: windowOf(output, chunk), firstPosition: chunk.from };
              scan.record(recorder, { input, segments, init, ...positioned, ...carries?.(k) });
            });
          }),
    );
  }
}
