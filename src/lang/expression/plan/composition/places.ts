import type { Centering } from "../../../../core/grid.ts";
import { binary, builtin, constant, convert, literal, position, swizzle } from "../../../../kernel/build.ts";
import type { Expression } from "../../../../kernel/ir.ts";
import type { Block } from "../../../../kernel/splice.ts";
import { bool, f32, i32, type Type, u32, vectorOf } from "../../../../kernel/types.ts";
import type { Move } from "../../filters/filter.ts";

export type Axis = 0 | 1 | 2;

/** Where a value is asked for, along x, y and z. */
export type Place =
  /** Beside the kernel's own element; beyond the border of the grid, at it. */
  | { readonly kind: "offset"; readonly by: readonly number[] }
  /** At indices (i32) inside the grid, within a distance of the kernel's own element along each direction. */
  | { readonly kind: "position"; readonly at: readonly Expression[]; readonly reach: readonly number[] };

export const ownPlace: Place = { kind: "offset", by: [0, 0, 0] };

export const axes: readonly Axis[] = [0, 1, 2];

const vec3i = vectorOf("i32", 3);
const vec3f = vectorOf("f32", 3);

/** What every stage's kernel may read of its grid; `flat_x` is true where there is one value only along x. */
export const gridConstants: Readonly<Record<string, Type>> = {
  node_dims: vec3i,
  cell_dims: vec3i,
  flat_x: bool,
  flat_y: bool,
  flat_z: bool,
  center: vec3f,
  first: vec3i,
  whole: vec3i,
  low: vec3f,
  high: vec3f,
  zero: f32,
};

export const gridConstant = (name: string): Expression => constant(name, gridConstants[name]);

/** Tells places apart, by the variables that hold their indices. */
export class PlaceKeys {
  readonly #numbers = new Map<unknown, number>();

  of(place: Place): string {
    return place.kind === "offset" ? place.by.join() : place.at.map((at) => this.#keyOf(at)).join();
  }

  #keyOf(index: Expression): string {
    if (index.kind === "swizzle") return `${this.#keyOf(index.operand)}.${index.components.join("")}`;
    const thing = index.kind === "variable" ? index.variable : index;
    const number = this.#numbers.get(thing) ?? this.#numbers.size;
    this.#numbers.set(thing, number);
    return `#${number}`;
  }
}

const number = (value: number): Expression => literal(value, i32);
const component = (value: Expression, axis: number): Expression => swizzle(value, "xyz"[axis]);
const lengthOf = (centering: Centering, axis: number): Expression =>
  component(gridConstant(`${centering}_dims`), axis);
const lastOf = (centering: Centering, axis: number): Expression =>
  binary("-", lengthOf(centering, axis), number(1));

/** The place's index along an axis, i32. */
export function indexAt(place: Place, axis: Axis, centering: Centering, into: Block): Expression {
  if (place.kind === "position") return place.at[axis];
  const own = convert(i32, component(position("at"), axis));
  const by = place.by[axis];
  if (by === 0) return into.let("xyz"[axis], own);
  const moved = binary("+", own, number(by));
  return into.let(
    "xyz"[axis],
    by < 0 ? builtin("max", [moved, number(0)]) : builtin("min", [moved, lastOf(centering, axis)]),
  );
}

/** The number of the element at a place, u32. */
export function elementAt(place: Place, centering: Centering, into: Block): Expression {
  const [x, y, z] = axes.map((axis) => indexAt(place, axis, centering, into));
  const row = binary("+", y, binary("*", lengthOf(centering, 1), z));
  return into.let("index", convert(u32, binary("+", x, binary("*", lengthOf(centering, 0), row))));
}

/** Where a move takes the value of the kernel's element from; only what moves along an axis can come from beyond a border. */
export function sourceOf(move: Move, centering: Centering, into: Block): Place {
  const farthest = 2 ** 31 - 1;
  const reach = move.map(({ from, isFlipped, by }, axis) =>
    from === axis && !isFlipped && by === 0 ? 0 : farthest,
  );
  const at = move.map(({ from, isFlipped, by }, axis) => {
    const index = indexAt(ownPlace, from, centering, into);
    if (!isFlipped && by === 0) return index;
    const length = lengthOf(centering, axis);
    const sum = binary("+", isFlipped ? binary("-", number(0), index) : index, number(by));
    const rest = into.let("rest", binary("%", sum, length));
    const isInside = binary(">=", rest, number(0));
    return into.let("from", builtin("select", [binary("+", rest, length), rest, isInside]));
  });
  return { kind: "position", at, reach };
}

/** The eight around a place of the other centring. To cells: corners p and p + 1; to nodes: cells p − 1 and p. Borders name one twice. */
export function cornersOf(to: Centering, into: Block): Place[] {
  const ends = axes.map((axis) => {
    const own = indexAt(ownPlace, axis, to, into);
    const ends =
      to === "cell"
        ? [own, builtin("min", [binary("+", own, number(1)), lastOf("node", axis)])]
        : [
            builtin("max", [binary("-", own, number(1)), number(0)]),
            builtin("min", [own, lastOf("cell", axis)]),
          ];
    return ends.map((end, k) => into.let(`${k === 0 ? "low" : "high"}_${"xyz"[axis]}`, end));
  });
  return Array.from({ length: 8 }, (_, corner) => ({
    kind: "position",
    at: axes.map((axis) => ends[axis][(corner >> axis) & 1]),
    reach: [1, 1, 1],
  }));
}
