import {
  checkSameLength,
  checkScalar,
  checkScanType,
  checkSegments,
} from "../../../core/primitives/checks.ts";
import type { BinaryOperator } from "../../../core/primitives/functions.ts";
import type {
  ExclusiveScanByKeyOptions,
  KeysAndValues,
  ScanByKeyOptions,
  ScanOptions,
  Segments,
} from "../../../core/primitives/primitives.ts";
import type { ScalarType, Vector } from "../../../core/primitives/vector.ts";
import { createGather } from "../gather/gather.ts";
import {
  createReduceByKey,
  createRunLengthEncode,
  createUnique,
  createUniqueByKey,
  type Runs,
} from "../runs/runs.ts";
import type { ScanKernel } from "../scan/options.ts";
import { createScan, type Scan } from "../scan/scan.ts";
import { keyOf, operatorKey } from "./kernels.ts";
import { GpuReductions } from "./reductions.ts";
import type { Reader } from "./sources.ts";
import type { GpuVector } from "./vector.ts";
import { memoryOf } from "./vectors.ts";

type Kind = Omit<ScanKernel, "type" | "operator">;
type TypedKind<T extends ScalarType> = Kind & { readonly type?: T };

/** Scans, whole and by segment, and what is done with runs of equal neighbours. */
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

  async reduceByKey<K extends ScalarType, V extends ScalarType>(
    keys: Vector<K>,
    values: Vector<V>,
    operator: BinaryOperator,
  ): Promise<KeysAndValues<K, V>> {
    const what = "reduceByKey";
    const [k, v] = this.#pairs(what, keys, values);
    checkScalar(what, "values", values);
    const { gpu, strategy } = this.session;
    const key = keyOf(what, k.type, operatorKey(operator, v.type));
    return this.#runs(k, v.type, v, () =>
      this.session.compiled(key, () => createReduceByKey(gpu, k.type, v.type, operator, strategy)),
    );
  }

  async runLengthEncode<T extends ScalarType>(vector: Vector<T>): Promise<KeysAndValues<T, "u32">> {
    const what = "runLengthEncode";
    const keys = this.readScalar(what, "keys", vector);
    const { gpu, strategy } = this.session;
    return this.#runs(keys, "u32", undefined, () =>
      this.session.compiled(keyOf(what, keys.type), () => createRunLengthEncode(gpu, keys.type, strategy)),
    );
  }

  async uniqueByKey<K extends ScalarType, V extends ScalarType>(
    keys: Vector<K>,
    values: Vector<V>,
  ): Promise<KeysAndValues<K, V>> {
    const what = "uniqueByKey";
    const [k, v] = this.#pairs(what, keys, values);
    const compile = () =>
      this.session.compiled(keyOf(what, k.type), () =>
        createUniqueByKey(this.session.gpu, k.type, this.session.strategy),
      );
    if (v.components === 1) return this.#runs(k, v.type, v, compile);
    const { type, components } = v;
    const { session } = this;
    const indices = this.read(what, "indices", this.counting("u32", k.length));
    return this.using([k, v], async (turn) => {
      const [runs, [readKeys, readIndices, source], gather] = await turn.ready(
        Promise.all([
          compile(),
          this.readers(k, indices, v),
          session.compiled(keyOf("gather", components, false), () => createGather(session.gpu, components)),
        ]),
      );
      const { keys: kept, values: firsts } = await this.#runsOf(runs, k, "u32", readKeys, readIndices);
      try {
        const values = this.produce({ type, components, length: firsts.length }, (output) =>
          gather.record(session.recorder, { map: memoryOf(firsts), source: source(), output }),
        );
        return { keys: kept, values };
      } finally {
        firsts.release();
      }
    });
  }

  async unique<T extends ScalarType>(vector: Vector<T>): Promise<Vector<T>> {
    const of = this.readScalar("unique", "keys", vector);
    const { session } = this;
    return this.using([of], async (turn) => {
      const [unique, keys] = await turn.ready(
        Promise.all([
          session.compiled(keyOf("unique", of.type), () =>
            createUnique(session.gpu, of.type, session.strategy),
          ),
          this.reader(of),
        ]),
      );
      const { vectors, total } = await turn.recorded(
        this.produceCounted([of], ([keysOut], runs) =>
          unique.record(session.recorder, { keys: keys(), keysOut, runs }),
        ),
      );
      return this.shortened(vectors[0], total);
    });
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
    return this.using(teller ? [of, teller] : [of], async (turn) => {
      const [scan, input, segments] = await turn.ready(
        Promise.all([this.scanOf(type, operator, kind), this.reader(of), teller && this.reader(teller)]),
      );
      return this.produce({ type, length: of.length, components: 1 }, (output) =>
        scan.record(this.session.recorder, { input: input(), segments: segments?.(), output, init }),
      );
    });
  }

  #pairs<K extends ScalarType, V extends ScalarType>(
    what: string,
    keys: Vector<K>,
    values: Vector<V>,
  ): readonly [GpuVector<K>, GpuVector<V>] {
    const read = [this.readScalar(what, "keys", keys), this.read(what, "values", values)] as const;
    checkSameLength(what, { keys, values });
    return read;
  }

  #runs<K extends ScalarType, V extends ScalarType>(
    keys: GpuVector<K>,
    type: V,
    values: GpuVector | undefined,
    compile: () => Promise<Runs>,
  ): Promise<KeysAndValues<K, V>> {
    return this.using(values ? [keys, values] : [keys], async (turn) => {
      const [runs, readKeys, readValues] = await turn.ready(
        Promise.all([compile(), this.reader(keys), values && this.reader(values)]),
      );
      return turn.recorded(this.#runsOf(runs, keys, type, readKeys, readValues));
    });
  }

  async #runsOf<K extends ScalarType, V extends ScalarType>(
    runs: Runs,
    keys: GpuVector<K>,
    type: V,
    readKeys: Reader,
    readValues: Reader | undefined,
  ): Promise<{ readonly keys: GpuVector<K>; readonly values: GpuVector<V> }> {
    const sums = { type, length: keys.length, components: 1 };
    const { vectors, total } = await this.produceCounted<K | V>([keys, sums], ([keysOut, valuesOut], count) =>
      runs.record(this.session.recorder, {
        keys: readKeys(),
        values: readValues?.(),
        keysOut,
        valuesOut,
        runs: count,
      }),
    );
    const [k, v] = vectors.map((vector) => this.shortened(vector, total));
    return { keys: k as GpuVector<K>, values: v as GpuVector<V> };
  }
}
