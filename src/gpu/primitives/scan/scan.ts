import type { GpuContext } from "../../device/context.ts";
import { bindCount } from "../base/count.ts";
import { toWord } from "../base/operator-wgsl.ts";
import type { Recorder } from "../base/recorder.ts";
import type { PrimitiveStrategy } from "../base/strategy.ts";
import { bindView, type Count, checkApart, checkView, mostOf, type View } from "../base/view.ts";
import { chainedCode, chainedSpineWords } from "./chained.ts";
import { type ScanKernel, threads, tileSize } from "./options.ts";
import { reduceThenScanCode } from "./reduce-then-scan.ts";
import { stateWords } from "./tile.ts";

export type { ScanKernel } from "./options.ts";

export interface ScanOperands {
  /** Not used where heads are counted. */
  readonly input?: View;
  /** In another buffer than everything that is read. */
  readonly output: View;
  /** Keys or head flags, where the kernel has segments. */
  readonly segments?: View;
  /** The output's length where it is left out. */
  readonly count?: Count;
  /** What exclusive scans (and their segments) begin with; the operator's identity otherwise. */
  readonly init?: number;
}

export interface Scan {
  /** Encodes the scan. Throws BadArgument or TooLarge before it records anything. */
  record(recorder: Recorder, operands: ScanOperands): void;
}

interface Pipelines {
  readonly scan: GPUComputePipeline;
  readonly clear?: GPUComputePipeline;
  readonly reduce?: GPUComputePipeline;
  readonly spine?: GPUComputePipeline;
}

/**
 * Inclusive and exclusive scans, segmented ones too, of any associative operator: what is combined stays in order.
 * Floating-point results depend on how tiles are grouped, which chained scans decide as they run; each is within
 * (45 + n / 4096) · 2⁻²⁴ of the exact one, relative to the scan of the elements' magnitudes, for sums.
 * `silent` makes every so manyth tile of a chained scan post nothing: a simulated stall.
 */
export async function createScan(
  gpu: GpuContext,
  kernel: ScanKernel,
  strategy: PrimitiveStrategy,
  silent = 0,
): Promise<Scan> {
  const isChained = strategy.scan === "chained" && strategy.subgroups;
  const [vector, scalar] = await Promise.all([true, false].map((isVector) => compile(isVector)));

  async function compile(isVector: boolean): Promise<Pipelines> {
    const code = isChained
      ? chainedCode(kernel, isVector, silent)
      : reduceThenScanCode(kernel, isVector, strategy.subgroups);
    const get = (entryPoint: string) =>
      gpu.pipelines.get({ label: `${kernel.operator.name} ${entryPoint}`, code, entryPoint });
    if (isChained) {
      const [scan, clear] = await Promise.all([get("scan_chained"), get("clear_spine")]);
      return { scan, clear };
    }
    const [scan, reduce, spine] = await Promise.all([
      get("scan_tiles"),
      get("reduce_tiles"),
      get("scan_spine"),
    ]);
    return { scan, reduce, spine };
  }

  return {
    record(recorder, { input, output, segments, count = output.length, init }) {
      const reads = [input, segments].filter((view) => view !== undefined);
      for (const view of [...reads, output]) checkView(gpu.device, "A scan's view", view);
      checkApart("A scan", reads, [output]);
      const most = Math.min(mostOf(count), ...[...reads, output].map(({ length }) => length));
      if (most === 0) return;
      const tiles = Math.ceil(most / tileSize);
      recorder.scratch(() => {
        const bound = bindCount(recorder, count);
        const [source, target, keys] = [input, output, segments].map((view) => view && bindView(view));
        const parameters = recorder.parameters([
          bound.word,
          most,
          source?.lead ?? 0,
          target!.lead,
          keys?.lead ?? 0,
          toWord(kernel.type, init ?? kernel.operator.identity(kernel.type)),
          init === undefined ? 0 : 1,
        ]);
        const words = isChained ? chainedSpineWords(tiles) : stateWords(kernel) * tiles;
        const spine = { buffer: recorder.workspace("spine of a scan", words * 4) };
        const {
          scan,
          clear,
          reduce,
          spine: scanSpine,
        } = isQuads([...reads, output], count) ? vector : scalar;
        const [from, to, by] = [source?.resource, target!.resource, keys?.resource];
        if (clear) {
          recorder.dispatch(
            clear,
            [parameters, bound.resource, undefined, undefined, undefined, spine],
            Math.ceil(words / threads),
          );
        }
        if (reduce && scanSpine && tiles > 1) {
          recorder.dispatch(reduce, [parameters, bound.resource, from, undefined, by, spine], tiles);
          recorder.dispatch(
            scanSpine,
            [parameters, bound.resource, undefined, undefined, undefined, spine],
            1,
          );
        }
        recorder.dispatch(scan, [parameters, bound.resource, from, to, by, spine], tiles);
      });
    },
  };

  /** Whether elements can be read and written four at a time. */
  function isQuads(views: readonly View[], count: Count): boolean {
    const isWhole = kernel.reverse ? typeof count === "number" && count % 4 === 0 : true;
    return isWhole && views.every(({ offset, length }) => offset % 4 === 0 && length % 4 === 0);
  }
}
