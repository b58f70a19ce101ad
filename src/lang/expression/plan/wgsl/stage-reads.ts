import type { Fragment } from "../../../../gpu/shader/fragment.ts";
import type { WgslModule } from "../../../../kernel/emit/wgsl/module.ts";
import { loadsOf } from "../../../../kernel/footprint.ts";
import type { Expression, KernelProgram, Load } from "../../../../kernel/ir.ts";
import { scalarOf } from "../../../../kernel/types.ts";
import { expressionsOf, forEachBelow } from "../../../../kernel/walk.ts";
import type { ComposedStage } from "../composition/compose-stage.ts";
import type { StageInput } from "../composition/stage-inputs.ts";
import type { Binding } from "../kernel.ts";
import { planeAt, tables } from "./grid-wgsl.ts";

/** What a thread that walks along z computes beside the kernel's body. */
export interface Walk {
  /** Before the first plane, on each plane before the body, and after it. */
  readonly before: readonly string[];
  readonly ahead: readonly string[];
  readonly after: readonly string[];
}

type Planes = Extract<StageInput, { kind: "planes" }>;
type Offset = readonly [x: number, y: number, z: number];

/**
 * Writes what a stage's kernel reads: from registers, arrays and tables. Inputs that are read one plane below or above stay in
 * registers from plane to plane; indices of neighbours are computed once for all arrays.
 */
export class StageReads {
  readonly functions: string[] = [];
  readonly fragments = new Set<Fragment>();
  readonly #composed: ComposedStage;
  readonly #arrays: ReadonlyMap<Binding, string>;
  readonly #module: WgslModule;
  readonly #columns = new Map<string, string>();
  readonly #fetches = new Map<string, string>();
  /** Names of the neighbours' indices along an axis and in the array, with what these are. */
  readonly #moved = new Map<
    string,
    { readonly name: string; readonly value: string; readonly axis: number }
  >();
  readonly #places = new Map<string, { readonly name: string; readonly value: string }>();
  /** The axes along which the inverse span at the element is read. */
  readonly #spans = new Set<number>();

  /** `program` is the composed kernel as it is written, `arrays` has the names of what is bound. */
  constructor(
    composed: ComposedStage,
    program: KernelProgram,
    arrays: ReadonlyMap<Binding, string>,
    module: WgslModule,
  ) {
    this.#composed = composed;
    this.#arrays = arrays;
    this.#module = module;
    for (const { input, indices } of loadsOf(program)) {
      const what = composed.inputs.get(input)!;
      if (!this.#isRegister(input, indices) || this.#columns.has(input)) continue;
      const label =
        what.kind === "planes" ? what.label : what.kind === "carried" ? what.callable : what.table;
      this.#columns.set(input, module.fresh(`${label} column`));
    }
    // Neighbours that branches alone read have their indices there.
    for (const statement of program.body) {
      for (const expression of expressionsOf(statement)) {
        forEachBelow(expression, (part) => {
          if (part.kind !== "load" || !this.#isBeside(part)) return;
          if (!this.#columnOf(part)) this.#nameOf(offsetOf(part.indices));
        });
      }
    }
  }

  load(load: Load, texts: readonly string[]): string {
    const what = this.#composed.inputs.get(load.input)!;
    if (what.kind === "table") return this.#table(what, load.indices[0], texts[0]);
    const column = this.#columnOf(load);
    if (column !== undefined) return column;
    if (what.kind === "carried") throw new Error(`the input “${load.input}” is read beside its column`);
    if (load.indices.length === 0) return this.#planes(what, "at");
    if (!this.#isBeside(load) && load.indices.length === 1) return this.#planes(what, texts[0]);
    const offset = offsetOf(load.indices);
    if (offset.every((by) => by === 0)) return this.#planes(what, "at");
    return this.#planes(what, this.#places.get(offset.join())?.name ?? this.#placeAt(offset));
  }

  /** `nameOf` gives the names of the kernel's functions. */
  walk(nameOf: (callable: string) => string): Walk {
    const { centering } = this.#composed;
    const columns = [...this.#columns].map(([input, name]) => {
      const what = this.#composed.inputs.get(input)!;
      if (what.kind === "table") throw new Error("no walk carries a table");
      const read = (z: string, at: string) =>
        what.kind === "carried" ? `${nameOf(what.callable)}(vec3i(x, y, ${z}))` : this.#planes(what, at);
      return { name, read };
    });
    const arrayIndex = (name: string, z: string) => `let ${name} = ${centering}_index(vec3i(x, y, ${z}));`;
    const moved = [...this.#moved.values()].map(({ name, value, axis }) => ({
      axis,
      line: `let ${name} = ${value};`,
    }));
    const spans = [...this.#spans].sort().map((axis) => ({
      axis,
      line: `let span_${"xyz"[axis]} = ${centering}_inverse_span(${axis}, ${"xyz"[axis]});`,
    }));
    const lines = (all: typeof moved, isAlongZ: boolean) =>
      all.filter(({ axis }) => (axis === 2) === isAlongZ).map(({ line }) => line);
    const hasPlanes = [...this.#columns.keys()].some(
      (input) => this.#composed.inputs.get(input)!.kind === "planes",
    );
    return {
      before: [
        ...lines([...spans, ...moved], false),
        ...(columns.length > 0 ? ["let z_below = max(first - 1, 0);"] : []),
        ...(hasPlanes ? [arrayIndex("at_below", "z_below"), arrayIndex("at_first", "first")] : []),
        ...columns.flatMap(({ name, read }) => [
          `var ${name}_below = ${read("z_below", "at_below")};`,
          `var ${name}_here = ${read("first", "at_first")};`,
        ]),
      ],
      ahead: [
        ...lines([...spans, ...moved], true),
        ...[...this.#places.values()].map(({ name, value }) => `let ${name} = ${value};`),
        ...(columns.length > 0 ? ["let z_above = min(z + 1, dims.z - 1);"] : []),
        ...(hasPlanes ? [arrayIndex("at_above", "z_above")] : []),
        ...columns.map(({ name, read }) => `let ${name}_above = ${read("z_above", "at_above")};`),
      ],
      after: columns.flatMap(({ name }) => [
        `${name}_below = ${name}_here;`,
        `${name}_here = ${name}_above;`,
      ]),
    };
  }

  #isBeside({ input, indices }: Pick<Load, "input" | "indices">): boolean {
    return this.#composed.program.inputs[input].access.kind === "offsets" && indices.length === 3;
  }

  /** Whether a read asks for the plane below or above, or for what only a walk has. */
  #isRegister(input: string, indices: readonly Expression[]): boolean {
    if (this.#composed.inputs.get(input)!.kind === "carried") return true;
    if (!this.#isBeside({ input, indices })) return false;
    const [dx, dy, dz] = offsetOf(indices);
    return dx === 0 && dy === 0 && Math.abs(dz) === 1;
  }

  #columnOf({ input, indices }: Load): string | undefined {
    const column = this.#columns.get(input);
    if (column === undefined) return undefined;
    const [dx, dy, dz] = offsetOf(indices);
    return dx === 0 && dy === 0 && Math.abs(dz) <= 1
      ? `${column}_${["below", "here", "above"][dz + 1]}`
      : undefined;
  }

  /** Names the index of a neighbour. */
  #nameOf(offset: Offset): void {
    const key = offset.join();
    if (offset.every((by) => by === 0) || this.#places.has(key)) return;
    for (const [axis, by] of offset.entries()) {
      const letter = "xyz"[axis];
      if (by === 0 || this.#moved.has(`${axis} ${by}`)) continue;
      const name = this.#module.claim(`${letter}_${by < 0 ? "minus" : "plus"}_${Math.abs(by)}`);
      this.#moved.set(`${axis} ${by}`, { name, value: movedBy(letter, by), axis });
    }
    const words = offset.flatMap((by, axis) =>
      by === 0 ? [] : [`${"xyz"[axis]}_${by < 0 ? "minus" : "plus"}_${Math.abs(by)}`],
    );
    const name = this.#module.claim(`at_${words.join("_")}`);
    this.#places.set(key, { name, value: this.#placeAt(offset) });
  }

  #placeAt(offset: Offset): string {
    const at = offset.map((by, axis) => {
      if (by === 0) return "xyz"[axis];
      return this.#moved.get(`${axis} ${by}`)?.name ?? movedBy("xyz"[axis], by);
    });
    return `${this.#composed.centering}_index(vec3i(${at.join(", ")}))`;
  }

  #table(
    { table, centering, axis }: Extract<StageInput, { kind: "table" }>,
    at: Expression,
    text: string,
  ): string {
    this.fragments.add(tables[table][centering]);
    const isOwn = at.kind === "swizzle" && at.operand.kind === "position" && at.components[0] === axis;
    if (table === "inverse_span" && isOwn && centering === this.#composed.centering) {
      this.#spans.add(axis);
      return `span_${"xyz"[axis]}`;
    }
    return `${centering}_${table}(${axis}, ${scalarOf(at.type) === "i32" ? text : `i32(${text})`})`;
  }

  /** The planes' words at an index; where these are several and the index is no name, through a function. */
  #planes(what: Planes, at: string): string {
    const { components, first, centering, label } = what;
    const array = this.#arrayOf(what);
    const words = (place: string) =>
      Array.from({ length: components }, (_, c) => `${array}[${planeAt(place, first + c, centering)}]`);
    if (components === 1) return words(at)[0];
    const value = `vec${components}f(${words("at").join(", ")})`;
    if (at === "at") return value;
    const key = `${array} ${first} ${components}`;
    let name = this.#fetches.get(key);
    if (!name) {
      name = this.#module.fresh(`${label} at`);
      this.#fetches.set(key, name);
      this.functions.push(`fn ${name}(at: u32) -> vec${components}f {\n  return ${value};\n}`);
    }
    return `${name}(${at})`;
  }

  #arrayOf({ binding }: Planes): string {
    for (const [known, name] of this.#arrays) {
      if (binding.kind === "source" && known.kind === "source" && known.field === binding.field) return name;
      if (binding.kind === "temporary" && known.kind === "temporary" && known.node === binding.node)
        return name;
    }
    throw new Error("an array is read that is not bound");
  }
}

function offsetOf(indices: readonly Expression[]): Offset {
  const [x, y, z] = indices.map((at) => (at.kind === "literal" ? Number(at.value) : Number.NaN));
  return [x, y, z];
}

function movedBy(axis: string, by: number): string {
  return by < 0 ? `max(${axis} - ${-by}, 0)` : `min(${axis} + ${by}, dims.${axis} - 1)`;
}
