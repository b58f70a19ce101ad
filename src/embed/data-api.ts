import type { FieldShape, GridInput, HostFieldInput, TriangleMesh, TypedArray } from "./api.ts";

/** A field as it is in the file, in the file's own type of numbers. */
export interface ReadField extends FieldShape {
  readonly data: TypedArray;
}

/** A grid with its fields, as `derive` and `prepare` of "crinkle" take them. */
export interface GridData {
  readonly kind: "grid";
  readonly name: string;
  readonly grid: GridInput;
  readonly fields: Readonly<Record<string, ReadField>>;
  /** Sentences about what the reader had to decide. */
  readonly notes: readonly string[];
}

export interface PointData {
  readonly kind: "points";
  readonly name: string;
  /** 2: every z is 0. */
  readonly dimensions: 2 | 3;
  /** x, y and z of each point. */
  readonly positions: Float64Array;
  readonly columns: Readonly<Record<string, { readonly components: number; readonly data: TypedArray }>>;
  readonly notes: readonly string[];
}

/** What a file of bare numbers lacks: x runs fastest, then y. */
export interface RawDescription {
  /** Points along x, y and z. */
  readonly dims: readonly [number, number, number];
  readonly dtype: "i8" | "u8" | "i16" | "u16" | "i32" | "u32" | "i64" | "u64" | "f32" | "f64";
  /** "little" where it is left out. */
  readonly byteOrder?: "little" | "big";
  /** Numbers of each point, one after the other: 1 where it is left out. */
  readonly components?: number;
  /** Bytes before the first number: 0 where it is left out. */
  readonly headerBytes?: number;
  readonly spacing?: readonly [number, number, number];
  readonly origin?: readonly [number, number, number];
}

export interface ReadDataOptions {
  /** The file's name, whose extension decides where the first bytes do not; that of a File where it is left out. */
  readonly name?: string;
  /** Describes a file of bare numbers, whose field is then called “values”. */
  readonly raw?: RawDescription;
  /** Files that the one being read may refer to, by their names (.nhdr, .mhd and .hdr do). */
  readonly companions?: Readonly<Record<string, Blob | Uint8Array>>;
  readonly signal?: AbortSignal;
  /** `fraction` in [0, 1] of what `step` names. */
  readonly onProgress?: (fraction: number, step: string) => void;
}

/** What is written: a grid, its fields, and a name for it. */
export interface WrittenGrid {
  readonly grid: GridInput;
  readonly fields: Readonly<Record<string, HostFieldInput>>;
  readonly name?: string;
}

/** .vti holds uniform grids, .vtr all; .npy holds the values of one field. */
export type GridFormat = "vti" | "vtr" | "npy";

export type MeshFileFormat = "stl" | "ply" | "obj" | "glb" | "vtp";

export interface WriteMeshOptions {
  /** What the mesh's scalars are called, in formats that name them. */
  readonly scalarName?: string;
  readonly signal?: AbortSignal;
}

/** The bytes of a file. */
export type FileBytes = Uint8Array<ArrayBuffer>;

export type { TriangleMesh };
