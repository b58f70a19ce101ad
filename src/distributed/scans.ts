import type { ScanByKeyRequest, ScanRequest, ScansBackend } from "../core/primitives/backend.ts";
import type { Operator } from "../core/primitives/functions.ts";
import type { Segments } from "../core/primitives/primitives.ts";
import type { ScalarType } from "../core/primitives/vector.ts";
import { scanned } from "./scan.ts";
import { scannedByKey } from "./scan-by-key.ts";
import type { Ranks } from "./step.ts";
import { checkOperator } from "./totals.ts";
import type { RankVector } from "./vector.ts";

/** Scans, whole and by segment. */
export const distributedScans = (ranks: Ranks): ScansBackend => ({
  scan<O extends Operator, R extends ScalarType>(vector: RankVector, operator: O, request: ScanRequest<R>) {
    checkOperator(request.type, operator);
    return ranks.run((step) => scanned(step, vector, operator, request));
  },

  scanByKey<T extends ScalarType, O extends Operator>(
    segments: Segments,
    values: RankVector<T>,
    operator: O,
    request: ScanByKeyRequest,
  ) {
    checkOperator(values.type, operator);
    return ranks.run((step) => scannedByKey(step, segments, values, operator, request));
  },
});
