import type { BoundCount } from "../../compute/count.ts";
import type { Recorder } from "../../compute/recorder.ts";
import { bindView, type View } from "../../compute/view.ts";
import { countThreads } from "./kernels/count-digits.ts";
import { typeNumbers } from "./ordered-bits.ts";
import { type PassParameters, passWords } from "./parameters.ts";
import type {
  InOrderPipelines,
  KeysPasses,
  SortPipelines,
  SweepPasses,
  SweepPipelines,
} from "./pipelines.ts";
import { digitBits, digits, maxPasses, sweepSize, type TileShape, threads, tileSize } from "./shape.ts";

/** Workgroups that share the tiles at most: enough to fill a large GPU, few enough to scan their counts at once. */
const maxGroups = 1024;
/** Workgroups that count all digits, and that clear words, at most. */
const maxCounting = 2048;
const maxClearing = 4096;

export interface PassesRequest {
  readonly count: BoundCount;
  readonly keys: View;
  readonly sorted: View;
  readonly values: View | "indices" | undefined;
  readonly sortedValues: View | undefined;
  readonly keyType: number;
  readonly complement: number;
  readonly bits: readonly [from: number, to: number];
  /** Where every other pass writes to; workspace where it is left out. */
  readonly between?: Ends;
}

export interface Ends {
  readonly keys: View;
  readonly values: View;
}

interface Pass {
  readonly parameters: PassParameters;
  readonly keys: GPUBufferBinding;
  readonly sorted: GPUBufferBinding;
  /** Values read and written, where keys have them. */
  readonly values: readonly GPUBufferBinding[];
}

/**
 * One pass a digit of the window, the least first; between the caller's keys and results they go to and fro between
 * the results and the workspace. A window of no bits is one pass that copies.
 */
export function recordPasses(
  recorder: Recorder,
  pipelines: SortPipelines,
  shape: TileShape,
  request: PassesRequest,
): void {
  if (pipelines.sweep && request.count.max <= sweepSize(pipelines.sweep.lone)) {
    recordLone(recorder, pipelines.sweep, request);
    return;
  }
  const record = pipelines.sweep
    ? sweeping(recorder, pipelines.sweep, request)
    : inOrder(recorder, pipelines.inOrder!, shape, request);
  for (const pass of passesOf(recorder, request)) record(pass);
}

function* passesOf(recorder: Recorder, request: PassesRequest): Generator<Pass> {
  const { count, bits } = request;
  const passes = passCount(bits);
  const areOrdered = request.keyType === typeNumbers.u32 && request.complement === 0;
  const spare = (label: string): View => ({
    buffer: recorder.workspace(label, 4 * count.max),
    offset: 0,
    length: count.max,
  });
  const withValues = request.sortedValues !== undefined;
  const result: Ends = { keys: request.sorted, values: request.sortedValues ?? request.sorted };
  const between: Ends | undefined =
    passes === 1
      ? undefined
      : (request.between ?? {
          keys: spare("sort: keys"),
          values: withValues ? spare("sort: values") : request.keys,
        });
  const given = typeof request.values === "object" ? request.values : request.keys;
  let from: Ends = { keys: request.keys, values: given };
  for (let pass = 0; pass < passes; pass++) {
    const to = between && (passes - pass) % 2 === 0 ? between : result;
    const shift = bits[0] + pass * digitBits;
    const [keys, sorted] = [bindView(from.keys), bindView(to.keys)];
    const [values, sortedValues] = [bindView(from.values), bindView(to.values)];
    yield {
      parameters: {
        countWord: count.word,
        maxCount: count.max,
        shift: Math.min(shift, 31),
        mask: 2 ** Math.min(digitBits, bits[1] - shift) - 1,
        keyType: request.keyType,
        complement: request.complement,
        encode: pass === 0 && !areOrdered,
        decode: pass === passes - 1 && !areOrdered,
        iota: pass === 0 && request.values === "indices",
        keysLead: keys.lead,
        sortedLead: sorted.lead,
        valuesLead: values.lead,
        sortedValuesLead: sortedValues.lead,
        groups: 0,
        passNumber: pass,
        lastBit: bits[1],
      },
      keys: keys.resource,
      sorted: sorted.resource,
      values: withValues ? [values.resource, sortedValues.resource] : [],
    };
    from = to;
  }
}

const passCount = (bits: readonly [from: number, to: number]): number =>
  Math.max(1, Math.ceil((bits[1] - bits[0]) / digitBits));

/** One dispatch: what fits one workgroup needs no other. */
function recordLone(recorder: Recorder, pipelines: SweepPipelines, request: PassesRequest): void {
  const { count, bits, sortedValues } = request;
  const [keys, sorted] = [bindView(request.keys), bindView(request.sorted)];
  const values = typeof request.values === "object" ? bindView(request.values) : keys;
  const valuesTo = sortedValues && bindView(sortedValues);
  const words = recorder.parameters(
    passWords({
      countWord: count.word,
      maxCount: count.max,
      shift: bits[0],
      mask: 0,
      keyType: request.keyType,
      complement: request.complement,
      encode: true,
      decode: true,
      iota: request.values === "indices",
      keysLead: keys.lead,
      sortedLead: sorted.lead,
      valuesLead: values.lead,
      sortedValuesLead: valuesTo?.lead ?? 0,
      groups: passCount(bits),
      passNumber: 0,
      lastBit: bits[1],
    }),
  );
  recorder.dispatch(
    valuesTo ? pipelines.lonePairs : pipelines.loneKeys,
    [
      words,
      count.resource,
      keys.resource,
      sorted.resource,
      ...(valuesTo ? [values.resource, valuesTo.resource] : []),
    ],
    1,
  );
}

/** Reduce-then-scan: digits are counted before each pass, and no workgroup waits for another. */
function inOrder(
  recorder: Recorder,
  pipelines: InOrderPipelines,
  shape: TileShape,
  { count }: PassesRequest,
): (pass: Pass) => void {
  const groups = Math.min(maxGroups, Math.ceil(count.max / tileSize(shape)));
  const counts = { buffer: recorder.workspace("sort: digit counts", 4 * threads * groups) };
  const totals = { buffer: recorder.workspace("sort: digit totals", 4 * threads) };
  return ({ parameters, keys, sorted, values }) => {
    const words = recorder.parameters(passWords({ ...parameters, groups }));
    recorder.dispatch(pipelines.count, [words, count.resource, keys, counts], groups);
    recorder.dispatch(pipelines.scan, [words, counts, totals], threads);
    recorder.dispatch(
      values.length > 0 ? pipelines.scatterPairs : pipelines.scatterKeys,
      [words, count.resource, keys, sorted, counts, totals, ...values],
      groups,
    );
  };
}

/** OneSweep: all digits are counted before the first pass. */
function sweeping(
  recorder: Recorder,
  pipelines: SweepPipelines,
  request: PassesRequest,
): (pass: Pass) => void {
  const { count, bits } = request;
  const passes = passCount(bits);
  const isWhole = !request.sortedValues && bits[0] === 0 && bits[1] === 32;
  const whole = isWhole ? pipelines.wholeKeys : undefined;
  const sweeps = request.sortedValues ? pipelines.pairs : pipelines.keys;
  const tiles = Math.ceil(count.max / (whole ?? sweeps).size);
  const sizeOfCounts = 4 * maxPasses * digits;
  const sizeOfStates = 4 * digits * tiles;
  const cleared = recorder.workspace("sort: counts and states", sizeOfCounts + sizeOfStates * passes);
  const counts = { buffer: cleared, offset: 0, size: sizeOfCounts };
  return ({ parameters, keys, sorted, values }) => {
    if (parameters.passNumber === 0) {
      const length = (sizeOfCounts + sizeOfStates * passes) / 4;
      recorder.dispatch(
        pipelines.clear,
        [recorder.parameters([length]), { buffer: cleared }],
        Math.min(maxClearing, Math.ceil(length / countThreads)),
      );
      const counting = recorder.parameters(passWords({ ...parameters, groups: passes }));
      const groups = Math.min(maxCounting, Math.ceil(count.max / (4 * countThreads)));
      recorder.dispatch(pipelines.count, [counting, count.resource, keys, counts], groups);
      recorder.dispatch(pipelines.scan, [counts], passes);
    }
    const words = recorder.parameters(passWords(parameters));
    const own = {
      buffer: cleared,
      offset: sizeOfCounts + sizeOfStates * parameters.passNumber,
      size: sizeOfStates,
    };
    recorder.dispatch(
      whole ? keysPassOf(whole, parameters) : passOf(sweeps, parameters),
      [words, count.resource, keys, sorted, counts, own, ...values],
      tiles,
    );
  };
}

/** Whether a pass reads ordered keys, writes ordered keys, and moves values that are not the elements' indices. */
const areOrdered = ({ encode, decode, iota }: PassParameters): boolean => !encode && !decode && !iota;

const passOf = ({ any, ordered }: SweepPasses, pass: PassParameters): GPUComputePipeline =>
  areOrdered(pass) ? ordered : any;

/** Keys that are equal in all bits are the same, whichever comes first: passes over all bits use that. */
function keysPassOf(
  { first, firstOrdered, last, laterOrdered }: KeysPasses,
  pass: PassParameters,
): GPUComputePipeline {
  if (pass.passNumber === 0) return areOrdered(pass) ? firstOrdered : first;
  return areOrdered(pass) ? laterOrdered : last;
}
