/** What a build is made for. */
export interface BuildShape {
  /** Coordinates of a point: 2 or 3. */
  readonly dimensions: 2 | 3;
  /** Whether each node takes its points' widest axis, and tells it; otherwise axes alternate. */
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

/** The most points whose lists fit in a workgroup's memory: 16 bytes each, and 4 for each axis. */
export function lonePoints({ maxComputeWorkgroupStorageSize: bytes }: GPUSupportedLimits): number {
  return bytes >= 49152 ? 2048 : bytes >= 32768 ? 1024 : 512;
}
