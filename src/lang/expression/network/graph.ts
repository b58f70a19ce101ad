import { CrinkleError, type Span } from "../../../core/errors.ts";
import type { Centering } from "../../../core/grid.ts";
import type {
  ElementFilter,
  ElementOverload,
  Filter,
  MeshFilter,
  ReductionFilter,
  Signature,
  StencilFilter,
  StencilOverload,
} from "../filters/filter.ts";
import { coordinates as meshCoordinates } from "../filters/mesh.ts";
import { checkParameters, parameterValue, variantName } from "../filters/parameters.ts";
import { findFilter } from "../filters/registry.ts";
import { describePlace, located } from "../syntax/located.ts";
import { componentsOf, describeType, type ExpressionType, type Placement, type ValueType } from "../types.ts";
import type { BuildOptions, NetworkBuilder } from "./builder.ts";
import { foldElement, foldStencil, type LoopOf } from "./folding.ts";
import {
  type FieldSignature,
  fieldValueType,
  type Network,
  type NetworkNode,
  type NodeId,
} from "./network.ts";
import { chooseOverload } from "./overloads.ts";
import { dependencies, inputsOf, prune } from "./prune.ts";
import {
  type RewritableNetwork,
  rewriteComponent,
  rewriteMove,
  rewritePower,
  rewriteStencil,
} from "./rewriting.ts";

const typeOfLength: Record<number, ValueType> = { 1: "scalar", 2: "vec2", 3: "vec3", 9: "mat3" };

export function createNetworkBuilder(loopOf: LoopOf): NetworkBuilder {
  return new Graph(loopOf);
}

/**
 * Builds by hash-consing: each node has a key made of what it is and its inputs' numbers, and equal keys are one node.
 * Nodes are numbered as they come, so inputs precede their users.
 */
class Graph implements RewritableNetwork {
  readonly #nodes: NetworkNode[] = [];
  readonly #ids = new Map<string, NodeId>();
  /** Whether a value depends on the grid alone, so that it is known exactly at either centring. */
  readonly #fromGridAlone: boolean[] = [];
  readonly #outputs = new Map<string, NodeId>();
  readonly #notes = new Set<string>();
  readonly #loopOf: LoopOf;

  constructor(loopOf: LoopOf) {
    this.#loopOf = loopOf;
  }

  node(id: NodeId): NetworkNode {
    return this.#nodes[id];
  }

  typeOf(id: NodeId): ExpressionType {
    return this.#nodes[id].type;
  }

  constantOf(id: NodeId): readonly number[] | undefined {
    const node = this.#nodes[id];
    return node.kind === "constant" ? node.values : undefined;
  }

  constant(values: readonly number[], span?: Span): NodeId {
    const type = typeOfLength[values.length];
    if (!type) {
      throw new CrinkleError({
        tag: "BadArgument",
        problem: `A constant cannot have ${values.length} components.`,
      });
    }
    return this.#constant(type, values, span);
  }

  source(field: FieldSignature, component?: number, span?: Span): NodeId {
    const { name, components, centering } = field;
    if (component !== undefined && !(component in Array.from({ length: components }))) {
      throw located(
        "TypeError",
        span,
        `The field “${name}” has no component ${component}`,
        components === 1 ? "It is a scalar." : `Its components are 0 to ${components - 1}.`,
      );
    }
    if (field.values)
      return this.constant(component === undefined ? field.values : [field.values[component]], span);
    const value = component === undefined || components === 1 ? fieldValueType(components) : "scalar";
    if (!value) {
      throw located(
        "TypeError",
        span,
        `The field “${name}” has ${components} components, which is neither a vector nor a tensor`,
        `Take one of them: ${name}[0] to ${name}[${components - 1}].`,
      );
    }
    const single = components === 1 ? undefined : component;
    const type = { value, placement: centering };
    return this.#add(`source ${single ?? "all"} ${name}`, {
      kind: "source",
      field: name,
      component: single,
      type,
      span,
    });
  }

  partOfSource(whole: NodeId, component: number, span?: Span): NodeId | undefined {
    const node = this.#nodes[whole];
    if (node.kind !== "source" || node.type.placement === "constant") return undefined;
    const { field: name, type } = node;
    const signature = { name, components: componentsOf(type.value), centering: type.placement as Centering };
    return this.source(signature, component, span);
  }

  coordinates(centering: Centering, span?: Span): NodeId {
    return this.#mesh(meshCoordinates, centering, span);
  }

  mesh(name: string, centering: Centering, span?: Span): NodeId {
    const filter = findFilter(name);
    if (filter?.kind !== "mesh") throw located("UnknownName", span, `The grid has no values “${name}”`);
    return this.recenter(this.#mesh(filter, filter.only ?? centering, span), centering, span);
  }

  apply(name: string, inputs: readonly NodeId[], span?: Span): NodeId {
    const filter = findFilter(name);
    if (!filter) throw located("UnknownName", span, `There is no function “${name}”`);
    switch (filter.kind) {
      case "element":
        if (filter.ofOne && inputs.length === 1) return this.apply(filter.ofOne, inputs, span);
        return this.#applyElement(filter, inputs, span);
      case "reduction": {
        const overload = chooseOverload(filter, this.#valueTypes(inputs), span);
        const [input, ...parameters] = inputs.map((id, k) => this.#convert(id, overload.inputs[k]));
        return this.#reduction(filter, overload, [input, ...parameters], span);
      }
      case "stencil": {
        if (filter.parameter && inputs.length === 2) {
          const value = parameterValue(this, filter.doc, filter.parameter, inputs[1], span);
          return this.apply(variantName(filter.name, value), [inputs[0]], span);
        }
        const overload = chooseOverload(filter, this.#valueTypes(inputs), span);
        return this.#stencil(filter, overload, this.#convert(inputs[0], overload.inputs[0]), span);
      }
      case "composite": {
        const overload = chooseOverload(filter, this.#valueTypes(inputs), span);
        return overload.expand(
          this,
          inputs.map((id, k) => this.#convert(id, overload.inputs[k])),
          span,
        );
      }
      case "mesh":
        return this.#mesh(filter, filter.only ?? "node", span);
      case "recenter":
        return this.recenter(inputs[0], this.typeOf(inputs[0]).placement === "cell" ? "node" : "cell", span);
    }
  }

  component(input: NodeId, index: number, span?: Span): NodeId {
    const { value } = this.typeOf(input);
    const count = value === "mat3" ? 3 : componentsOf(value);
    if (count < 2) {
      throw located(
        "TypeError",
        span,
        `[${index}] takes a component of a vector or a row of a tensor, but was given a ${describeType(value)}`,
      );
    }
    if (!Number.isInteger(index) || index < 0 || index >= count) {
      throw located(
        "TypeError",
        span,
        `A ${describeType(value)} has no component [${index}]`,
        `Its ${value === "mat3" ? "rows" : "components"} are [0] to [${count - 1}].`,
      );
    }
    return this.apply(`component_${index}`, [input], span);
  }

  recenter(input: NodeId, to: Centering, span?: Span): NodeId {
    const { value, placement } = this.typeOf(input);
    if (placement === "constant" || placement === to) return input;
    if (this.#fromGridAlone[input]) return this.#relocate(input, to);
    if (value === "bool") {
      const share = this.recenter(this.apply("number", [input], span), to, span);
      return this.apply("gt", [share, this.constant([0.5])], span);
    }
    const type = { value, placement: to };
    return this.#add(`recenter ${to} ${input}`, { kind: "recenter", to, inputs: [input], type, span });
  }

  output(name: string, node: NodeId): void {
    this.#outputs.delete(name);
    this.#outputs.set(name, node);
  }

  note(sentence: string): void {
    this.#notes.add(sentence);
  }

  build(options: BuildOptions = {}): Network {
    const outputs = [...this.#outputs].map(([name, node]) => ({
      name,
      node: this.#stored(options.centering ? this.recenter(node, options.centering) : node),
    }));
    const missing = options.outputs?.find((name) => !this.#outputs.has(name));
    if (missing !== undefined) {
      throw new CrinkleError({
        tag: "UnknownName",
        problem: `No statement defines “${missing}”.`,
        remedy: `Defined are: ${outputs.map(({ name }) => name).join(", ")}.`,
      });
    }
    const wanted = options.outputs ? outputs.filter(({ name }) => options.outputs?.includes(name)) : outputs;
    return { ...prune(this.#nodes, wanted), notes: [...this.#notes] };
  }

  /** What an output holds of a value: numbers. */
  #stored(node: NodeId): NodeId {
    return this.typeOf(node).value === "bool" ? this.apply("number", [node]) : node;
  }

  #applyElement(filter: ElementFilter, given: readonly NodeId[], span?: Span): NodeId {
    const overload = chooseOverload(filter, this.#valueTypes(given), span);
    const inputs = this.#align(
      filter,
      given.map((id, k) => this.#convert(id, overload.inputs[k])),
      span,
    );
    const rewritten =
      rewritePower(this, filter, inputs, span) ?? rewriteComponent(this, filter, inputs, span);
    if (rewritten !== undefined) return rewritten;
    return this.#element(filter, overload, inputs, span);
  }

  /** The inputs of a commutative filter in the one order that equal values share, and the overload for it. */
  #ordered(
    filter: ElementFilter,
    overload: ElementOverload,
    inputs: readonly NodeId[],
  ): [ElementOverload, readonly NodeId[]] {
    if (!filter.commutative || inputs.length < 2 || inputs[0] <= inputs[1]) return [overload, inputs];
    const swapped = [inputs[1], inputs[0]];
    const types = this.#valueTypes(swapped);
    const other = filter.overloads.find((o) => o.inputs.every((due, k) => due === types[k]));
    return other ? [other, swapped] : [overload, inputs];
  }

  #element(filter: ElementFilter, given: ElementOverload, unordered: readonly NodeId[], span?: Span): NodeId {
    const [overload, inputs] = this.#ordered(filter, given, unordered);
    const folded = foldElement(
      overload,
      inputs.map((id) => this.#nodes[id]),
      this.#loopOf,
    );
    if (folded) return this.#constant(overload.output, folded, span);
    const placement = this.#placementOf(inputs);
    const key = `call ${filter.name} ${filter.overloads.indexOf(overload)} ${placement} ${inputs.join(" ")}`;
    const type = { value: overload.output, placement };
    return this.#add(
      key,
      { kind: "element", filter, overload, inputs, type, span },
      this.#allFromGrid(inputs),
    );
  }

  #stencil(filter: StencilFilter, overload: StencilOverload, input: NodeId, span?: Span): NodeId {
    const folded = foldStencil(filter, overload, this.#nodes[input]);
    if (folded) return this.#constant(overload.output, folded, span);
    const rewritten = rewriteStencil(this, filter, input, span) ?? rewriteMove(this, filter, input, span);
    if (rewritten !== undefined) return rewritten;
    const type = { value: overload.output, placement: this.typeOf(input).placement };
    const key = `call ${filter.name} ${filter.overloads.indexOf(overload)} ${input}`;
    return this.#add(
      key,
      { kind: "stencil", filter, overload, inputs: [input], type, span },
      this.#allFromGrid([input]),
    );
  }

  #reduction(
    filter: ReductionFilter,
    { output }: Signature,
    inputs: readonly [NodeId, ...NodeId[]],
    span?: Span,
  ): NodeId {
    const [input, ...parameters] = inputs;
    checkParameters(this, filter, parameters, span);
    if (filter.keepsNumbers && this.constantOf(input)) return input;
    const type: ExpressionType = { value: output, placement: "constant" };
    return this.#add(
      `call ${filter.name} ${inputs.join(" ")}`,
      { kind: "reduction", filter, inputs, type, span },
      true,
    );
  }

  #mesh(filter: MeshFilter, placement: Centering, span?: Span): NodeId {
    const type: ExpressionType = { value: filter.output, placement };
    return this.#add(`mesh ${filter.name} ${placement}`, { kind: "mesh", filter, type, span }, !filter.only);
  }

  #constant(value: ValueType, values: readonly number[], span?: Span): NodeId {
    const key = `constant ${value} ${values.map((v) => (Object.is(v, -0) ? "-0" : v)).join(" ")}`;
    return this.#add(key, { kind: "constant", values, type: { value, placement: "constant" }, span }, true);
  }

  #add(key: string, node: NetworkNode, fromGridAlone = false): NodeId {
    const known = this.#ids.get(key);
    if (known !== undefined) return known;
    const id = this.#nodes.push(node) - 1;
    this.#ids.set(key, id);
    this.#fromGridAlone.push(fromGridAlone);
    return id;
  }

  #convert(input: NodeId, due: ValueType): NodeId {
    const { value } = this.typeOf(input);
    if (value === due) return input;
    return due === "bool" ? this.apply("ne", [input, this.constant([0])]) : this.apply("number", [input]);
  }

  /** Brings all inputs to one centring: nodes where they differ, unless only the grid's own values do. */
  #align(filter: Filter, inputs: readonly NodeId[], span?: Span): readonly NodeId[] {
    const placements = new Set(inputs.map((id) => this.typeOf(id).placement));
    placements.delete("constant");
    if (placements.size < 2) return inputs;
    const atNodes = inputs.some((id) => this.typeOf(id).placement === "node" && !this.#fromGridAlone[id]);
    const to = atNodes ? "node" : "cell";
    return inputs.map((id) => {
      const moved = this.recenter(id, to, span);
      if (moved !== id && !this.#fromGridAlone[id]) this.#noteMove(filter, id, span);
      return moved;
    });
  }

  #noteMove(filter: Filter, input: NodeId, span?: Span): void {
    const node = this.#nodes[input];
    const what = node.kind === "source" ? `The cell-centred field “${node.field}”` : "A cell-centred value";
    const where = span ? ` (${describePlace(span)})` : "";
    this.note(`${what} was recentred to the nodes for “${filter.doc.signature}”${where}.`);
  }

  /** The same value of the grid at the other centring. */
  #relocate(id: NodeId, to: Centering): NodeId {
    const moved = new Map<NodeId, NodeId>();
    for (const old of dependencies(this.#nodes, [id])) {
      const node = this.#nodes[old];
      const inputs = inputsOf(node).map((input) => moved.get(input) as NodeId);
      moved.set(old, this.#moveTo(old, node, inputs, to));
    }
    return moved.get(id) as NodeId;
  }

  #moveTo(id: NodeId, node: NetworkNode, inputs: readonly NodeId[], to: Centering): NodeId {
    if (node.type.placement === "constant") return id;
    switch (node.kind) {
      case "mesh":
        return this.#mesh(node.filter, to, node.span);
      case "element":
        return this.#element(node.filter, node.overload, inputs, node.span);
      case "stencil":
        return this.#stencil(node.filter, node.overload, inputs[0], node.span);
      default:
        return id;
    }
  }

  #placementOf(inputs: readonly NodeId[]): Placement {
    return (
      inputs.map((id) => this.typeOf(id).placement).find((placement) => placement !== "constant") ??
      "constant"
    );
  }

  #allFromGrid(inputs: readonly NodeId[]): boolean {
    return inputs.every((id) => this.#fromGridAlone[id]);
  }

  #valueTypes(inputs: readonly NodeId[]): ValueType[] {
    return inputs.map((id) => this.typeOf(id).value);
  }
}
