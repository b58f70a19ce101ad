import type { ScanByKeyRequest, ScansBackend } from "../../core/primitives/backend.ts";
import type { Operator } from "../../core/primitives/functions.ts";
import { isLocating, resultType } from "../../core/primitives/operators.ts";
import type { HostArray, ScalarType } from "../../core/primitives/vector.ts";
import { transformed } from "./functions.ts";
import { scanPositions } from "./locate.ts";
import { scanWords } from "./scan.ts";
import { type CpuSegments, eachSegment, type IsHead, isHeadOf } from "./segments.ts";
import { type CpuVector, type NewVector, newWords, ownWords } from "./vector.ts";

interface Scan extends ScanByKeyRequest {
  readonly type: ScalarType;
  readonly operator: Operator;
}

const isFirst: IsHead = (i) => i === 0;

/** Scans, whole and by segment. */
export const cpuScans = (newVector: NewVector): ScansBackend => ({
  scan(vector: CpuVector, operator, { type, transform, ...request }) {
    const words = transform ? transformed(type, transform, vector.words()) : ownWords(vector);
    const scan = { type, operator, ...request };
    return newVector(resultType(operator, type), scannedSegments(words, scan, isFirst));
  },

  scanByKey<T extends ScalarType, O extends Operator>(
    segments: CpuSegments,
    values: CpuVector<T>,
    operator: O,
    request: ScanByKeyRequest,
  ) {
    const { type } = values;
    const scan = { type, operator, ...request };
    const words = ownWords(values);
    return newVector(resultType(operator, type), scannedSegments(words, scan, isHeadOf(segments)));
  },
});

/** The scan of each segment of words, in place where elements are combined. */
function scannedSegments<R extends ScalarType>(words: HostArray, scan: Scan, isHead: IsHead): HostArray<R>;
function scannedSegments(
  words: HostArray,
  { type, operator, isExclusive: exclusive, reverse, init }: Scan,
  isHead: IsHead,
): HostArray {
  const { length } = words;
  const kind = { type, exclusive, reverse, init };
  if (!isLocating(operator)) {
    eachSegment(length, isHead, (from, to) => scanWords(words, from, to, { operator, ...kind }));
    return words;
  }
  const positions = newWords("u32", length);
  eachSegment(length, isHead, (from, to) => scanPositions(positions, words, from, to, { operator, ...kind }));
  return positions;
}
