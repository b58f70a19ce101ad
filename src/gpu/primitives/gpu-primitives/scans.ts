import { checkScanType, checkSegments } from "../../../core/primitives/checks.ts";
import type { BinaryOperator } from "../../../core/primitives/functions.ts";
import type {
  ExclusiveScanByKeyOptions,
  ScanByKeyOptions,
  ScanOptions,
  Segments,
} from "../../../core/primitives/primitives.ts";
import type { ScalarType, Vector } from "../../../core/primitives/vector.ts";
import type { ScanKernel } from "../scan/options.ts";
import { createScan, type Scan } from "../scan/scan.ts";
import { carriesOf } from "./carries.ts";
import { keyOf, operatorKey } from "./kernels.ts";
import { windowOf } from "./pieces.ts";
import { GpuReductions } from "./reductions.ts";
import type { GpuVector } from "./vector.ts";

type Kind = Omit<ScanKernel, "type" | "operator">;
type TypedKind<T extends ScalarType> = Kind & { readonly type?: T };

/** Scans, whole and by segment. */
export class GpuScans extends GpuReductions {
  async inclusiveScan<T extends ScalarType, R extends ScalarType = T>(
    vector: Vector<T>,
    operator: BinaryOperator,
    options?: ScanOptions<R>,
  ): Promise<Vector<R>> {
    const of = this.readScalar("inclusiveScan", "vector", vector);
    return this.#scan(of, operator, this.#kindOf("inclusiveScan", of, options));
  }

  async exclusiveScan<T extends ScalarType, R extends ScalarType = T>(
    vector: Vector<T>,
    operator: BinaryOperator,
    init?: number,
    options?: ScanOptions<R>,
  ): Promise<Vector<R>> {
    const of = this.readScalar("exclusiveScan", "vector", vector);
    const kind = this.#kindOf("exclusiveScan", of, options);
    return this.#scan(of, operator, { ...kind, exclusive: true }, init);
  }

  async inclusiveScanByKey<T extends ScalarType>(
    segments: Segments,
    values: Vector<T>,
    operator: BinaryOperator,
    { reverse }: ScanByKeyOptions = {},
  ): Promise<Vector<T>> {
    const what = "inclusiveScanByKey";
    const of = this.readScalar(what, "values", values);
    const [teller, kind] = this.tellerOf(what, segments, "values", values);
    return this.#scan(of, operator, { reverse, segments: kind }, undefined, teller);
  }

  async exclusiveScanByKey<T extends ScalarType>(
    segments: Segments,
    values: Vector<T>,
    operator: BinaryOperator,
    { reverse, init }: ExclusiveScanByKeyOptions = {},
  ): Promise<Vector<T>> {
    const what = "exclusiveScanByKey";
    const of = this.readScalar(what, "values", values);
    const [teller, kind] = this.tellerOf(what, segments, "values", values);
    return this.#scan(of, operator, { reverse, segments: kind, exclusive: true }, init, teller);
  }

  /** The vector that tells segments, for a vector as long, and how. */
  protected tellerOf(
    what: string,
    segments: Segments,
    name: string,
    vector: Vector,
  ): readonly [GpuVector, "heads" | ScalarType] {
    const isHeads = "heads" in segments;
    const teller = this.read(what, isHeads ? "heads" : "keys", isHeads ? segments.heads : segments.keys);
    checkSegments(what, segments, name, vector);
    return [teller, isHeads ? "heads" : teller.type];
  }

  protected scanOf(type: ScalarType, operator: BinaryOperator, kind: Kind): Promise<Scan> {
    const { session } = this;
    const key = keyOf("scan", operatorKey(operator, type), { ...kind, transform: kind.transform?.wgsl });
    return session.compiled(key, () =>
      createScan(session.gpu, { type, operator, ...kind }, session.strategy),
    );
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

  #scan<T extends ScalarType>(
    of: GpuVector,
    operator: BinaryOperator,
    { type = of.type as T, ...kind }: TypedKind<T>,
    init?: number,
    teller?: GpuVector,
  ): Promise<GpuVector<T>> {
    const vectors = teller ? [of, teller] : [of];
    return this.using(vectors, async (turn) => {
      const pieces = this.pieces(vectors);
      const continues = pieces.length > 1;
      const [scan, inputs] = await turn.ready(
        Promise.all([
          this.scanOf(type, operator, continues ? { ...kind, continues } : kind),
          this.pieceReaders(pieces, vectors),
        ]),
      );
      const { recorder } = this.session;
      return this.produce({ type, length: of.length, components: 1 }, (output) => {
        const carries = continues ? carriesOf(recorder) : undefined;
        this.encodePieces(kind.reverse ? pieces.toReversed() : pieces, (piece, k) => {
          const [input, segments] = inputs[kind.reverse ? pieces.length - 1 - k : k].map((read) => read());
          const operands = { input, segments, output: windowOf(output, piece), init };
          scan.record(recorder, { ...operands, ...carries?.(k) });
        });
      });
    });
  }
}
