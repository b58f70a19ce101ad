import { checkSameLength, checkScalar, checkScanType, checkSegments } from "../../core/primitives/checks.ts";
import type { BinaryOperator } from "../../core/primitives/functions.ts";
import type {
  ExclusiveScanByKeyOptions,
  KeysAndValues,
  ScanByKeyOptions,
  ScanOptions,
  Segments,
} from "../../core/primitives/primitives.ts";
import type { ScalarType, Vector } from "../../core/primitives/vector.ts";
import { CpuElementwise } from "./elementwise.ts";
import { mappedWords } from "./mapped.ts";
import { gatheredWords } from "./move.ts";
import { reduceWords, rounded, type Scan, scanWords } from "./scan.ts";
import { eachSegment, headsByFlags, headsByKeys, type IsHead, segmentStarts } from "./segments.ts";
import { newWords } from "./vector.ts";

type Kind = Pick<Scan, "exclusive" | "init">;

/** Scans, whole and by segment, and what is done with runs of equal neighbours. */
export class CpuScans extends CpuElementwise {
  async inclusiveScan<T extends ScalarType, R extends ScalarType = T>(
    vector: Vector<T>,
    operator: BinaryOperator,
    options?: ScanOptions<R>,
  ): Promise<Vector<R>> {
    return this.#scan("inclusiveScan", vector, operator, { exclusive: false }, options);
  }

  async exclusiveScan<T extends ScalarType, R extends ScalarType = T>(
    vector: Vector<T>,
    operator: BinaryOperator,
    init?: number,
    options?: ScanOptions<R>,
  ): Promise<Vector<R>> {
    return this.#scan("exclusiveScan", vector, operator, { exclusive: true, init }, options);
  }

  async inclusiveScanByKey<T extends ScalarType>(
    segments: Segments,
    values: Vector<T>,
    operator: BinaryOperator,
    { reverse }: ScanByKeyOptions = {},
  ): Promise<Vector<T>> {
    return this.#scanByKey("inclusiveScanByKey", segments, values, operator, { exclusive: false }, reverse);
  }

  async exclusiveScanByKey<T extends ScalarType>(
    segments: Segments,
    values: Vector<T>,
    operator: BinaryOperator,
    { reverse, init }: ExclusiveScanByKeyOptions = {},
  ): Promise<Vector<T>> {
    const kind = { exclusive: true, init };
    return this.#scanByKey("exclusiveScanByKey", segments, values, operator, kind, reverse);
  }

  async reduceByKey<K extends ScalarType, V extends ScalarType>(
    keys: Vector<K>,
    values: Vector<V>,
    operator: BinaryOperator,
  ): Promise<KeysAndValues<K, V>> {
    const what = "reduceByKey";
    const { keyWords, starts, isHead } = this.#runs(what, keys, values);
    const source = this.readScalar(what, "values", values);
    const sums = newWords(values.type, starts.length);
    const combine = rounded(values.type, operator);
    let run = 0;
    eachSegment(source.length, isHead, (from, to) => {
      sums[run++] = reduceWords(values.type, source, combine, from, to);
    });
    return {
      keys: this.own(keys.type, gatheredWords(keys.type, starts, keyWords, 1)),
      values: this.own(values.type, sums),
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
    const teller = "heads" in segments ? segments.heads : segments.keys;
    const read = this.read(what, "heads" in segments ? "heads" : "keys", teller);
    checkSegments(what, segments, name, vector);
    return "heads" in segments ? headsByFlags(read.words()) : headsByKeys(read.words());
  }

  #scan<T extends ScalarType, R extends ScalarType>(
    what: string,
    vector: Vector<T>,
    operator: BinaryOperator,
    kind: Kind,
    options: ScanOptions<R> = {},
  ): Vector<R> {
    const of = this.read(what, "vector", vector);
    checkScalar(what, "vector", vector);
    const type = checkScanType(what, vector, options) as R;
    const { reverse, transform } = options;
    const words = mappedWords(type, [of.words()], transform ? (x) => transform.js(x) : (x) => x);
    scanWords(words, 0, words.length, { type, operator, reverse, ...kind });
    return this.own(type, words);
  }

  #scanByKey<T extends ScalarType>(
    what: string,
    segments: Segments,
    values: Vector<T>,
    operator: BinaryOperator,
    kind: Kind,
    reverse: boolean | undefined,
  ): Vector<T> {
    const of = this.read(what, "values", values);
    checkScalar(what, "values", values);
    const isHead = this.heads(what, segments, "values", values);
    const words = this.copied(of);
    const scan = { type: of.type, operator, reverse, ...kind };
    eachSegment(words.length, isHead, (from, to) => scanWords(words, from, to, scan));
    return this.own(of.type, words);
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
