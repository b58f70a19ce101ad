/** What `import { openRanks } from "crinkle/ranks"` gives, in Node (node/ranks.ts). */

import type {
  RankedSimulated,
  RankedSimulateOptions,
  RankedVaried,
  RankedVaryOptions,
} from "./ranked-lattice.ts";

export type {
  LatticeFieldValues,
  LatticeMeasure,
  LatticeStructure,
  Simulated,
  SimulateOptions,
  Varied,
  VariedPoint,
  VaryOptions,
} from "./lattice-api.ts";
export * from "./rank-programs.ts";
export type * from "./ranked-lattice.ts";

export interface RanksOptions {
  /** Ranks in all: this process and others on this machine; 2 where it is left out. */
  readonly count?: number;
  /** What each of them computes on: a GPU where there is one ("auto"), a GPU or nothing, or the CPU. */
  readonly device?: "auto" | "gpu" | "cpu";
  /** A file or a folder that the other ranks may read; they are sent their parts of other files. The current folder. */
  readonly data?: string;
  /** A folder in which the other ranks may write pieces of files; none where it is left out. */
  readonly out?: string;
  /** Hears which processes were started. */
  log?(line: string): void;
}

/** What a file of bare numbers lacks: x runs fastest, then y. */
export interface RankedRaw {
  /** Points along x, y and z. */
  readonly dims: readonly [number, number, number];
  readonly dtype: "i8" | "u8" | "i16" | "u16" | "i32" | "u32" | "i64" | "u64" | "f32" | "f64";
  readonly byteOrder: "little" | "big";
  /** Numbers of each point, one after the other. */
  readonly components: number;
  /** Bytes before the first number. */
  readonly headerBytes: number;
  readonly spacing: readonly [number, number, number];
  readonly origin: readonly [number, number, number];
}

export interface ComputeOptions {
  /** Describes a file of bare numbers, whose field is then called “values”. */
  readonly raw?: RankedRaw;
  /**
   * The one statement that is wanted. Where it is left out, statistics and files have all results of the text, which are the
   * statements that no later one builds on, and a surface is that of the last statement.
   */
  readonly statement?: string;
  /**
   * Blocks of the grid along x, y and z, one for each rank, or "layers", as many along z as there are ranks; chosen by the grid's
   * extents where they are left out.
   */
  readonly blocks?: readonly [number, number, number] | "layers";
  /** Cancels the computation on all ranks. */
  readonly signal?: AbortSignal;
  /** Hears, before the ranks compute, that only one of them can read the file: if it is lost, they cannot begin again. */
  onWarning?(sentence: string): void;
  /** So many ranks were lost, since the call before or in the middle of this one; the others compute their parts, too. */
  onLost?(count: number): void;
}

/** Of the finite values, of the magnitude where there are several components. */
export interface RankedRange {
  /** NaN where no finite value exists. */
  readonly min: number;
  readonly max: number;
  readonly mean: number;
  readonly nan: number;
  readonly infinite: number;
  readonly count: number;
}

export type RankedValue =
  | {
      readonly kind: "field";
      readonly components: number;
      readonly centering: "node" | "cell";
      readonly statistics: RankedRange;
    }
  | {
      readonly kind: "quantity";
      readonly quantity:
        | { readonly kind: "number"; readonly components: readonly number[] }
        | {
            readonly kind: "histogram";
            readonly histogram: { readonly edges: readonly number[]; readonly counts: readonly number[] };
          };
    };

/** What evaluating an expression has moved, run and held on GPUs: 0 on a CPU. */
export interface RankedCost {
  readonly kernels: number;
  /** Arrays sent to the GPU, and arrays that came back. */
  readonly uploads: number;
  readonly downloads: number;
  readonly uploadedBytes: number;
  readonly downloadedBytes: number;
  /** The most bytes in arrays on the GPU at once. */
  readonly peakBytes: number;
}

/** What one rank did. */
export interface RankReport extends RankedCost {
  readonly rank: number;
  readonly device: string;
  /** Its cells along x, y and z, of a .npy array its elements along each axis: the first one and the one behind the last. */
  readonly block: readonly (readonly [first: number, end: number])[];
  /** The part of the grid's nodes that are its own, from 0 to 1. */
  readonly share: number;
  /** Its speed relative to the ranks' mean, where it has got its layers by that. */
  readonly speed?: number;
  /** Bytes that it passed to other ranks and got from them, and messages that it passed. */
  readonly sent: number;
  readonly received: number;
  readonly messages: number;
  /** Milliseconds. `pack`: it put messages together and took them apart; `wait`: others had yet to begin a call that needs them. */
  readonly ms: {
    readonly read: number;
    readonly compute: number;
    readonly pack: number;
    readonly send: number;
    readonly wait: number;
  };
  /** What it read of files: its part of the fields and the header, or the whole of a file that has no parts. */
  readonly bytesRead: number;
}

/** A time during which a rank did one thing, in milliseconds of this process's clock (performance.now). */
export interface RankSpan {
  readonly activity: keyof RankReport["ms"];
  /** A collective's, such as "allgather", or what was computed. */
  readonly name: string;
  readonly start: number;
  readonly end: number;
  /** What a call has moved, on the last of its spans. */
  readonly traffic?: Pick<RankReport, "sent" | "received" | "messages">;
}

/** The first 4096 spans of each rank, one after the other. */
export type RankTrace = readonly (readonly RankSpan[])[];

export interface RankedStatistics {
  /** In the order of the text. */
  readonly results: readonly { readonly name: string; readonly value: RankedValue }[];
  readonly origin: "read by each rank" | "sent by the host";
  readonly ranks: readonly RankReport[];
  readonly trace: RankTrace;
  readonly notes: readonly string[];
}

type Point = readonly [x: number, y: number, z: number];

/** Through `origin`, across `normal` (any length but 0); its positive side is the one that `normal` points to. */
export interface RankedPlane {
  readonly origin: Point;
  readonly normal: Point;
}

/** A surface of the values of an expression, or one that cuts the grid. Lengths are in the grid's units. */
export type RankedShape =
  | {
      readonly kind: "isosurface";
      /** 1 to 32. */
      readonly isovalues: readonly number[];
      /** Of ambiguous cells: the table's (where it is left out), or the trilinear interpolant's. */
      readonly topology?: "table" | "trilinear";
    }
  /** The outside of the cells whose corners all lie in the closed range. */
  | { readonly kind: "threshold"; readonly range: readonly [low: number, high: number] }
  | {
      readonly kind: "cut";
      readonly by:
        | { readonly kind: "plane"; readonly plane: RankedPlane }
        | { readonly kind: "sphere"; readonly center: Point; readonly radius: number };
    }
  /** Across axis 0, 1 or 2 at a coordinate. */
  | { readonly kind: "slice"; readonly axis: number; readonly position: number };

export interface SurfaceOptions extends ComputeOptions {
  /** An expression of a scalar to give each vertex, which may read the statements. */
  readonly colorBy?: string;
  /** Keeps only the plane's positive side. */
  readonly clip?: RankedPlane;
  /**
   * Facets and normals the other way. Where it is left out, isosurfaces and cuts by planes face lower values (against the plane's
   * normal), thresholds and spheres outwards, slices along their axis.
   */
  readonly reverseFacets?: boolean;
  /**
   * "manual": each rank makes its part alone, with ghost layers around it; "distributed": all ranks make the whole by one
   * algorithm over vectors that have a part on each, in layers along z, which the trilinear interpolant's topology has not. Both
   * give the same surface. "manual" where it is left out.
   */
  readonly form?: "manual" | "distributed";
}

export interface RankedSurface {
  readonly name: string;
  /** The whole surface, as one rank would make it: what neighbours have in common is there once. */
  readonly mesh: {
    /** xyz for each vertex, in the grid's units. */
    readonly positions: Float32Array;
    /** Unit vectors, xyz for each vertex. */
    readonly normals: Float32Array;
    readonly scalars: Float32Array | undefined;
    /** Three vertices for each triangle. */
    readonly indices: Uint32Array;
  };
  readonly origin: RankedStatistics["origin"];
  readonly ranks: readonly (RankReport & { readonly triangles: number })[];
  readonly trace: RankTrace;
  readonly notes: readonly string[];
}

/** A surface whose parts are in files of the ranks that made them. */
export interface RankedPieces {
  readonly name: string;
  readonly triangles: number;
  /** Those on a border between ranks count for both. */
  readonly vertices: number;
  readonly area: number;
  /** xmin, xmax, ymin, ymax, zmin, zmax; null where there are no triangles. */
  readonly bounds: readonly [number, number, number, number, number, number] | null;
  readonly origin: RankedStatistics["origin"];
  readonly ranks: RankedSurface["ranks"];
  readonly trace: RankTrace;
  readonly notes: readonly string[];
}

export interface NeighborsOptions extends Omit<ComputeOptions, "statement" | "raw" | "blocks"> {
  /** So many neighbours of each point at most, up to 1024; all within the radius where it is left out. */
  readonly k?: number;
  /** Neighbours at most so far away; at any distance where it is left out. */
  readonly radius?: number;
}

export interface RankedNeighbors {
  readonly points: number;
  readonly dimensions: 2 | 3;
  /**
   * Neighbours of point i are those from starts[i] to starts[i + 1]: the nearest first, of equally near ones the one that comes
   * first in the file.
   */
  readonly starts: Uint32Array;
  /** Points by their place in the file, from 0; those without finite coordinates do not count. */
  readonly ids: Uint32Array;
  readonly distances: Float64Array;
  /**
   * Of each point the number of its neighbours, divided by the volume (in two dimensions the area) of the ball that reaches to the
   * last of them, or of the radius where it has fewer than k within.
   */
  readonly densities: Float32Array;
  readonly origin: RankedStatistics["origin"];
  /** How many points each rank searched. */
  readonly ranks: readonly (Omit<RankReport, "block" | "share" | "speed" | "bytesRead" | keyof RankedCost> & {
    readonly points: number;
  })[];
  readonly trace: RankTrace;
  readonly notes: readonly string[];
}

export interface TransformOptions extends Omit<ComputeOptions, "statement"> {
  /** The one field that is wanted; all where it is left out. */
  readonly field?: string;
}

/** What a layout transform has made of fields. */
export interface RankedTransform {
  /** The shape before and after: "[8,8,8,float32]". */
  readonly from: string;
  readonly to: string;
  /** Where each element comes from: "out[z, y, x] = in[z, y, (x + 3) mod 8]". */
  readonly formula: string;
  readonly isBijection: boolean;
  readonly fields: readonly { readonly name: string; readonly components: number }[];
  readonly origin: RankedStatistics["origin"];
  readonly ranks: readonly RankReport[];
  readonly trace: RankTrace;
}

/** This process and others of this machine, which compute together. */
export interface Ranks {
  /**
   * Range and mean of each result of a text over a file's fields, or the number that it is; each rank computes its part of the
   * grid, and reads once for all of them. Rejects with what reading and evaluating throw (CrinkleError), and with Cancelled.
   */
  statistics(path: string, expression: string, options?: ComputeOptions): Promise<RankedStatistics>;
  /**
   * Like `statistics`, and writes the values of the results that are fields: this process alone where the file is .vti, .vtr or
   * .npy, each rank its own piece beside the index where it is .pvti or .pvtr. Rejects with BadArgument where all are numbers, and
   * for .npy where several are fields.
   */
  writeField(
    path: string,
    expression: string,
    file: string,
    options?: ComputeOptions,
  ): Promise<RankedStatistics>;
  /**
   * A surface of an expression's values, or through the grid, where the expression's statements are only for `colorBy`; each
   * rank makes a part on its own device. Rejects as `statistics`, and with BadArgument where the shape has no such form.
   */
  surface(
    path: string,
    expression: string,
    shape: RankedShape,
    options?: SurfaceOptions,
  ): Promise<RankedSurface>;
  /**
   * A surface that is nowhere as a whole: each rank writes what it makes as a piece (.vtp) beside the index, which is .pvtp.
   * `scalarName` names the scalars in the files: `colorBy` where it is left out. Rejects as `surface`, and with BadArgument in
   * the distributed form, whose parts are not apart.
   */
  writeSurface(
    path: string,
    expression: string,
    shape: RankedShape,
    index: string,
    options?: SurfaceOptions & { readonly scalarName?: string },
  ): Promise<RankedPieces>;
  /**
   * The neighbours of each point of a file: k, or all within a radius, or both. The ranks build one KD-tree of the points, of which
   * each has a part. Coordinates are taken in single precision, relative to the middle of their bounds. Rejects with
   * BadArgument where neither is given or the file holds a grid, with what reading throws, and with Cancelled.
   */
  neighbors(path: string, options: NeighborsOptions): Promise<RankedNeighbors>;
  /**
   * Rearranges the values of a grid's fields, or a .npy array of any number of axes, by a layout transform, such as
   * "shift(x, -3) | crinkle(y, 2)", and writes the result as `writeField` writes fields. Each rank reads its block, of an array layers
   * across an axis; what the map moves to another rank is all that travels. Rejects with
   * SyntaxError and UnknownName for the text, with BadArgument where it does not fit the grid or the file does not hold its result, with
   * what reading throws, and with Cancelled.
   */
  transform(
    path: string,
    transform: string,
    file: string,
    options?: TransformOptions,
  ): Promise<RankedTransform>;
  /**
   * Runs a model on a lattice of which each rank has layers across the slowest axis, and measures it: the states are those of
   * `lattice.simulate` with the same seed, bit for bit. Rejects with what that throws.
   */
  simulate(model: string, options: RankedSimulateOptions): Promise<RankedSimulated>;
  /**
   * Measures a model at several values of a parameter and on several sizes, as `lattice.vary` does with the same seeds, each run on one of the
   * ranks. Rejects with what that throws.
   */
  vary(model: string, options: RankedVaryOptions): Promise<RankedVaried>;
  /** Ends the other processes. */
  close(): Promise<void>;
}

/** Starts ranks on this machine. Rejects with Unreachable where one of them cannot be started. */
export declare function openRanks(options?: RanksOptions): Promise<Ranks>;
