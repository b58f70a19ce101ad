import { isLocating } from "../../../core/primitives/operators.ts";
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
import { toWord } from "../base/operator-wgsl.ts";
import type { PrimitiveStrategy } from "../base/strategy.ts";
import { chainedCode } from "./chained.ts";
import { chainedSpineWords } from "./look-back.ts";
import { scansHeads, type TileKernel, type TileShape, tileShape, tileSize } from "./options.ts";
import {
  blockStates,
  reduceSpineWords,
  reduceTilesCode,
  scanTilesCode,
  spineCode,
} from "./reduce-then-scan.ts";

export interface TileOperands {
  readonly input?: View;
  readonly output?: View;
  readonly segments?: View;
  readonly keysOut?: View;
  /** Where the number of runs goes: one u32. */
  readonly runs?: View;
  readonly init?: number;
  readonly carried?: View;
  readonly carry?: View;
  /** The first element's, where positions are sought. */
  readonly firstPosition?: number;
}

/** A scan in tiles, whatever it writes. */
export interface Tiles {
  /** Encodes it. Throws BadArgument or TooLarge before it records anything. */
  record(recorder: Recorder, what: string, operands: TileOperands, count: Count): void;
}

type Pipelines = Readonly<Record<string, GPUComputePipeline>>;

/** `silent` makes every so manyth tile of a chained scan post nothing: a simulated stall. */
export async function createTiles(
  gpu: GpuContext,
  kernel: TileKernel,
  strategy: PrimitiveStrategy,
  silent = 0,
): Promise<Tiles> {
  const { subgroups } = strategy;
  const { type, operator } = kernel;
  const isChained = strategy.scan === "chained" && subgroups;
  const { isSoftware } = gpu.adapter;
  const [vector, scalar] = await Promise.all([true, false].map((isVector) => compile(shapeFor(isVector))));
  const tileElements = tileSize(shapeFor(true));
  const bindsInput = kernel.runs === "first" || !(scansHeads(kernel) || kernel.runs === "lengths");
  const readsInput = bindsInput && kernel.runs !== "first";

  function shapeFor(isVector: boolean): TileShape {
    return tileShape(kernel, isChained, { isVector, subgroups, isSoftware });
  }

  async function compile(shape: TileShape): Promise<Pipelines> {
    const codes = isChained
      ? { scan_chained: chainedCode(kernel, shape, silent) }
      : {
          reduce_tiles: reduceTilesCode(kernel, shape),
          scan_spine: spineCode(kernel, shape),
          scan_blocks: spineCode(kernel, shape),
          scan_tiles: scanTilesCode(kernel, shape),
        };
    const made = Object.entries(codes).map(async ([entryPoint, code]) => {
      const label = `${operator.name} ${entryPoint}`;
      return [entryPoint, await gpu.pipelines.get({ label, code, entryPoint })] as const;
    });
    return Object.fromEntries(await Promise.all(made));
  }

  return {
    record(recorder, what, operands, count) {
      const { input, output, segments, keysOut, runs, init, carried, carry, firstPosition = 0 } = operands;
      const reads = [input, segments].filter((view) => view !== undefined);
      const writes = [output, keysOut, runs, carry].filter((view) => view !== undefined);
      const allReads = carried ? [...reads, carried] : reads;
      const name = `${what}'s view`;
      for (const view of allReads) checkView(gpu.device, name, view);
      for (const view of writes) checkView(gpu.device, name, view);
      checkApart(what, [...allReads, count], writes);
      for (let k = 1; k < writes.length; k++) checkApart(what, writes.slice(0, k), [writes[k]]);
      const whole = [...reads, ...(kernel.runs || !output ? [] : [output])];
      const most = maxOf(count);
      checkAtLeast(what, most, ...whole);
      if (kernel.runs) checkAtLeast(what, most, ...writes.filter((view) => view !== runs));
      if (runs) checkAtLeast(what, 1, runs);
      if (most === 0 && !kernel.runs) return;
      const tiles = Math.max(1, Math.ceil(most / tileElements));
      recorder.scratch(() => {
        const bound = bindCount(recorder, count);
        const from = bindsInput && input ? bindView(input) : undefined;
        const [to, by, keysTo, total] = [output, segments, keysOut ?? carried, runs ?? carry].map(
          (view) => view && bindView(view),
        );
        const spine = isChained
          ? recorder.tagged(chainedSpineWords(kernel, tiles) * 4)
          : { buffer: recorder.workspace("spine of a scan", reduceSpineWords(kernel, tiles) * 4), tag: 0 };
        const parameters = recorder.parameters([
          bound.word,
          most,
          from?.lead ?? 0,
          to?.lead ?? 0,
          by?.lead ?? 0,
          toWord(type, init ?? (isLocating(operator) ? 0 : operator.identity(type))),
          init === undefined ? 0 : 1,
          spine.tag,
          keysTo?.lead ?? 0,
          total?.lead ?? 0,
          firstPosition,
        ]);
        const pipelines = isQuads(whole, count) ? vector : scalar;
        const states = { buffer: spine.buffer };
        const head: Bindings = [parameters, bound.resource];
        const all: Bindings = [
          ...head,
          from?.resource,
          to?.resource,
          by?.resource,
          states,
          keysTo?.resource,
          total?.resource,
        ];
        if (isChained) {
          recorder.dispatch(pipelines.scan_chained, all, tiles);
          return;
        }
        if (tiles > 1) {
          const spineOnly: Bindings = [...head, undefined, undefined, undefined, states];
          const read: Bindings = [
            ...head,
            readsInput ? from?.resource : undefined,
            undefined,
            by?.resource,
            states,
          ];
          const blocks = Math.ceil(tiles / blockStates);
          recorder.dispatch(pipelines.reduce_tiles, read, tiles);
          recorder.dispatch(pipelines.scan_spine, spineOnly, blocks);
          if (blocks > 1) recorder.dispatch(pipelines.scan_blocks, spineOnly, 1);
        }
        recorder.dispatch(pipelines.scan_tiles, all, tiles);
      });
    },
  };

  /** Whether elements can be read and written four at a time. */
  function isQuads(views: readonly View[], count: Count): boolean {
    const isWhole = kernel.reverse ? typeof count === "number" && count % 4 === 0 : true;
    return isWhole && views.every(({ offset, length }) => offset % 4 === 0 && length % 4 === 0 && length > 0);
  }
}
