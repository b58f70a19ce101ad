import type { GpuContext } from "../../device/context.ts";

/** Threads of every workgroup: one a digit of 8 bits. */
export const threads = 256;
export const digitBits = 8;

/** Digits of a pass, and the most passes. */
export const digits = 2 ** digitBits;
export const maxPasses = 32 / digitBits;

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

function ballotWordsOf(info: GPUAdapterInfo | undefined): 1 | 4 {
  const widest = info?.subgroupMaxSize ?? 128;
  return widest > 0 && widest <= 32 ? 1 : 4;
}

/**
 * The largest tile that the device's workgroup memory holds. Software adapters, whose compilers take seconds for what
 * is unrolled, have small ones, here and below.
 */
export function tileShape({ device, adapter }: GpuContext, subgroups: boolean): TileShape {
  const roomy = device.limits.maxComputeWorkgroupStorageSize >= 32768;
  const ballotWords = ballotWordsOf(device.adapterInfo);
  if (!subgroups) return { subgroups, items: 9, rows: 0, ballotWords };
  if (adapter.isSoftware) return { subgroups, items: 4, rows: 4, ballotWords };
  return { subgroups, items: roomy ? 15 : 7, rows: roomy ? 8 : 4, ballotWords };
}

/** WGSL of `line` for each item of a thread: registers need constant indices. */
export const eachItem = (shape: TileShape, line: (item: number) => string): string =>
  Array.from({ length: shape.items }, (_, item) => line(item)).join("\n");

/** How the single-pass kernels are laid out: more threads where the device has the memory for their keys. */
export interface SweepShape {
  readonly threads: number;
  readonly items: number;
  /** Rows of digit counts, one a subgroup; they lie where the keys go afterwards. */
  readonly rows: number;
  /** Whether there can be more subgroups than rows, which these then share in turns. */
  readonly takesTurns: boolean;
  /**
   * Whether lanes with the same digit set bits of a mask in workgroup memory, faster than a ballot a bit: where
   * operations of a subgroup on workgroup memory are known to happen in order.
   */
  readonly usesMasks: boolean;
  readonly ballotWords: 1 | 4;
}

export const sweepSize = (shape: Pick<SweepShape, "threads" | "items">): number =>
  shape.threads * shape.items;

const softwareItems = 6;

/** Tiles of 44, 20 or 12 KiB: the longer the runs of a digit in a tile, the better they are written. */
export function sweepShape({ device, adapter }: GpuContext): SweepShape {
  const { limits, adapterInfo } = device;
  const { maxComputeWorkgroupStorageSize: bytes, maxComputeInvocationsPerWorkgroup: most } = limits;
  if (adapter.isSoftware) return rankedShape(adapterInfo, 256, softwareItems);
  if (bytes >= 49152 && most >= 512) return rankedShape(adapterInfo, 512, 22);
  return rankedShape(adapterInfo, 256, bytes >= 32768 ? 20 : 12);
}

/** How passes over all bits of keys without values are made, where subgroups are of one size. */
export interface KeysForm {
  /** One a digit at least. */
  readonly threads: number;
  readonly items: number;
  /** Tiles that look-back reads at a time. */
  readonly window: number;
  /** For tests: see `rankByArrival`. */
  readonly swapsLanes?: boolean;
}

/** The form of a device, where one was measured to be faster than that of `sweepShape`. */
export const keysForm = ({ adapterInfo }: GPUDevice): KeysForm | undefined =>
  adapterInfo?.vendor === "nvidia" ? { threads: 768, items: 15, window: 8 } : undefined;

/** A form on a device. */
export interface KeysShape extends KeysForm {
  readonly lanes: number;
  /** Rows of digit counts, and how many subgroups share one in turns. */
  readonly rows: number;
  readonly turns: number;
}

/** Undefined where the device's subgroups are not of one size, or where it has too little memory or too few threads. */
export function keysShape({ limits, adapterInfo }: GPUDevice, form: KeysForm): KeysShape | undefined {
  const { subgroupMinSize: lanes, subgroupMaxSize } = adapterInfo;
  const { threads } = form;
  if (!(lanes >= 4 && lanes <= 32 && lanes === subgroupMaxSize)) return undefined;
  // Besides the keys: a counter and a sum a digit, and some words.
  const bytes = 4 * (sweepSize(form) + 2 * digits);
  if (bytes > limits.maxComputeWorkgroupStorageSize || threads > limits.maxComputeInvocationsPerWorkgroup)
    return undefined;
  const subgroups = threads / lanes;
  const rows = Math.min(subgroups, Math.floor(sweepSize(form) / digits), 16);
  const turns = Math.ceil(subgroups / rows);
  return { ...form, lanes, rows: Math.ceil(subgroups / turns), turns };
}

/** What one workgroup sorts alone: 16 or 12 KiB, as few threads are soon done. */
export function loneShape({ device, adapter }: GpuContext): SweepShape {
  const { limits, adapterInfo } = device;
  const items = limits.maxComputeWorkgroupStorageSize >= 32768 ? 16 : 12;
  return rankedShape(adapterInfo, 256, adapter.isSoftware ? softwareItems : items);
}

function rankedShape(info: GPUAdapterInfo | undefined, threads: number, items: number): SweepShape {
  const subgroups = threads / Math.max(4, info?.subgroupMinSize || 4);
  const rows = Math.min(subgroups, Math.floor((threads * items) / digits), 16);
  const takesTurns = subgroups > rows;
  const ballotWords = ballotWordsOf(info);
  const holdsMasks = !takesTurns && ballotWords === 1 && 2 * rows * digits <= threads * items;
  return {
    threads,
    items,
    rows,
    takesTurns,
    usesMasks: holdsMasks && info?.vendor === "nvidia",
    ballotWords,
  };
}
