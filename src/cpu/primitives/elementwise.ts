import { checkSameLength, checkScalar, checkType, checkZip } from "../../core/primitives/checks.ts";
import type {
  BinaryOperator,
  NaryFunction,
  Operator,
  Predicate,
  UnaryFunction,
} from "../../core/primitives/functions.ts";
import { edgesOf, evenBins } from "../../core/primitives/histogram.ts";
import { argmax, argmin, isLocating } from "../../core/primitives/operators.ts";
import type { HostArray, ScalarType, Vector } from "../../core/primitives/vector.ts";
import { combination } from "../../kernel/element-functions.ts";
import { test, transformed, zipped } from "./functions.ts";
import { CpuKernels } from "./kernel-methods.ts";
import { positionIn } from "./locate.ts";
import { countingWords, reversedWords } from "./move.ts";
import { reduceWithInit } from "./scan.ts";
import { countWhere, evenCounts, extremes, rangeCounts } from "./summary.ts";
import { newWords } from "./vector.ts";
import { filled } from "./vectors.ts";

/** What is made an element at a time, and what sums elements up. */
export class CpuElementwise extends CpuKernels {
  async fill<T extends ScalarType>(type: T, length: number, value: number): Promise<Vector<T>> {
    this.checkRoom("fill", length);
    return this.own(type, filled(type, length, value));
  }

  async sequence<T extends ScalarType>(type: T, length: number, start = 0, step = 1): Promise<Vector<T>> {
    this.checkRoom("sequence", length);
    return this.own(type, countingWords(type, length, start, step));
  }

  async generate<T extends ScalarType>(type: T, length: number, f: UnaryFunction): Promise<Vector<T>> {
    this.checkRoom("generate", length);
    const indices = newWords("u32", length);
    for (let i = 0; i < length; i++) indices[i] = i;
    return this.own(type, transformed(type, f, indices));
  }

  async copy<T extends ScalarType>(vector: Vector<T>): Promise<Vector<T>> {
    const of = this.read("copy", "vector", vector);
    this.checkRoom("copy", of.length, of.components);
    return this.own(of.type, this.copied(of), of.components);
  }

  async reverse<T extends ScalarType>(vector: Vector<T>): Promise<Vector<T>> {
    const { type, components, words, length } = this.read("reverse", "vector", vector);
    this.checkRoom("reverse", length, components);
    return this.own(type, reversedWords(type, words(), components), components);
  }

  async transform<T extends ScalarType>(vector: Vector, f: UnaryFunction, type: T): Promise<Vector<T>> {
    const source = this.readScalar("transform", "vector", vector);
    return this.own(type, transformed(type, f, source));
  }

  async zip<T extends ScalarType>(vectors: readonly Vector[], f: NaryFunction, type: T): Promise<Vector<T>> {
    const read = vectors.map((vector, k) => this.read("zip", `vector ${k}`, vector));
    checkZip("zip", read);
    const sources = read.map((vector) => vector.words());
    return this.own(type, zipped(type, f, sources));
  }

  async reduce(vector: Vector, operator: Operator, init?: number): Promise<number> {
    return reduced(vector.type, this.readScalar("reduce", "vector", vector), operator, init);
  }

  async transformReduce(
    vector: Vector,
    f: UnaryFunction,
    operator: Operator,
    init?: number,
    type = vector.type,
  ): Promise<number> {
    const source = this.readScalar("transformReduce", "vector", vector);
    return reduced(type, transformed(type, f, source), operator, init);
  }

  async innerProduct(
    a: Vector,
    b: Vector,
    combine: BinaryOperator,
    pair: BinaryOperator,
    init?: number,
  ): Promise<number> {
    const what = "innerProduct";
    const [x, y] = [this.readScalar(what, "a", a), this.readScalar(what, "b", b)];
    checkSameLength(what, { a, b });
    checkType(what, "b", b, a.type);
    const products = newWords(a.type, x.length);
    const product = combination(a.type, pair);
    for (let i = 0; i < x.length; i++) products[i] = product(x[i], y[i]);
    return reduceWithInit(a.type, products, combine, init);
  }

  async minmax(vector: Vector): Promise<readonly [min: number, max: number]> {
    const words = this.readScalar("minmax", "vector", vector);
    return extremes(words);
  }

  async argmin(vector: Vector): Promise<number> {
    return reduced(vector.type, this.readScalar("argmin", "vector", vector), argmin);
  }

  async argmax(vector: Vector): Promise<number> {
    return reduced(vector.type, this.readScalar("argmax", "vector", vector), argmax);
  }

  async count(vector: Vector, value: number): Promise<number> {
    const [element] = filled(vector.type, 1, value);
    return countWhere(this.readScalar("count", "vector", vector), (x) => x === element);
  }

  async countIf(vector: Vector, predicate: Predicate): Promise<number> {
    return countWhere(this.readScalar("countIf", "vector", vector), test(predicate, vector.type));
  }

  async all(vector: Vector, predicate: Predicate): Promise<boolean> {
    return this.readScalar("all", "vector", vector).every(test(predicate, vector.type));
  }

  async any(vector: Vector, predicate: Predicate): Promise<boolean> {
    return this.readScalar("any", "vector", vector).some(test(predicate, vector.type));
  }

  async none(vector: Vector, predicate: Predicate): Promise<boolean> {
    return !this.readScalar("none", "vector", vector).some(test(predicate, vector.type));
  }

  async histogramEven(vector: Vector, low: number, high: number, bins: number): Promise<Vector<"u32">> {
    const what = "histogramEven";
    const read = this.read(what, "vector", vector);
    checkScalar(what, "vector", vector);
    const even = evenBins(vector.type, low, high, bins);
    this.checkRoom(what, bins);
    return this.own("u32", evenCounts(read.words(), even));
  }

  async histogramRange(vector: Vector, edges: readonly number[]): Promise<Vector<"u32">> {
    const read = this.read("histogramRange", "vector", vector);
    checkScalar("histogramRange", "vector", vector);
    const elements = edgesOf(vector.type, edges);
    return this.own("u32", rangeCounts(read.words(), elements, edges.length - 1));
  }
}

/** Elements combined, or the position of one, −1 where nothing is found. */
function reduced(type: ScalarType, words: HostArray, operator: Operator, init?: number): number {
  if (isLocating(operator)) return positionIn(words, { type, operator, init });
  return reduceWithInit(type, words, operator, init);
}
