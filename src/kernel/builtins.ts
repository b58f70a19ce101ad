/**
 * The built-in functions of kernels: WGSL's, by its names, with f64 wherever f32 is, and tests for NaN and infinity beside
 * them. A row says which types a function takes; what it computes is each target's affair.
 */
import {
  bool,
  type Extent,
  elementType,
  matrixOf,
  type Scalar,
  scalarOf,
  type Type,
  u32,
  vectorOf,
} from "./types.ts";

/**
 * A type that follows from T, the type that the function is called with: T itself, the scalar of T's components, booleans
 * in T's shape ("mask"), the transposed matrix, or a fixed type.
 */
export type BuiltinSlot =
  | "T"
  | "scalar"
  | "T or scalar"
  | "mask"
  | "mask or bool"
  | "transposed"
  | "bool"
  | "u32";

export interface Builtin {
  readonly name: string;
  /** The scalars that T may consist of. */
  readonly scalars: readonly Scalar[];
  readonly shape: "scalar or vector" | "vector" | "vec3" | "matrix" | "square matrix";
  readonly parameters: Readonly<Record<string, BuiltinSlot>>;
  readonly result: Exclude<BuiltinSlot, "T or scalar" | "mask or bool">;
}

export interface BuiltinOverload {
  readonly parameters: readonly Type[];
  readonly result: Type;
}

const floats = ["f32", "f64"] as const;
const integers = ["i32", "u32"] as const;
const numbers = [...floats, ...integers] as const;

const table = new Map<string, Builtin>();

function define(
  names: string,
  scalars: readonly Scalar[],
  parameters: Builtin["parameters"],
  result: Builtin["result"] = "T",
  shape: Builtin["shape"] = "scalar or vector",
): void {
  for (const name of names.split(" ")) table.set(name, { name, scalars, shape, parameters, result });
}

define("abs", numbers, { x: "T" });
define("sign", [...floats, "i32"], { x: "T" });
define("min max", numbers, { a: "T", b: "T" });
define("clamp", numbers, { x: "T", low: "T", high: "T" });
define("floor ceil round trunc fract", floats, { x: "T" });
define("sqrt inverseSqrt exp exp2 log log2", floats, { x: "T" });
define("sin cos tan asin acos atan sinh cosh tanh asinh acosh atanh", floats, { x: "T" });
define("pow", floats, { base: "T", exponent: "T" });
define("atan2", floats, { y: "T", x: "T" });
define("mix", floats, { a: "T", b: "T", t: "T or scalar" });
define("step", floats, { edge: "T", x: "T" });
define("smoothstep", floats, { low: "T", high: "T", x: "T" });
define("fma", floats, { a: "T", b: "T", c: "T" });
define("select", [...numbers, "bool"], { otherwise: "T", value: "T", condition: "mask or bool" });
define("all any", ["bool"], { x: "T" }, "bool");
define("isNan isInf isFinite", floats, { x: "T" }, "mask");

define("dot", numbers, { a: "T", b: "T" }, "scalar", "vector");
define("cross", floats, { a: "T", b: "T" }, "T", "vec3");
define("length", floats, { x: "T" }, "scalar");
define("distance", floats, { a: "T", b: "T" }, "scalar");
define("normalize", floats, { x: "T" }, "T", "vector");
define("transpose", floats, { m: "T" }, "transposed", "matrix");
define("determinant", floats, { m: "T" }, "scalar", "square matrix");

define(
  "countOneBits countLeadingZeros countTrailingZeros firstLeadingBit firstTrailingBit reverseBits",
  integers,
  { x: "T" },
);
define("extractBits", integers, { x: "T", offset: "u32", count: "u32" });
define("insertBits", integers, { x: "T", bits: "T", offset: "u32", count: "u32" });

/** Every built-in function by its name. */
export const builtins: ReadonlyMap<string, Builtin> = table;

const extents: readonly Extent[] = [2, 3, 4];

function typesOf({ shape, scalars }: Builtin): Type[] {
  return scalars.flatMap((scalar): Type[] => {
    const vectors = extents.map((size) => vectorOf(scalar, size));
    if (shape === "scalar or vector") return [elementType(scalar), ...vectors];
    if (shape === "vector") return vectors;
    if (shape === "vec3") return [vectorOf(scalar, 3)];
    if (scalar !== "f32" && scalar !== "f64") return [];
    const pairs = extents.flatMap((columns) => extents.map((rows) => [columns, rows] as const));
    return pairs
      .filter(([columns, rows]) => shape === "matrix" || columns === rows)
      .map(([columns, rows]) => matrixOf(scalar, columns, rows));
  });
}

function slotTypes(slot: BuiltinSlot, t: Type): Type[] {
  const scalar = elementType(scalarOf(t) ?? "f32");
  const mask = elementType("bool", t.kind === "vector" ? t.size : 1);
  const isScalar = t.kind === "scalar";
  switch (slot) {
    case "T":
      return [t];
    case "scalar":
      return [scalar];
    case "T or scalar":
      return isScalar ? [t] : [t, scalar];
    case "mask":
      return [mask];
    case "mask or bool":
      return isScalar ? [bool] : [mask, bool];
    case "transposed":
      return t.kind === "matrix" ? [matrixOf(t.scalar, t.rows, t.columns)] : [];
    case "bool":
      return [bool];
    case "u32":
      return [u32];
  }
}

const known = new Map<Builtin, readonly BuiltinOverload[]>();

/** Every combination of types that the function takes, with the type of its result. */
export function overloadsOf(builtin: Builtin): readonly BuiltinOverload[] {
  const found = known.get(builtin);
  if (found) return found;
  const overloads = typesOf(builtin).flatMap((t) => {
    const [result] = slotTypes(builtin.result, t);
    const parameters = Object.values(builtin.parameters).reduce<Type[][]>(
      (lists, slot) => lists.flatMap((list) => slotTypes(slot, t).map((type) => [...list, type])),
      [[]],
    );
    return parameters.map((list) => ({ parameters: list, result }));
  });
  known.set(builtin, overloads);
  return overloads;
}

const slotText: Readonly<Record<BuiltinSlot, string>> = {
  T: "T",
  scalar: "T's scalar",
  "T or scalar": "T or T's scalar",
  mask: "bools in T's shape",
  "mask or bool": "bool or bools in T's shape",
  transposed: "T transposed",
  bool: "bool",
  u32: "u32",
};

/** As messages show it: `clamp(x: T, low: T, high: T) with T a scalar or vector of f32, f64, i32 or u32`. */
export function signatureText({ name, parameters, scalars, shape }: Builtin): string {
  const list = Object.entries(parameters).map(([parameter, slot]) => `${parameter}: ${slotText[slot]}`);
  const last = scalars.at(-1)!;
  const among = scalars.length > 1 ? `${scalars.slice(0, -1).join(", ")} or ${last}` : last;
  return `${name}(${list.join(", ")}) with T a ${shape} of ${among}`;
}
