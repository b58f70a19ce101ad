import type { Centering, Triple } from "../../core/grid.ts";
import type { PooledBuffer } from "../device/pool.ts";

/**
 * A field on the GPU: one f32 plane per component, so that neighbouring threads read neighbouring words.
 * Component c of element i (x fastest) is `buffer[c · count + i] + offsets[c]`. Offsets are zero but for data
 * whose variation would drown in f32 rounding. Usage: STORAGE | COPY_SRC | COPY_DST.
 */
export interface GpuField {
  readonly name: string;
  readonly centering: Centering;
  readonly components: number;
  readonly dims: Triple;
  readonly count: number;
  readonly buffer: PooledBuffer;
  readonly offsets: readonly number[];
}
