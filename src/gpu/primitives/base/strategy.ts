/** How primitives run on a device. */
export interface PrimitiveStrategy {
  /** Kernels with subgroup operations (any size from 4 to 128), or with workgroup memory alone. */
  readonly subgroups: boolean;
  /** Single-pass scans with decoupled fallback, or scans that need no progress between workgroups. */
  readonly scan: "chained" | "reduce-then-scan";
}

/** What every device can run. */
export const portableStrategy: PrimitiveStrategy = { subgroups: false, scan: "reduce-then-scan" };
