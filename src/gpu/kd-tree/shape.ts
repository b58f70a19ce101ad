/** What a build is made for. */
export interface BuildShape {
  /** Coordinates of a point: 2 or 3. */
  readonly dimensions: 2 | 3;
  /** Whether each node takes its points' widest axis, and stores it; otherwise axes alternate. */
  readonly isWidest: boolean;
  readonly subgroups: boolean;
  /** Points of a segment that one workgroup divides alone, to the last one: a multiple of `threads`. */
  readonly lone: number;
}

/** Threads of every workgroup. */
export const threads = 256;

/** Points of a tile, and words of their bits. */
export const tileSize = 2048;
export const tileWords = tileSize / 32;

/** Segments of more points are divided by many workgroups, though there be memory for them. */
const maxAlone = 1024;

/**
 * The most points that a workgroup has the memory to divide alone, a power of two: 4 bytes for each axis, 8 for the
 * point and its way, 4 for its axis where that is chosen, and bits.
 */
export function lonePoints(
  limits: GPUSupportedLimits,
  dimensions: number,
  isWidest: boolean,
  wanted = maxAlone,
): number {
  const bytes = 4 * dimensions + 8 + (isWidest ? 4 : 0) + (2 * dimensions) / 8 + dimensions / 8;
  const most = (limits.maxComputeWorkgroupStorageSize - 64) / bytes;
  return Math.min(wanted, 2 ** Math.floor(Math.log2(most)));
}
