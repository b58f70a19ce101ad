import type { Centering } from "../../../../core/grid.ts";
import { literal, load } from "../../../../kernel/build.ts";
import type { Expression, KernelInput } from "../../../../kernel/ir.ts";
import { i32 } from "../../../../kernel/types.ts";
import type { Binding } from "../kernel.ts";
import type { Axis, Place } from "./places.ts";

/** What an input of a stage's kernel stands for. */
export type StageInput =
  /** Consecutive planes of a bound array, one for each component. */
  | {
      readonly kind: "planes";
      readonly binding: Extract<Binding, { kind: "source" | "temporary" }>;
      readonly centering: Centering;
      readonly first: number;
      readonly components: 1 | 2 | 3;
      /** For names. */
      readonly label: string;
    }
  /** A table of `GridTables` along an axis. */
  | {
      readonly kind: "table";
      readonly table: "coordinate" | "inverse_span" | "inverse_step";
      readonly centering: Centering;
      readonly axis: Axis;
    }
  /** A computed value that a walk along z carries, read at offsets of -1, 0 and 1 along z; the kernel's function gives it at any place. */
  | { readonly kind: "carried"; readonly callable: string };

type Planes = Omit<Extract<StageInput, { kind: "planes" }>, "kind">;

/** The inputs of a stage's kernel as they are found, and the arrays that they bind. */
export class StageInputs {
  readonly declared = new Map<string, { input: KernelInput; readonly what: StageInput }>();
  readonly bindings: Binding[] = [];
  readonly #isFlat: boolean;

  constructor(isFlat: boolean) {
    this.#isFlat = isFlat;
  }

  bind(binding: Binding): void {
    if (!this.bindings.some((known) => isSameBinding(known, binding))) this.bindings.push(binding);
  }

  /** The planes' element at a place, whose number `flat` gives where it is a position. */
  planes(planes: Planes, place: Place, flat: () => Expression): Expression {
    const { binding, first, components } = planes;
    this.bind(binding);
    const what: StageInput = { kind: "planes", ...planes };
    const name =
      binding.kind === "source"
        ? `${binding.field} ${first} ${components}`
        : `${binding.node} ${first} ${components} stored`;
    if (place.kind === "position") {
      const known = this.declared.get(`${name} anywhere`)?.input.access;
      const before = known?.kind === "footprint" ? known.footprint.before : ([0, 0, 0] as const);
      const [x, y, z] = before.map((bound, axis) => Math.max(Number(bound), place.reach[axis]));
      const footprint = { before: [x, y, z], after: [x, y, z] } as const;
      return this.#load(`${name} anywhere`, what, components, { kind: "footprint", footprint }, [flat()]);
    }
    if (this.#isFlat) return this.#load(name, what, components, { kind: "own" }, []);
    const offsets = place.by.map((by) => literal(by, i32));
    return this.#load(name, what, components, { kind: "offsets" }, offsets);
  }

  table(table: Extract<StageInput, { kind: "table" }>, at: Expression): Expression {
    this.bind({ kind: "tables", centering: table.centering });
    return this.#load(`${table.centering} ${table.table} ${table.axis}`, table, 1, { kind: "all" }, [at]);
  }

  carried(callable: string, components: 1 | 2 | 3, dz: number): Expression {
    const offsets = [0, 0, dz].map((by) => literal(by, i32));
    return this.#load(
      `${callable} carried`,
      { kind: "carried", callable },
      components,
      { kind: "offsets" },
      offsets,
    );
  }

  #load(
    name: string,
    what: StageInput,
    components: 1 | 2 | 3,
    access: KernelInput["access"],
    indices: readonly Expression[],
  ): Expression {
    const input: KernelInput = { scalar: "f32", components, access };
    this.declared.set(name, { input, what });
    return load(name, input, indices);
  }
}

function isSameBinding(a: Binding, b: Binding): boolean {
  if (a.kind === "tables") return b.kind === "tables" && a.centering === b.centering;
  if (a.kind === "source") return b.kind === "source" && a.field === b.field;
  if (a.kind === "temporary") return b.kind === "temporary" && a.node === b.node;
  return b.kind === "store" && a.store === b.store;
}
