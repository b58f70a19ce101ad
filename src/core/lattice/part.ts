import type { ElementRange } from "./layers.ts";
import type { Numbers, Pass } from "./model.ts";

/** Numbers by the names that kernels have for them. */
export type PassConstants = Readonly<Record<string, number | readonly number[]>>;

/** Elements of an array, which do not go on behind the last of all. */
export interface Piece extends ElementRange {
  readonly array: string;
}

/**
 * Some elements of a model's arrays on some device, those of `held`, which begin as zeros. Elements are those of the whole lattice, and so are the
 * numbers that kernels have for them. Calls are done in their order; what does not return a promise may be done later.
 */
export interface LatticePart {
  readonly held: ElementRange;
  /** Sums that are kept at most until `takeSums`. */
  readonly maxSums: number;
  /** Elements that a call computes at most before others have to get a turn in this thread, if it takes the thread's time. */
  readonly elementsAtATime: number | undefined;
  /** Computes a pass of the plan's starts, sweep or brush. */
  change(pass: Pass, elements: ElementRange, constants: PassConstants): void;
  /** Takes the plan's sums over elements. */
  sum(elements: ElementRange, constants: PassConstants): void;
  /** The sums that were taken since the last call. */
  takeSums(): Promise<readonly Numbers[]>;
  /** The words of elements, piece after piece, when all that was asked for before is done. */
  read(pieces: readonly Piece[]): Promise<Uint32Array<ArrayBuffer>>;
  write(pieces: readonly Piece[], words: Uint32Array<ArrayBuffer>): void;
  /** Values of one of the plan's fields at sites, whose elements are held. */
  field(name: string, sites: ElementRange): Promise<Int8Array<ArrayBuffer> | Float32Array<ArrayBuffer>>;
  dispose(): void;
}
