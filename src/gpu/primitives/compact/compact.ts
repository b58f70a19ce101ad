import { badArgument } from "../../../core/primitives/checks.ts";
import { add } from "../../../core/primitives/operators.ts";
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
import type { PrimitiveStrategy } from "../base/strategy.ts";
import { createScan } from "../scan/scan.ts";
import { chainedCode, spineWords } from "./chained.ts";
import { type CompactKernel, chainedShape, plainShape, tileSize } from "./options.ts";
import { countTilesCode, writeTilesCode } from "./two-pass.ts";

export type { CompactKernel, SelectionKind } from "./options.ts";

export interface CompactOperands {
  /** Elements of the kernel's words. */
  readonly input: View;
  /** u32, one an element, where the kernel selects by it. */
  readonly stencil?: View;
  /** In another buffer than what is read. Elements that it has no room for are left out, though counted. */
  readonly output: View;
  /** Where the number of selected (or kept) elements goes: one u32, in a buffer of its own. */
  readonly kept: View;
  /** The input's length where it is left out. */
  readonly count?: Count;
}

export interface Compact {
  /** Encodes it. Throws BadArgument or TooLarge before it records anything. */
  record(recorder: Recorder, operands: CompactOperands): void;
}

/**
 * Copies selected elements (or those that are not) in their order, or all: the selected ones, then the others in
 * theirs. Chained: one dispatch; a predicate takes 4 bytes an element and 4 a kept one, a stencil 4 an element and
 * 8 for each word of a kept one. Elsewhere, and for both, what selects is read twice: 4 bytes an element more.
 * BadArgument: a predicate of elements of several words. `silent` makes every so manyth tile of a
 * chained compaction post nothing: a simulated stall.
 */
export async function createCompact(
  gpu: GpuContext,
  kernel: CompactKernel,
  strategy: PrimitiveStrategy,
  silent = 0,
): Promise<Compact> {
  const { words, selection, keeps } = kernel;
  if (![1, 2, 3, 4].includes(words) || (words > 1 && selection !== "stencil")) {
    throw badArgument(
      `Elements of ${words} words cannot be selected by ${selection === "stencil" ? "a stencil" : `“${selection.where.name}”`}.`,
      "Select elements of 2 to 4 words by a stencil; predicates take one word.",
    );
  }
  const { subgroups } = strategy;
  const isChained = subgroups && strategy.scan === "chained" && keeps !== "both";
  const shape = isChained ? chainedShape(gpu) : plainShape(gpu, subgroups);
  const [pipelines, scan] = await Promise.all([
    compile(),
    isChained ? undefined : createScan(gpu, { type: "u32", operator: add }, strategy),
  ]);

  async function compile(): Promise<readonly GPUComputePipeline[]> {
    const codes: readonly (readonly [entryPoint: string, code: string])[] = isChained
      ? [["compact", chainedCode(kernel, shape)]]
      : [
          ["count_tiles", countTilesCode(kernel, shape)],
          ["write_tiles", writeTilesCode(kernel, shape)],
        ];
    const label = (entryPoint: string) => `compaction: ${entryPoint}`;
    return Promise.all(
      codes.map(([entryPoint, code]) => gpu.pipelines.get({ label: label(entryPoint), code, entryPoint })),
    );
  }

  return {
    record(recorder, { input, stencil, output, kept, count = input.length }) {
      const selector = selection === "stencil" ? stencil : input;
      if (!selector) {
        throw badArgument("A compaction by a stencil was given none.", "Give it one u32 an element.");
      }
      checkView(gpu.device, "A compaction's input", input, words);
      checkView(gpu.device, "A compaction's stencil", selector);
      checkView(gpu.device, "A compaction's output", output, words);
      checkView(gpu.device, "A compaction's number of kept elements", kept);
      checkApart("A compaction", [input, selector, count], [output, kept]);
      checkApart("A compaction", [output], [kept]);
      const most = maxOf(count);
      checkAtLeast("A compaction", most, input, selector);
      checkAtLeast("A compaction", 1, kept);
      const tiles = Math.max(1, Math.ceil(most / tileSize(shape)));
      recorder.scratch(() => {
        const bound = bindCount(recorder, count);
        const [from, to] = [bindView(input, words), bindView(output, words)];
        const by = selection === "stencil" ? bindView(selector) : undefined;
        const total = bindView(kept);
        const tagged = isChained ? recorder.tagged(spineWords(tiles) * 4) : undefined;
        const parameters = recorder.parameters([
          bound.word,
          most,
          from.lead,
          by?.lead ?? 0,
          to.lead,
          output.length,
          total.lead,
          tagged?.tag ?? 0,
          keeps === "rejected" ? 1 : 0,
          silent,
        ]);
        const all = (words: GPUBuffer): Bindings => [
          parameters,
          bound.resource,
          from.resource,
          to.resource,
          by?.resource,
          { buffer: words },
          total.resource,
        ];
        if (tagged) {
          const pairs = shape.lanes === undefined ? [] : [pairsOf(recorder, selector, (by ?? from).resource)];
          recorder.dispatch(pipelines[0], [...all(tagged.buffer), ...pairs], tiles);
          return;
        }
        const counts = recorder.workspace("counts of a compaction", tiles * 4);
        const places = recorder.workspace("places of a compaction", tiles * 4);
        const [counted, placed] = [counts, places].map((buffer) => ({ buffer, offset: 0, length: tiles }));
        const read: Bindings = [
          parameters,
          bound.resource,
          by ? undefined : from.resource,
          undefined,
          by?.resource,
          { buffer: counts },
        ];
        recorder.dispatch(pipelines[0], read, tiles);
        if (tiles > 1) scan?.record(recorder, { input: counted, output: placed });
        recorder.dispatch(pipelines[1], all(tiles > 1 ? places : counts), tiles);
      });
    },
  };
}

/** The selecting words in pairs. A binding has to hold one, and where there is none it is not read. */
const pairsOf = (recorder: Recorder, selector: View, resource: GPUBufferBinding): GPUBufferBinding =>
  selector.length < 2 ? { buffer: recorder.workspace("compaction: no pairs", 8) } : resource;

/** `createCompact` that keeps both: a stable partition. `kept` gets the number of selected elements. */
export function createPartition(
  gpu: GpuContext,
  kernel: Omit<CompactKernel, "keeps">,
  strategy: PrimitiveStrategy,
): Promise<Compact> {
  return createCompact(gpu, { ...kernel, keeps: "both" }, strategy);
}
