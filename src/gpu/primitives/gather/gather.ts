import { badArgument } from "../../../core/primitives/checks.ts";
import { bindCount } from "../../compute/count.ts";
import type { Bindings, Recorder } from "../../compute/recorder.ts";
import {
  bindView,
  type Count,
  checkApart,
  checkAtLeast,
  checkView,
  maxOf,
  type View,
} from "../../compute/view.ts";
import type { GpuContext } from "../../device/context.ts";
import { checkCode, checkedPerThread, gatherCode, perThread, scatterCode, threads } from "./code.ts";

export interface GatherOperands {
  /** u32 indices into the source. */
  readonly map: View;
  readonly source: View;
  /** In a buffer that is not read. */
  readonly output: View;
  /** Where a stencil was asked for: u32, and what the output has where it is 0. */
  readonly stencil?: View;
  readonly fallback?: View;
  /** The map's length where it is left out. */
  readonly count?: Count;
  /** Index of the source's first element, where it is a part of what the map leads to. */
  readonly first?: number;
}

export interface ScatterOperands {
  readonly source: View;
  /** u32 indices into the target. */
  readonly map: View;
  /** Changed at the indices; in a buffer that is not read. */
  readonly target: View;
  readonly stencil?: View;
  readonly count?: Count;
  /** Index of the target's first element, where it is a part of what the map leads to. */
  readonly first?: number;
}

export interface IndexCheckOperands {
  readonly map: View;
  /** What indices have to be below. */
  readonly length: number;
  /** Where the first bad position goes, 2³² − 1 where there is none: one u32. */
  readonly bad: View;
  /** Where a stencil was asked for: indices whose u32 is 0 are passed over. */
  readonly stencil?: View;
  readonly count?: Count;
}

/** A movement of elements through a map. */
export interface Movement<Operands> {
  /** Encodes it. Throws BadArgument or TooLarge before it records anything. */
  record(recorder: Recorder, operands: Operands): void;
}

/**
 * output[i] = source[map[i]], elements of 1 to 4 words; an index out of range gives zeros. 4 bytes for each index and
 * 8 for each word, the reads wherever the indices say. A kernel of parts gathers from a long vector part after part:
 * the first gives the zeros, the others leave alone what is not theirs.
 */
export async function createGather(
  gpu: GpuContext,
  words: number,
  hasStencil = false,
  isPart = false,
): Promise<Movement<GatherOperands>> {
  checkWords(words);
  const code = gatherCode(words, hasStencil, isPart);
  const pipeline = await gpu.pipelines.get({ label: `gather of ${words}`, code, entryPoint: "gather" });
  return {
    record(recorder, { map, source, output, stencil, fallback, count = map.length, first = 0 }) {
      const max = maxOf(count);
      checkStencil("A gather", hasStencil, stencil !== undefined && fallback !== undefined);
      const single = stencil ? [map, stencil] : [map];
      const others = fallback ? [output, fallback] : [output];
      check(gpu, "A gather", max, single, [source, ...others], words, others);
      checkApart("A gather", [...single, source, ...(fallback ? [fallback] : []), count], [output]);
      const [from, to, other] = [source, output, fallback].map((view) => view && bindView(view, words));
      move(recorder, pipeline, max * words, { map, stencil, count }, (bound) => ({
        words: [from!.lead, source.length, to!.lead, other?.lead ?? 0, first],
        resources: [from!.resource, to!.resource, bound, other?.resource],
      }));
    },
  };
}

/**
 * target[map[i]] = source[i], elements of 1 to 4 words; an index out of range is passed over, and where indices repeat
 * one of the elements wins, a word at a time. 4 bytes for each index and 8 for each word. A kernel of parts scatters to
 * a part of a long vector.
 */
export async function createScatter(
  gpu: GpuContext,
  words: number,
  hasStencil = false,
  isPart = false,
): Promise<Movement<ScatterOperands>> {
  checkWords(words);
  const code = scatterCode(words, hasStencil, isPart);
  const pipeline = await gpu.pipelines.get({ label: `scatter of ${words}`, code, entryPoint: "scatter" });
  return {
    record(recorder, { source, map, target, stencil, count = map.length, first = 0 }) {
      const max = maxOf(count);
      checkStencil("A scatter", hasStencil, stencil !== undefined);
      const single = stencil ? [map, stencil] : [map];
      check(gpu, "A scatter", max, single, [source, target], words, [source]);
      checkApart("A scatter", [...single, source, count], [target]);
      const [from, to] = [source, target].map((view) => bindView(view, words));
      move(recorder, pipeline, max * words, { map, stencil, count }, (bound) => ({
        words: [from.lead, target.length, to.lead, 0, first],
        resources: [from.resource, to.resource, bound],
      }));
    },
  };
}

/** Finds the first index of a map that is out of range: 4 bytes an index, and 4 with a stencil. */
export async function createIndexCheck(
  gpu: GpuContext,
  hasStencil = false,
): Promise<Movement<IndexCheckOperands>> {
  const [clear, find] = await Promise.all(
    ["clear_bad", "find_bad"].map((entryPoint) =>
      gpu.pipelines.get({ label: `indices: ${entryPoint}`, code: checkCode(hasStencil), entryPoint }),
    ),
  );
  return {
    record(recorder, { map, length, bad, stencil, count = map.length }) {
      const max = maxOf(count);
      checkStencil("A check of indices", hasStencil, stencil !== undefined);
      const single = stencil ? [map, stencil] : [map];
      check(gpu, "A check of indices", max, single, [], 1, []);
      checkView(gpu.device, "The place of a bad index", { ...bad, length: 1 });
      checkApart("A check of indices", [...single, count], [bad]);
      recorder.scratch(() => {
        const counted = bindCount(recorder, count);
        const [from, to] = [map, bad].map((view) => bindView(view));
        const by = stencil && bindView(stencil);
        const parameters = recorder.parameters([
          counted.word,
          max,
          from.lead,
          by?.lead ?? 0,
          0,
          length,
          to.lead,
          0,
        ]);
        recorder.dispatch(clear, [parameters, undefined, undefined, to.resource], 1);
        recorder.dispatch(
          find,
          [parameters, counted.resource, from.resource, to.resource, by?.resource],
          Math.ceil(max / (threads * checkedPerThread)),
        );
      });
    },
  };
}

interface Mapping {
  readonly map: View;
  readonly stencil: View | undefined;
  readonly count: Count;
}

function move(
  recorder: Recorder,
  pipeline: GPUComputePipeline,
  max: number,
  { map, stencil, count }: Mapping,
  rest: (stencil: GPUBufferBinding | undefined) => { words: readonly number[]; resources: Bindings },
): void {
  if (max === 0) return;
  recorder.scratch(() => {
    const counted = bindCount(recorder, count);
    const [through, where] = [map, stencil].map((view) => view && bindView(view));
    const { words, resources } = rest(where?.resource);
    const parameters = recorder.parameters([
      counted.word,
      counted.max,
      through!.lead,
      where?.lead ?? 0,
      ...words,
    ]);
    recorder.dispatch(
      pipeline,
      [parameters, counted.resource, through!.resource, ...resources],
      Math.ceil(max / (threads * perThread)),
    );
  });
}

/** `single` have elements of one word, `elements` of several; what has to be as long as the count is `single` and `whole`. */
function check(
  gpu: GpuContext,
  what: string,
  max: number,
  single: readonly View[],
  elements: readonly View[],
  words: number,
  whole: readonly View[],
): void {
  for (const view of single) checkView(gpu.device, `${what}'s view`, view);
  for (const view of elements) checkView(gpu.device, `${what}'s view`, view, words);
  checkAtLeast(what, max, ...single, ...whole);
}

function checkStencil(what: string, wanted: boolean, given: boolean): void {
  if (wanted === given) return;
  throw badArgument(
    `${what} was made ${wanted ? "with" : "without"} a stencil and was given ${given ? "one" : "none"}.`,
    "Give it what it was made for.",
  );
}

function checkWords(words: number): void {
  if (Number.isInteger(words) && words >= 1 && words <= 4) return;
  throw badArgument(`An element has ${words} words.`, "Elements have 1 to 4 words.");
}
