/**
 * Fusion as composition in the kernels' representation: a stage becomes one kernel, in which each filter's expression stands where
 * its value is read, at the place that is asked for.
 */
import type { Centering } from "../../../../core/grid.ts";
import {
  binary,
  constant,
  constantVariable,
  construct,
  convert,
  literal,
  position,
  read,
  swizzle,
} from "../../../../kernel/build.ts";
import type { Expression, KernelFunction, KernelProgram, Load } from "../../../../kernel/ir.ts";
import { Block, spliceCall, spliceKernel } from "../../../../kernel/splice.ts";
import { f32, type StructType, u32, vectorOf } from "../../../../kernel/types.ts";
import { elementKernel } from "../../filters/element-kernel.ts";
import { kernelType } from "../../filters/kernel-types.ts";
import { meshKernel } from "../../filters/mesh-kernel.ts";
import { shaderStencil } from "../../filters/stencil-program.ts";
import type {
  ElementNode,
  MeshNode,
  Network,
  NetworkNode,
  NodeId,
  SourceNode,
  StencilNode,
} from "../../network/network.ts";
import { inputsFirst } from "../../network/walk.ts";
import { componentsOf, type ValueType } from "../../types.ts";
import { isLoaded, isStored } from "../fetching.ts";
import type { Binding, Store } from "../kernel.ts";
import type { FieldLayout } from "../kernel-planner.ts";
import { centeringOf, inputsOf, ownInputs, readsNeighbors, type Stage } from "../stages.ts";
import { comparedByDifference } from "./leveled.ts";
import {
  type Axis,
  axes,
  cornersOf,
  elementAt,
  gridConstant,
  gridConstants,
  indexAt,
  ownPlace,
  type Place,
  PlaceKeys,
  sourceOf,
} from "./places.ts";
import { type StageInput, StageInputs } from "./stage-inputs.ts";
import { componentOf, composeValue, constantValue, splitValue } from "./values.ts";

/** A stage as one kernel over its grid, with what its inputs, outputs and constants stand for. */
export interface ComposedStage {
  readonly program: KernelProgram;
  readonly centering: Centering;
  /** Whether the kernel must know its element's i, j, k: others count elements alone. */
  readonly needsPlace: boolean;
  readonly inputs: ReadonlyMap<string, StageInput>;
  /** What is bound, in the order in which it was met. */
  readonly bindings: readonly Binding[];
  /** Which component of what is stored each output is. */
  readonly outputs: ReadonlyMap<string, { readonly store: Store; readonly component: number }>;
  /** Numbers that the data decide, by the names of constants: the kernel is the same for others. */
  readonly parameters: ReadonlyMap<string, number>;
}

export interface CompositionOptions {
  /**
   * Whether whoever runs the kernel walks along z and carries what derivatives read of computed values from one plane to the next;
   * otherwise these are computed at each neighbour.
   */
  readonly walks: boolean;
}

/** Composes the kernel that computes and stores a stage's roots. */
export function composeStage(
  network: Network,
  stage: Stage,
  stores: readonly Store[],
  layout: (field: string) => FieldLayout,
  options: CompositionOptions = { walks: true },
): ComposedStage {
  return new StageComposer(network, stage, layout, options).compose(stores);
}

class StageComposer {
  readonly #network: Network;
  readonly #stage: Stage;
  readonly #layout: (field: string) => FieldLayout;
  readonly #needsPlace: boolean;
  readonly #inputs: StageInputs;
  /** Nodes whose values a walk carries, with the names of their functions once these are needed. */
  readonly #carried = new Map<NodeId, string | undefined>();
  readonly #structs = new Set<StructType>();
  readonly #functions = new Set<KernelFunction>();
  readonly #parameters = new Map<string, { readonly name: string; readonly value: number }>();
  readonly #shifted: ReadonlySet<NodeId>;
  readonly #places = new PlaceKeys();

  constructor(
    network: Network,
    stage: Stage,
    layout: (field: string) => FieldLayout,
    { walks }: CompositionOptions,
  ) {
    this.#network = network;
    this.#stage = stage;
    this.#layout = layout;
    let needsPlace = false;
    for (const id of inputsFirst(stage.roots, (id) => ownInputs(network, stage, id))) {
      const node = network.nodes[id];
      if (stage.stored.has(id)) continue;
      if (readsNeighbors(node) || node.kind === "mesh") needsPlace = true;
      const isDerivative = node.kind === "stencil" && node.filter.isDerivative;
      if (walks && isDerivative && !isLoaded(network, node.inputs[0], stage.stored)) {
        this.#carried.set(node.inputs[0], undefined);
      }
    }
    this.#needsPlace = needsPlace;
    this.#inputs = new StageInputs(!needsPlace);
    this.#shifted = shiftedNodes(network, stage, layout);
  }

  compose(stores: readonly Store[]): ComposedStage {
    const body = new Block();
    const outputs = new Map<string, { store: Store; component: number }>();
    const reads: Binding[] = [];
    for (const [k, store] of stores.entries()) {
      const value = this.#value(store.node, ownPlace, true, body);
      splitValue(store.type, value).forEach((part, component) => {
        const name = `${store.output ?? `temporary ${store.node}`} ${k} ${component}`;
        outputs.set(name, { store, component });
        const target = { kind: "output", name, type: f32 } as const;
        body.statements.push({ kind: "assign", target, value: part });
      });
      reads.push({ kind: "store", store });
    }
    const parameters = new Map([...this.#parameters.values()].map(({ name, value }) => [name, value]));
    return {
      centering: this.#stage.centering,
      needsPlace: this.#needsPlace,
      inputs: new Map([...this.#inputs.declared].map(([name, { what }]) => [name, what])),
      bindings: [...this.#inputs.bindings, ...reads],
      outputs,
      parameters,
      program: {
        name: stores.map(({ output, node }) => output ?? `temporary ${node}`).join(", "),
        inputs: Object.fromEntries([...this.#inputs.declared].map(([name, { input }]) => [name, input])),
        outputs: Object.fromEntries([...outputs.keys()].map((name) => [name, { scalar: "f32" }])),
        constants: {
          ...gridConstants,
          ...Object.fromEntries([...parameters.keys()].map((name) => [name, f32])),
        },
        structs: [...this.#structs],
        functions: [...this.#functions],
        entries: [...this.#carried.values()].filter((name) => name !== undefined),
        body: body.statements,
      },
    };
  }

  /** The node's value at a place among those of its centring, less offsets where these are not wanted. */
  #value(id: NodeId, place: Place, addsOffsets: boolean, into: Block): Expression {
    const where = this.#places.of(place);
    const keyOf = (at: NodeId) => `${at} ${addsOffsets && this.#shifted.has(at)} ${where}`;
    const inputs = (at: NodeId) =>
      into.known(keyOf(at)) || this.#isCarried(at, place, addsOffsets)
        ? []
        : ownInputs(this.#network, this.#stage, at);
    for (const at of inputsFirst([id], inputs)) {
      if (!into.known(keyOf(at))) into.keep(keyOf(at), this.#write(at, place, addsOffsets, into));
    }
    return into.known(keyOf(id)) as Expression;
  }

  /** What the node needs is written already. */
  #write(id: NodeId, place: Place, addsOffsets: boolean, into: Block): Expression {
    const node = this.#network.nodes[id];
    if (this.#isCarried(id, place, addsOffsets)) return this.#readCarried(id, place, into);
    if (this.#stage.stored.has(id)) return this.#readStored(id, node, place, into);
    switch (node.kind) {
      case "constant": {
        const { values, reducedBy, type } = node;
        if (reducedBy === undefined) return into.let("constant", constantValue(type.value, values));
        const parts = values.map((value, c) => this.#parameter(`${id} ${c}`, reducedBy, value));
        return into.let(reducedBy, composeValue(type.value, parts));
      }
      case "source":
        return into.let(node.field, this.#source(node, place, addsOffsets, into));
      case "mesh":
        return into.let(node.filter.name, this.#mesh(node, place, addsOffsets, into));
      case "element":
        return this.#element(id, node, place, addsOffsets, into);
      case "stencil":
        return this.#stencil(node, into);
      case "recenter": {
        const corners = cornersOf(node.to, into).map((at) => this.#value(node.inputs[0], at, true, into));
        const sum = corners.reduce((total, corner) => binary("+", total, corner));
        return into.let("recenter", binary("*", literal(0.125, f32), sum));
      }
      case "reduction":
        throw new Error(`${node.filter.name} is composed before it is measured`);
    }
  }

  /** Whether differences of the value at neighbours keep the offset out: what memory holds needs none. */
  #addsOffsets(id: NodeId): boolean {
    return !isStored(this.#network, id, this.#stage.stored);
  }

  #isCarried(id: NodeId, place: Place, addsOffsets: boolean): boolean {
    if (!this.#carried.has(id) || place.kind !== "offset") return false;
    const [dx, dy, dz] = place.by;
    const isAlike = !this.#shifted.has(id) || addsOffsets === this.#addsOffsets(id);
    return dx === 0 && dy === 0 && Math.abs(dz) <= 1 && isAlike;
  }

  #readCarried(id: NodeId, place: Place, into: Block): Expression {
    const { type } = this.#network.nodes[id];
    const label = labelOf(this.#network.nodes[id]);
    let carried = this.#carried.get(id);
    if (carried === undefined) {
      carried = `${label}_at_${id}`;
      const p = constantVariable("p", vectorOf("i32", 3));
      const body = new Block();
      const at = [..."xyz"].map((axis) => swizzle(read(p), axis));
      const away: Place = { kind: "position", at, reach: [0, 0, 1] };
      const value = this.#value(id, away, this.#addsOffsets(id), body);
      body.statements.push({ kind: "return", value });
      this.#functions.add({ name: carried, parameters: [p], result: value.type, body: body.statements });
      this.#carried.set(id, carried);
    }
    const dz = place.kind === "offset" ? place.by[2] : 0;
    const components = componentsOf(type.value) as 1 | 2 | 3;
    return into.let(label, this.#inputs.carried(carried, components, dz));
  }

  #readStored(id: NodeId, node: NetworkNode, place: Place, into: Block): Expression {
    const label = labelOf(node);
    const binding = { kind: "temporary", node: id } as const;
    const stored = { binding, centering: centeringOf(node), label };
    return into.let(label, this.#planes(node.type.value, stored, 0, place, into));
  }

  /** A value of planes of an array, the first of which is given. */
  #planes(
    type: ValueType,
    stored: {
      binding: Extract<Binding, { kind: "source" | "temporary" }>;
      centering: Centering;
      label: string;
    },
    first: number,
    place: Place,
    into: Block,
  ): Expression {
    const flat = () => this.#elementAt(place, stored.centering, into);
    const load = (at: number, components: 1 | 2 | 3) =>
      this.#inputs.planes({ ...stored, first: first + at, components }, place, flat);
    if (type === "mat3") return construct(kernelType(type), [load(0, 3), load(3, 3), load(6, 3)]);
    const value = load(0, componentsOf(type) as 1 | 2 | 3);
    return type === "bool" ? composeValue(type, [value]) : value;
  }

  #source(node: SourceNode, place: Place, addsOffsets: boolean, into: Block): Expression {
    const { field, component = 0, type } = node;
    const label = node.component === undefined ? field : `${field}_${component}`;
    const stored = { binding: { kind: "source", field }, centering: centeringOf(node), label } as const;
    const value = this.#planes(type.value, stored, component, place, into);
    const shifts = this.#shifts(node);
    if (!addsOffsets || shifts.every((offset) => offset === 0)) return value;
    const offsets = shifts.map((shift, c) =>
      this.#parameter(`${field} ${component + c}`, `${field}_offset`, shift),
    );
    if (type.value !== "mat3") return binary("+", value, composeValue(type.value, offsets));
    const held = into.let(field, value);
    return composeValue(
      "mat3",
      splitValue("mat3", held).map((part, c) => binary("+", part, offsets[c])),
    );
  }

  /** What was taken off each of the source's components before it went to the GPU. */
  #shifts({ field, component = 0, type }: SourceNode): readonly number[] {
    return this.#layout(field).offsets.slice(component, component + componentsOf(type.value));
  }

  /** The constant for a number that the data decide, which `key` names. */
  #parameter(key: string, label: string, value: number): Expression {
    const found = this.#parameters.get(key) ?? { name: `${label} ${this.#parameters.size}`, value };
    this.#parameters.set(key, found);
    return constant(found.name, f32);
  }

  #element(id: NodeId, node: ElementNode, place: Place, addsOffsets: boolean, into: Block): Expression {
    const given =
      this.#leveled(id, node, place, addsOffsets, into) ??
      node.inputs.map((input) => this.#value(input, place, addsOffsets, into));
    const known = node.inputs.map((input) => {
      const { kind, ...of } = this.#network.nodes[input];
      const isKnown = kind === "constant" && "values" in of && of.reducedBy === undefined;
      return isKnown && of.values.length === 1 ? of.values[0] : undefined;
    });
    const { callable, library } = elementKernel(node.overload, known);
    for (const struct of library.structs) this.#structs.add(struct);
    for (const each of library.functions) this.#functions.add(each);
    const held = given.map((argument, k) => into.let(`argument_${k + 1}`, argument));
    return into.let(node.filter.name, spliceCall(callable, held, into));
  }

  /**
   * The operands of a sum, difference or comparison of centred fields and constants, with the constants and offsets
   * put together in f64: beside a large offset f32 has no digits for them.
   */
  #leveled(
    id: NodeId,
    node: ElementNode,
    place: Place,
    addsOffsets: boolean,
    into: Block,
  ): Expression[] | undefined {
    const { name } = node.filter;
    const isSum = name === "add";
    if (!addsOffsets || node.inputs.length !== 2 || !(isSum || comparedByDifference.has(name))) return;
    const nodes = node.inputs.map((input) => this.#network.nodes[input]);
    if (!nodes.some((operand) => operand.kind === "source" && this.#shifts(operand)[0] !== 0)) return;
    const levels = nodes.map((operand) => {
      if (operand.type.value !== "scalar") return undefined;
      if (operand.kind === "constant") return operand.values[0];
      return operand.kind === "source" ? this.#shifts(operand)[0] : undefined;
    });
    const [a, b] = levels;
    if (a === undefined || b === undefined) return;
    const [first, second] = nodes.map((operand) =>
      operand.kind === "source" ? this.#source(operand, place, false, into) : undefined,
    );
    const rest = this.#parameter(`level ${id}`, `${name}_level`, isSum ? a + b : b - a);
    return [first ?? literal(0, f32), second ? binary("+", second, rest) : rest];
  }

  /** The number of the element at a place, u32. */
  #elementAt(place: Place, centering: Centering, into: Block): Expression {
    const key = `element ${centering} ${this.#places.of(place)}`;
    return into.known(key) ?? into.keep(key, elementAt(place, centering, into));
  }

  #mesh(node: MeshNode, place: Place, addsOffsets: boolean, into: Block): Expression {
    const centering = centeringOf(node);
    const isOwn = place === ownPlace;
    const { value } = spliceKernel(
      meshKernel(node.filter),
      into,
      {
        constant: gridConstant,
        position: () =>
          isOwn
            ? position("at")
            : construct(
                vectorOf("u32", 3),
                axes.map((axis) => convert(u32, indexAt(place, axis, centering, into))),
              ),
        load: (load) => {
          const [, table, letter] = /^(coordinate|inverse_step)_([xyz])$/.exec(load.input)!;
          const axis = "xyz".indexOf(letter) as Axis;
          return this.#inputs.table(
            table === "coordinate"
              ? { kind: "table", table, centering, axis }
              : { kind: "table", table: "inverse_step", centering: "node", axis },
            load.indices[0],
          );
        },
      },
      node.filter.name,
    );
    return addsOffsets && node.filter.reads === "positions"
      ? binary("+", value, gridConstant("center"))
      : value;
  }

  #stencil(node: StencilNode, into: Block): Expression {
    const { filter, overload } = node;
    const [input] = node.inputs;
    const centering = centeringOf(node);
    if (filter.move) return this.#value(input, sourceOf(filter.move, centering, into), true, into);
    const stencil = overload.shader ?? ("text" in overload ? overload : undefined);
    if (!stencil) throw new Error(`the stencil ${filter.name} has no text`);
    // Without offsets where they would only cost digits.
    const addsOffsets = filter.isDerivative ? this.#addsOffsets(input) : true;
    const { reach } = stencil;
    const results = spliceKernel(
      shaderStencil(stencil, overload.inputs[0] as "scalar"),
      into,
      {
        constant: (name) =>
          name === "dims"
            ? gridConstant(`${centering}_dims`)
            : construct(
                vectorOf("bool", 3),
                [..."xyz"].map((axis) => gridConstant(`flat_${axis}`)),
              ),
        position: (which) => position(which),
        load: (load, inside) =>
          load.input === "f"
            ? this.#value(input, placeOf(load, reach), addsOffsets, inside)
            : this.#tableOf(load, centering),
      },
      filter.name,
    );
    const width = componentsOf(overload.output);
    const parts = new Array<Expression>(width).fill(literal(0, f32));
    for (const { name, components, first, step } of stencil.results) {
      const size = components ?? componentsOf(overload.inputs[0]);
      for (let c = 0; c < size; c++) parts[first + c * step] = componentOf(results[name], c);
    }
    const [{ name }] = stencil.results;
    const isWhole = stencil.results.length === 1 && overload.output === overload.inputs[0];
    return into.let(filter.name, isWhole ? results[name] : composeValue(overload.output, parts));
  }

  #tableOf(load: Load, centering: Centering): Expression {
    const [, table, letter] = /^(inverse_span|inverse_step)_([xyz])$/.exec(load.input)!;
    const axis = "xyz".indexOf(letter) as Axis;
    const name = table === "inverse_span" ? table : "inverse_step";
    return this.#inputs.table({ kind: "table", table: name, centering, axis }, load.indices[0]);
  }
}

/** The place that a load of a stencil's input names. */
function placeOf({ indices }: Load, reach: number | undefined): Place {
  if (reach !== undefined) {
    return { kind: "position", at: indices, reach: [reach, reach, reach] };
  }
  return { kind: "offset", by: indices.map((index) => (index.kind === "literal" ? Number(index.value) : 0)) };
}

/** The nodes whose values memory holds less an offset: a centred field's, or the grid's centre. */
function shiftedNodes(
  network: Network,
  { roots, stored }: Stage,
  layout: (field: string) => FieldLayout,
): ReadonlySet<NodeId> {
  const shifted = new Set<NodeId>();
  for (const id of inputsFirst(roots, (id) => (stored.has(id) ? [] : inputsOf(network.nodes[id])))) {
    const node = network.nodes[id];
    const isShifted =
      node.kind === "source"
        ? layout(node.field).offsets.some((offset) => offset !== 0)
        : (node.kind === "mesh" && node.filter.reads === "positions") ||
          inputsOf(node).some((input) => shifted.has(input));
    if (isShifted && !stored.has(id)) shifted.add(id);
  }
  return shifted;
}

/** A readable base for names. */
function labelOf(node: NetworkNode): string {
  switch (node.kind) {
    case "source":
      return node.component === undefined ? node.field : `${node.field}_${node.component}`;
    case "element":
    case "stencil":
    case "mesh":
      return node.filter.name;
    default:
      return node.kind;
  }
}
