import type { ScansBackend, VectorOwner } from "../backend.ts";
import { checkScanType } from "../checks.ts";
import type { Primitives } from "../primitives.ts";
import { checkHeldScalar, checkHeldSegments } from "./operands.ts";

type Scans = Pick<
  Primitives,
  "inclusiveScan" | "exclusiveScan" | "inclusiveScanByKey" | "exclusiveScanByKey"
>;

/** Scans, whole and by segment. */
export const checkedScans = (backend: VectorOwner & ScansBackend): Scans => ({
  async inclusiveScan(vector, operator, options = {}) {
    checkHeldScalar(backend, "inclusiveScan", "vector", vector);
    const type = checkScanType("inclusiveScan", vector, options);
    const { reverse, transform } = options;
    return backend.scan(vector, operator, { isExclusive: false, type, reverse, transform });
  },

  async exclusiveScan(vector, operator, init, options = {}) {
    checkHeldScalar(backend, "exclusiveScan", "vector", vector);
    const type = checkScanType("exclusiveScan", vector, options);
    const { reverse, transform } = options;
    return backend.scan(vector, operator, { isExclusive: true, type, reverse, transform, init });
  },

  async inclusiveScanByKey(segments, values, operator, { reverse } = {}) {
    checkHeldScalar(backend, "inclusiveScanByKey", "values", values);
    checkHeldSegments(backend, "inclusiveScanByKey", segments, "values", values);
    return backend.scanByKey(segments, values, operator, { isExclusive: false, reverse });
  },

  async exclusiveScanByKey(segments, values, operator, { reverse, init } = {}) {
    checkHeldScalar(backend, "exclusiveScanByKey", "values", values);
    checkHeldSegments(backend, "exclusiveScanByKey", segments, "values", values);
    return backend.scanByKey(segments, values, operator, { isExclusive: true, reverse, init });
  },
});
