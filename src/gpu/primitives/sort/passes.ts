import type { BoundCount } from "../base/count.ts";
import type { Recorder } from "../base/recorder.ts";
import { bindView, type View } from "../base/view.ts";
import { type PassParameters, passWords } from "./parameters.ts";
import type { SortPipelines } from "./pipelines.ts";
import { digitBits, type TileShape, threads, tileSize } from "./shape.ts";

/** Workgroups that share the tiles at most: enough to fill a large GPU, few enough to scan their counts at once. */
const mostGroups = 1024;

export interface PassesRequest {
  readonly count: BoundCount;
  readonly keys: View;
  readonly sorted: View;
  readonly values: View | "indices" | undefined;
  readonly sortedValues: View | undefined;
  readonly keyType: number;
  readonly complement: number;
  readonly bits: readonly [from: number, to: number];
}

interface Ends {
  readonly keys: View;
  readonly values: View;
}

/**
 * One pass a digit of the window, the least first; between the caller's keys and results they go to and fro between
 * the results and the workspace. A window of no bits is one pass that copies. Reduce-then-scan: no workgroup waits.
 */
export function recordPasses(
  recorder: Recorder,
  pipelines: SortPipelines,
  shape: TileShape,
  request: PassesRequest,
): void {
  const { count, bits } = request;
  const passes = Math.max(1, Math.ceil((bits[1] - bits[0]) / digitBits));
  const groups = Math.min(mostGroups, Math.ceil(count.most / tileSize(shape)));
  const counts = recorder.workspace("sort: digit counts", 4 * threads * groups);
  const totals = recorder.workspace("sort: digit totals", 4 * threads);
  const spare = (label: string): View => ({
    buffer: recorder.workspace(label, 4 * count.most),
    offset: 0,
    length: count.most,
  });
  const withValues = request.sortedValues !== undefined;
  const result: Ends = { keys: request.sorted, values: request.sortedValues ?? request.sorted };
  const between: Ends | undefined =
    passes === 1
      ? undefined
      : { keys: spare("sort: keys"), values: withValues ? spare("sort: values") : request.keys };
  const given = typeof request.values === "object" ? request.values : request.keys;
  let from: Ends = { keys: request.keys, values: given };
  for (let pass = 0; pass < passes; pass++) {
    const to = between && (passes - pass) % 2 === 0 ? between : result;
    const shift = bits[0] + pass * digitBits;
    const [keys, sorted] = [bindView(from.keys), bindView(to.keys)];
    const [values, sortedValues] = [bindView(from.values), bindView(to.values)];
    const parameters: PassParameters = {
      countWord: count.word,
      countMost: count.most,
      shift: Math.min(shift, 31),
      width: Math.min(digitBits, bits[1] - shift),
      keyType: request.keyType,
      complement: request.complement,
      encode: pass === 0,
      decode: pass === passes - 1,
      iota: pass === 0 && request.values === "indices",
      keysLead: keys.lead,
      sortedLead: sorted.lead,
      valuesLead: values.lead,
      sortedValuesLead: sortedValues.lead,
      groups,
    };
    const words = recorder.parameters(passWords(parameters));
    recorder.dispatch(pipelines.count, [words, count.resource, keys.resource, { buffer: counts }], groups);
    recorder.dispatch(pipelines.scan, [words, { buffer: counts }, { buffer: totals }], threads);
    const bindings = [
      words,
      count.resource,
      keys.resource,
      sorted.resource,
      { buffer: counts },
      { buffer: totals },
    ];
    if (withValues) {
      const both = [...bindings, values.resource, sortedValues.resource];
      recorder.dispatch(pipelines.scatterPairs, both, groups);
    } else {
      recorder.dispatch(pipelines.scatterKeys, bindings, groups);
    }
    from = to;
  }
}
