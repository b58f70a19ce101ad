import { checkSameLength, checkScalar, checkScanType, checkSegments } from "../../core/primitives/checks.ts";
import type { Operator, ResultOf } from "../../core/primitives/functions.ts";
import { isLocating, resultType } from "../../core/primitives/operators.ts";
import type {
  ExclusiveScanByKeyOptions,
  KeysAndValues,
  ScanByKeyOptions,
  ScanOptions,
  Segments,
} from "../../core/primitives/primitives.ts";
import type { HostArray, ScalarType, Vector } from "../../core/primitives/vector.ts";
import { combination } from "../../kernel/element-functions.ts";
import { CpuElementwise } from "./elementwise.ts";
import { transformed } from "./functions.ts";
import { locateWords, scanPositions } from "./locate.ts";
import { gatheredWords } from "./move.ts";
import { reduceWords, type Scan, scanWords } from "./scan.ts";
import { eachSegment, headsByFlags, headsByKeys, type IsHead, segmentStarts } from "./segments.ts";
import { newWords } from "./vector.ts";

type Kind = Pick<Scan, "exclusive" | "reverse" | "init">;

/** A scan by any operator. */
type AnyScan = Omit<Scan, "operator"> & { readonly operator: Operator };

/** Scans, whole and by segment, and what is done with runs of equal neighbours. */
export class CpuScans extends CpuElementwise {
  async inclusiveScan<T extends ScalarType, O extends Operator, R extends ScalarType = T>(
    vector: Vector<T>,
    operator: O,
    options?: ScanOptions<R>,
  ): Promise<Vector<ResultOf<O, R>>> {
    return this.#scan("inclusiveScan", vector, operator, { exclusive: false }, options);
  }

  async exclusiveScan<T extends ScalarType, O extends Operator, R extends ScalarType = T>(
    vector: Vector<T>,
    operator: O,
    init?: number,
    options?: ScanOptions<R>,
  ): Promise<Vector<ResultOf<O, R>>> {
    return this.#scan("exclusiveScan", vector, operator, { exclusive: true, init }, options);
  }

  async inclusiveScanByKey<T extends ScalarType, O extends Operator>(
    segments: Segments,
    values: Vector<T>,
    operator: O,
    { reverse }: ScanByKeyOptions = {},
  ): Promise<Vector<ResultOf<O, T>>> {
    return this.#scanByKey("inclusiveScanByKey", segments, values, operator, { exclusive: false, reverse });
  }

  async exclusiveScanByKey<T extends ScalarType, O extends Operator>(
    segments: Segments,
    values: Vector<T>,
    operator: O,
    { reverse, init }: ExclusiveScanByKeyOptions = {},
  ): Promise<Vector<ResultOf<O, T>>> {
    const kind = { exclusive: true, reverse, init };
    return this.#scanByKey("exclusiveScanByKey", segments, values, operator, kind);
  }

  async reduceByKey<K extends ScalarType, V extends ScalarType, O extends Operator>(
    keys: Vector<K>,
    values: Vector<V>,
    operator: O,
  ): Promise<KeysAndValues<K, ResultOf<O, V>>> {
    const what = "reduceByKey";
    const { keyWords, starts, isHead } = this.#runs(what, keys, values);
    const source = this.readScalar(what, "values", values);
    const type = resultType(operator, values.type);
    const results = newWords(type, starts.length);
    const reduceRun = reducerOf(values.type, source, operator);
    let run = 0;
    eachSegment(source.length, isHead, (from, to) => {
      results[run++] = reduceRun(from, to);
    });
    return {
      keys: this.own(keys.type, gatheredWords(keys.type, starts, keyWords, 1)),
      values: this.own(type, results),
    };
  }

  async runLengthEncode<T extends ScalarType>(vector: Vector<T>): Promise<KeysAndValues<T, "u32">> {
    const { keyWords, starts } = this.#runs("runLengthEncode", vector);
    const lengths = starts.map((start, run) => (starts[run + 1] ?? keyWords.length) - start);
    return {
      keys: this.own(vector.type, gatheredWords(vector.type, starts, keyWords, 1)),
      values: this.own("u32", lengths),
    };
  }

  async uniqueByKey<K extends ScalarType, V extends ScalarType>(
    keys: Vector<K>,
    values: Vector<V>,
  ): Promise<KeysAndValues<K, V>> {
    const { keyWords, starts } = this.#runs("uniqueByKey", keys, values);
    const { type, components, words } = this.read("uniqueByKey", "values", values);
    return {
      keys: this.own(keys.type, gatheredWords(keys.type, starts, keyWords, 1)),
      values: this.own(type, gatheredWords(type, starts, words(), components), components),
    };
  }

  async unique<T extends ScalarType>(vector: Vector<T>): Promise<Vector<T>> {
    const { keyWords, starts } = this.#runs("unique", vector);
    return this.own(vector.type, gatheredWords(vector.type, starts, keyWords, 1));
  }

  /** Where segments begin, for a vector as long. */
  protected heads(what: string, segments: Segments, name: string, vector: Vector): IsHead {
    const descriptor = "heads" in segments ? segments.heads : segments.keys;
    const read = this.read(what, "heads" in segments ? "heads" : "keys", descriptor);
    checkSegments(what, segments, name, vector);
    return "heads" in segments ? headsByFlags(read.words()) : headsByKeys(read.words());
  }

  #scan<T extends ScalarType, O extends Operator, R extends ScalarType>(
    what: string,
    vector: Vector<T>,
    operator: O,
    kind: Kind,
    options: ScanOptions<R> = {},
  ): Vector<ResultOf<O, R>> {
    const of = this.read(what, "vector", vector);
    checkScalar(what, "vector", vector);
    const type = checkScanType(what, vector, options) as R;
    const { reverse, transform } = options;
    const words = transform ? transformed(type, transform, of.words()) : newWords(type, of.length);
    if (!transform) words.set(of.words());
    return this.#scanned(type, words, operator, { ...kind, reverse }, (i) => i === 0);
  }

  #scanByKey<T extends ScalarType, O extends Operator>(
    what: string,
    segments: Segments,
    values: Vector<T>,
    operator: O,
    kind: Kind,
  ): Vector<ResultOf<O, T>> {
    const of = this.read(what, "values", values);
    checkScalar(what, "values", values);
    const isHead = this.heads(what, segments, "values", values);
    return this.#scanned(of.type, this.copied(of), operator, kind, isHead);
  }

  /** The scan of each segment of words, which may end up in place of them. */
  #scanned<T extends ScalarType, O extends Operator>(
    type: T,
    words: HostArray<T>,
    operator: O,
    kind: Kind,
    isHead: IsHead,
  ): Vector<ResultOf<O, T>> {
    const result = resultType(operator, type);
    return this.own(result, scannedSegments(words, { type, operator, ...kind }, isHead));
  }

  /** Runs of equal neighbouring keys, and that there are as many values. */
  #runs<K extends ScalarType>(what: string, keys: Vector<K>, values?: Vector) {
    const read = this.read(what, "keys", keys);
    checkScalar(what, "keys", keys);
    if (values) {
      this.read(what, "values", values);
      checkSameLength(what, { keys, values });
    }
    const keyWords = read.words();
    const isHead = headsByKeys(keyWords);
    return { keyWords, isHead, starts: segmentStarts(keys.length, isHead) };
  }
}

/** Combines or locates words[from, to). */
function reducerOf(
  type: ScalarType,
  words: HostArray,
  operator: Operator,
): (from: number, to: number) => number {
  if (isLocating(operator)) return (from, to) => locateWords(words, from, to, { type, operator });
  const combine = combination(type, operator);
  return (from, to) => reduceWords(type, words, combine, from, to);
}

/** The scan of each segment of words, in place where elements are combined. */
function scannedSegments<R extends ScalarType>(words: HostArray, scan: AnyScan, isHead: IsHead): HostArray<R>;
function scannedSegments(words: HostArray, { operator, ...kind }: AnyScan, isHead: IsHead): HostArray {
  const { length } = words;
  if (!isLocating(operator)) {
    eachSegment(length, isHead, (from, to) => scanWords(words, from, to, { operator, ...kind }));
    return words;
  }
  const positions = newWords("u32", length);
  eachSegment(length, isHead, (from, to) => scanPositions(positions, words, from, to, { operator, ...kind }));
  return positions;
}
