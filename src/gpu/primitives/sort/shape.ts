/** Threads of every workgroup: one a digit of 8 bits. */
export const threads = 256;
export const digitBits = 8;

/** How the sort's kernels are laid out on a device. */
export interface TileShape {
  readonly subgroups: boolean;
  /** Keys of a thread: a tile is 256 times as many. */
  readonly items: number;
  /** Rows of digit counts that subgroups share in turns. */
  readonly rows: number;
  /** 32-bit words of a ballot that can be other than 0. */
  readonly ballotWords: 1 | 4;
}

export const tileSize = (shape: TileShape): number => threads * shape.items;

/** The largest tile that the device's workgroup memory holds. */
export function tileShape(device: GPUDevice, subgroups: boolean): TileShape {
  const roomy = device.limits.maxComputeWorkgroupStorageSize >= 32768;
  const widest = device.adapterInfo?.subgroupMaxSize ?? 128;
  const ballotWords = widest > 0 && widest <= 32 ? 1 : 4;
  if (!subgroups) return { subgroups, items: 9, rows: 0, ballotWords };
  return { subgroups, items: roomy ? 15 : 7, rows: roomy ? 8 : 4, ballotWords };
}

/** WGSL of `line` for each item of a thread: registers need constant indices. */
export const eachItem = (shape: TileShape, line: (item: number) => string): string =>
  Array.from({ length: shape.items }, (_, item) => line(item)).join("\n");
