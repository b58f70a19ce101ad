import type { RunsBackend } from "../../core/primitives/backend.ts";
import type { Operator } from "../../core/primitives/functions.ts";
import { isLocating, resultType } from "../../core/primitives/operators.ts";
import type { HostArray, ScalarType } from "../../core/primitives/vector.ts";
import { combination } from "../../kernel/element-functions.ts";
import { locateWords } from "./locate.ts";
import { gatheredWords } from "./move.ts";
import { reduceWords } from "./scan.ts";
import { eachSegment, headsByKeys, segmentStarts } from "./segments.ts";
import { type CpuVector, type NewVector, newWords } from "./vector.ts";

/** What is done with runs of equal neighbours. */
export function cpuRuns(newVector: NewVector): RunsBackend {
  const gathered = <T extends ScalarType>(
    starts: Uint32Array,
    type: T,
    words: HostArray<T>,
    components = 1,
  ) => newVector(type, gatheredWords(type, starts, words, components), components);
  return {
    reduceByKey<K extends ScalarType, V extends ScalarType, O extends Operator>(
      keys: CpuVector<K>,
      values: CpuVector<V>,
      operator: O,
    ) {
      const { words, isHead, starts } = runsOf(keys);
      const type = resultType(operator, values.type);
      const results = newWords(type, starts.length);
      const reduceRun = reducerOf(values.type, values.words(), operator);
      let run = 0;
      eachSegment(words.length, isHead, (from, to) => {
        results[run++] = reduceRun(from, to);
      });
      return { keys: gathered(starts, keys.type, words), values: newVector(type, results) };
    },

    runLengthEncode<T extends ScalarType>(keys: CpuVector<T>) {
      const { words, starts } = runsOf(keys);
      const lengths = starts.map((start, run) => (starts[run + 1] ?? words.length) - start);
      return { keys: gathered(starts, keys.type, words), values: newVector("u32", lengths) };
    },

    uniqueByKey<K extends ScalarType, V extends ScalarType>(keys: CpuVector<K>, values: CpuVector<V>) {
      const { words, starts } = runsOf(keys);
      return {
        keys: gathered(starts, keys.type, words),
        values: gathered(starts, values.type, values.words(), values.components),
      };
    },

    unique<T extends ScalarType>(keys: CpuVector<T>) {
      const { words, starts } = runsOf(keys);
      return gathered(starts, keys.type, words);
    },
  };
}

/** Runs of equal neighbouring keys. */
function runsOf<K extends ScalarType>(keys: CpuVector<K>) {
  const words = keys.words();
  const isHead = headsByKeys(words);
  return { words, isHead, starts: segmentStarts(words.length, isHead) };
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
