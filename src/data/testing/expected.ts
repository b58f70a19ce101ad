import type { DType } from "../../core/dtype.ts";
import type { Centering } from "../../core/grid.ts";

type Formula = (i: number, j: number, k: number) => number[];

const dims = [4, 3, 2] as const;

function values([nx, ny, nz]: readonly [number, number, number], formula: Formula): number[] {
  const out: number[] = [];
  for (let k = 0; k < nz; k++)
    for (let j = 0; j < ny; j++) for (let i = 0; i < nx; i++) out.push(...formula(i, j, k));
  return out;
}

function field(name: string, centering: Centering, components: number, dtype: DType, formula: Formula) {
  const extents = centering === "node" ? dims : ([3, 2, 1] as const);
  return { name, centering, components, dtype, values: values(extents, formula) };
}

/** The values of make-fixtures.py's `add_fields`. */
export const pressure = field("pressure", "node", 1, "f32", (i, j, k) => [0.5 * i + 10 * j + 100 * k - 7]);
export const velocity = field("X Velocity", "node", 3, "f64", (i, j, k) => [i, 0 - j, k + 0.125 * i]);
export const material = field("material", "cell", 1, "u8", (i, j, k) => [i + 3 * j + 7 * k]);
export const flux = field("flux", "cell", 3, "i16", (i, j, k) => [i - 300, j, 1000 * k]);

/** `image((0, 0, 0))`: its first node lies at the origin. */
export const imageGrid = { kind: "uniform", dims: [4, 3, 2], origin: [-1, 2.5, 10], spacing: [0.5, 0.25, 2] };

/** `image()`: its extent starts at (2, 0, −1). */
export const extentGrid = { ...imageGrid, origin: [0, 2.5, 8] };

export const rectilinearGrid = {
  kind: "rectilinear",
  dims: [4, 3, 2],
  axes: [
    [0, 1, 2.5, 5],
    [-2, -1, 3],
    [10, 20],
  ],
};

const points = Array.from({ length: 12 }, (_, n) => n);
const signed = points.map((n) => 7 * n - 20);
const unsigned = points.map((n) => 19 * n);
const big = (values: readonly number[], offset: bigint) => values.map((value) => BigInt(value) + offset);

/** The values of `all_types`, by the array's name. `long` has 8 bytes where the fixtures were written. */
export const typedValues: Record<string, { dtype: DType; values: (number | bigint)[] }> = {
  char: { dtype: "i8", values: signed },
  "signed char": { dtype: "i8", values: signed },
  short: { dtype: "i16", values: signed },
  int: { dtype: "i32", values: signed },
  long: { dtype: "i64", values: big(signed, 0n) },
  "long long": { dtype: "i64", values: big(signed, 2n ** 60n) },
  "unsigned char": { dtype: "u8", values: unsigned },
  "unsigned short": { dtype: "u16", values: unsigned },
  "unsigned int": { dtype: "u32", values: unsigned },
  "unsigned long": { dtype: "u64", values: big(unsigned, 0n) },
  "unsigned long long": { dtype: "u64", values: big(unsigned, 2n ** 63n) },
  float: { dtype: "f32", values: [...Float32Array.from(points, (n) => 0.25 * n - 1e-3)] },
  double: { dtype: "f64", values: points.map((n) => 1e100 * n - 1 / 3) },
  bit: { dtype: "u8", values: points.map((n) => (n % 3 === 0 ? 1 : 0)) },
};

const numbers = [0, 1, 2, 3, 4, 5, 6];

function column(name: string, components: number, dtype: DType, formula: (n: number) => number[]) {
  return { name, components, dtype, values: numbers.flatMap(formula) };
}

/** The positions and arrays of `points`. */
export const pointPositions = numbers.flatMap((n) => [0.5 * n, (n * n) / 8 - 1, 0 - n]);
export const pointColumns = {
  mass: column("mass", 1, "f64", (n) => [1 / (n + 1)]),
  kind: column("kind", 1, "i16", (n) => [(n % 3) - 1]),
  velocity: column("velocity", 3, "f32", (n) => [n, 0 - 2 * n, 0.25]),
  red: column("red", 1, "u8", (n) => [n]),
  green: column("green", 1, "u8", (n) => [10 * n]),
  blue: column("blue", 1, "u8", (n) => [255 - n]),
};
