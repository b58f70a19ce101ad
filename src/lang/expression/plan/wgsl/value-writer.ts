import type { Centering } from "../../../../core/grid.ts";
import type { Fragment } from "../../../../gpu/shader/fragment.ts";
import { elementWgsl } from "../../filters/element-shader.ts";
import { stencilWgsl } from "../../filters/stencil-shader.ts";
import type {
  ElementNode,
  MeshNode,
  Network,
  NetworkNode,
  NodeId,
  RecenterNode,
  SourceNode,
  StencilNode,
} from "../../network/network.ts";
import { inputsFirst } from "../../network/walk.ts";
import { componentsOf } from "../../types.ts";
import { isStored } from "../fetching.ts";
import type { Binding } from "../kernel.ts";
import type { FieldLayout } from "../kernel-planner.ts";
import { centeringOf, inputsOf, ownInputs, type Stage } from "../stages.ts";
import { cellSize, index, metric, position } from "./grid-wgsl.ts";
import { Names } from "./names.ts";
import { composeValue, constantLiteral, wgslType } from "./wgsl-values.ts";

/** Statements of one function body, which has `p: vec3i` and `at: u32`, the element's place, in scope. */
export interface Scope {
  readonly centering: Centering;
  readonly lines: string[];
  readonly values: Map<NodeId, string>;
  /** Whether stored values get their field's offset back. */
  readonly addsOffsets: boolean;
  /** Values that the kernel keeps in registers while it walks along z. */
  readonly columns: ReadonlyMap<NodeId, Column>;
}

export interface Column {
  readonly name: string;
  readonly type: string;
  /** The function that fetches the value at any element. */
  readonly fetch: string;
}

export const comparisons: ReadonlySet<string> = new Set(["lt", "le", "gt", "ge", "eq", "ne"]);

/** Filters whose value stays the same when both operands are shifted alike. */
export const comparedByDifference: ReadonlySet<string> = new Set(["subtract", ...comparisons]);

/** Writes the values of one stage's nodes as WGSL, and gathers the bindings and functions that they need. */
export class ValueWriter {
  readonly names = new Names();
  readonly bindings: { readonly name: string; readonly binding: Binding }[] = [];
  readonly functions: string[] = [];
  readonly fragments = new Set<Fragment>();
  /** Numbers that the data decide, by what they are: the code is the same for others. */
  readonly parameters = new Map<string, { readonly name: string; readonly value: number }>();
  readonly #network: Network;
  readonly #stage: Stage;
  readonly #layout: (field: string) => FieldLayout;
  readonly #fetches = new Map<string, string>();
  readonly #helpers = new Map<NodeId, string>();

  constructor(network: Network, stage: Stage, layout: (field: string) => FieldLayout) {
    this.#network = network;
    this.#stage = stage;
    this.#layout = layout;
  }

  bind(key: string, binding: Binding): string {
    const found = this.bindings.find(({ binding: known }) => isSameBinding(known, binding));
    if (found) return found.name;
    const name = binding.kind === "tables" ? `${key}_tables` : key;
    this.bindings.push({ name, binding });
    return name;
  }

  /** An expression of the node's value in the scope; what it needs is written before it. */
  value(id: NodeId, scope: Scope): string {
    const known = scope.values.get(id);
    if (known !== undefined) return known;
    const isLeaf = (at: NodeId) => scope.values.has(at) || this.#columnValue(at, scope) !== undefined;
    const inputs = (at: NodeId) => (isLeaf(at) ? [] : ownInputs(this.#network, this.#stage, at));
    for (const at of inputsFirst([id], inputs)) {
      if (!scope.values.has(at)) scope.values.set(at, this.#write(at, scope));
    }
    return scope.values.get(id) as string;
  }

  /** The name of a function that gives the node's value at any element of its own centring. */
  fetch(id: NodeId, wantsOffsets: boolean): string {
    const addsOffsets = wantsOffsets && this.#isShifted(id);
    const key = `${id} ${addsOffsets}`;
    let name = this.#fetches.get(key);
    if (!name) {
      const node = this.#network.nodes[id];
      const centering = centeringOf(node);
      name = this.names.numbered(`${this.#label(id)}_at`);
      this.#fetches.set(key, name);
      const scope: Scope = { centering, lines: [], values: new Map(), addsOffsets, columns: new Map() };
      const result = this.value(id, scope);
      this.fragments.add(index[centering]);
      this.functions.push(
        functionText(name, "p: vec3i", wgslType(node.type.value), [
          `let at = ${centering}_index(p);`,
          ...scope.lines,
          `return ${result};`,
        ]),
      );
    }
    return name;
  }

  /** The fetch function that a stencil uses: without offsets where they would only cost digits. */
  fetchForStencil(id: NodeId): string {
    return this.fetch(id, this.#addsOffsets(id));
  }

  #addsOffsets(id: NodeId): boolean {
    return !isStored(this.#network, id, this.#stage.stored);
  }

  /** Whether what memory holds of the value lacks an offset: a centred field's, or the grid's centre. */
  #isShifted(id: NodeId): boolean {
    const node = this.#network.nodes[id];
    if (this.#stage.stored.has(id)) return false;
    if (node.kind === "source") return this.#layout(node.field).offsets.some((offset) => offset !== 0);
    return (
      (node.kind === "mesh" && node.filter.reads === "positions") ||
      inputsOf(node).some((input) => this.#isShifted(input))
    );
  }

  /** The register that holds the value already, if any. */
  #columnValue(id: NodeId, scope: Scope): string | undefined {
    const column = scope.columns.get(id);
    return column && (!this.#isShifted(id) || this.#addsOffsets(id)) ? `${column.name}_here` : undefined;
  }

  /** What the node needs is written already. */
  #write(id: NodeId, scope: Scope): string {
    const node = this.#network.nodes[id];
    const held = this.#columnValue(id, scope);
    if (held !== undefined) return held;
    if (this.#stage.stored.has(id)) return this.#stored(id, node, scope);
    switch (node.kind) {
      case "constant": {
        const { values, reducedBy, type } = node;
        if (reducedBy !== undefined) {
          const parts = values.map((value, c) => this.#parameter(`${id} ${c}`, reducedBy, value));
          return this.#let(reducedBy, composeValue(type.value, parts), scope);
        }
        const literal = constantLiteral(type.value, values);
        this.#require(literal.fragments);
        return literal.wgsl;
      }
      case "source":
        return this.#source(node, scope);
      case "mesh":
        return this.#let(node.filter.name, this.#mesh(node, scope), scope);
      case "element": {
        const args = this.#leveled(id, node, scope) ?? node.inputs.map((input) => this.value(input, scope));
        const known = node.inputs.map((input) => {
          const given = this.#network.nodes[input];
          const isKnown = given.kind === "constant" && given.reducedBy === undefined;
          return isKnown && given.values.length === 1 ? given.values[0] : undefined;
        });
        const { expression, fragments } = elementWgsl(node.overload, args, known);
        this.#require(fragments);
        return node.overload.isAccess ? expression : this.#let(this.#label(id), expression, scope);
      }
      case "stencil":
        return this.#let(this.#label(id), this.#stencil(id, node, scope), scope);
      case "reduction":
        throw new Error(`${node.filter.name} is written before it is measured`);
      case "recenter":
        return this.#let(this.#label(id), `${this.#recenter(id, node)}(p)`, scope);
    }
  }

  #require(fragments: readonly Fragment[]): void {
    for (const fragment of fragments) this.fragments.add(fragment);
  }

  #let(name: string, expression: string, scope: Scope): string {
    const chosen = this.names.numbered(name);
    scope.lines.push(`let ${chosen} = ${expression};`);
    return chosen;
  }

  #stored(id: NodeId, node: NetworkNode, scope: Scope): string {
    const buffer = this.bind(this.names.prefixed("tmp", this.#label(id)), { kind: "temporary", node: id });
    const parts = this.#planes(buffer, componentsOf(node.type.value), scope.centering);
    return this.#let(this.#label(id), composeValue(node.type.value, parts), scope);
  }

  #source(node: SourceNode, scope: Scope): string {
    const shifts = this.#shifts(node);
    const isShifted = scope.addsOffsets && shifts.some((offset) => offset !== 0);
    const planes = this.#sourcePlanes(node, scope);
    const parts = planes.map((plane, c) => {
      if (!isShifted) return plane;
      const component = (node.component ?? 0) + c;
      const offset = this.#parameter(`${node.field} ${component}`, `${node.field}_offset`, shifts[c]);
      return `${plane} + ${offset}`;
    });
    return this.#let(node.field, composeValue(node.type.value, parts), scope);
  }

  #sourcePlanes({ field, component, type }: SourceNode, { centering }: Scope): string[] {
    const known = this.bindings.find(({ binding }) => binding.kind === "source" && binding.field === field);
    const buffer = known?.name ?? this.bind(this.names.prefixed("in", field), { kind: "source", field });
    return this.#planes(buffer, componentsOf(type.value), centering, component ?? 0);
  }

  /** What was taken off each of the source's components before it went to the GPU. */
  #shifts({ field, component, type }: SourceNode): readonly number[] {
    const first = component ?? 0;
    return this.#layout(field).offsets.slice(first, first + componentsOf(type.value));
  }

  /**
   * The operands of a sum, difference or comparison of centred fields and constants, with the constants and offsets
   * put together in f64: beside a large offset f32 has no digits for them.
   */
  #leveled(id: NodeId, node: ElementNode, scope: Scope): string[] | undefined {
    const { name } = node.filter;
    const isSum = name === "add";
    if (!scope.addsOffsets || node.inputs.length !== 2 || !(isSum || comparedByDifference.has(name))) return;
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
      operand.kind === "source" ? this.#sourcePlanes(operand, scope)[0] : undefined,
    );
    const rest = this.#parameter(`level ${id}`, `${name}_level`, isSum ? a + b : b - a);
    return [first ?? "0.0", second ? `(${second} + ${rest})` : rest];
  }

  /** The member of the uniform `parameters` for what `key` names. */
  #parameter(key: string, label: string, value: number): string {
    const found = this.parameters.get(key) ?? { name: this.names.numbered(label), value };
    this.parameters.set(key, found);
    return `parameters.${found.name}`;
  }

  #planes(buffer: string, components: number, centering: Centering, first = 0): string[] {
    const count = `extents.${centering}_count`;
    return Array.from({ length: components }, (_, c) => {
      const plane = first + c;
      if (plane === 0) return `${buffer}[at]`;
      return `${buffer}[at + ${plane === 1 ? "" : `${plane}u * `}${count}]`;
    });
  }

  #tables(centering: Centering): void {
    this.bind(centering, { kind: "tables", centering });
  }

  #mesh({ filter }: MeshNode, { centering, addsOffsets }: Scope): string {
    if (filter.reads === "steps") {
      this.#tables("node");
      this.fragments.add(cellSize);
    }
    if (filter.reads !== "positions") return filter.wgsl(centering);
    this.#tables(centering);
    this.fragments.add(position[centering]);
    return `${filter.wgsl(centering)}${addsOffsets ? " + extents.center" : ""}`;
  }

  #stencil(id: NodeId, node: StencilNode, scope: Scope): string {
    const [input] = node.inputs;
    const fetch = node.filter.isDerivative ? this.fetchForStencil(input) : this.fetch(input, true);
    const { centering } = scope;
    let name = this.#helpers.get(id);
    if (!name) {
      name = this.names.numbered(`${node.filter.name}_of`);
      this.#helpers.set(id, name);
      const type = wgslType(this.#network.nodes[input].type.value);
      const around = node.filter.move ? "" : `, here: ${type}, below: ${type}, above: ${type}`;
      if (node.filter.isDerivative) {
        this.#tables(centering);
        this.fragments.add(metric[centering]);
      }
      this.#require(node.overload.shader?.fragments ?? []);
      this.functions.push(
        functionText(
          name,
          `p: vec3i${around}${node.filter.isDerivative ? ", spans: vec3f" : ""}`,
          wgslType(node.type.value),
          [
            `let dims = extents.${centering}_dims;`,
            ...stencilWgsl(node.overload, fetch, node.filter.isDerivative ?? false).split("\n"),
          ],
        ),
      );
    }
    if (node.filter.move) return `${name}(p)`;
    const column = scope.columns.get(input);
    if (!column) throw new Error(`the stencil ${node.filter.name} is evaluated outside a column`);
    const spans = node.filter.isDerivative ? ", spans" : "";
    return `${name}(p, ${column.name}_here, ${column.name}_below, ${column.name}_above${spans})`;
  }

  /** To cells: the mean over corners p and p + 1. To nodes: over the cells p − 1 and p. Borders name one twice. */
  #recenter(id: NodeId, node: RecenterNode): string {
    let name = this.#helpers.get(id);
    if (!name) {
      name = this.names.numbered("recenter_of");
      this.#helpers.set(id, name);
      const fetch = this.fetch(node.inputs[0], true);
      const corners = Array.from({ length: 8 }, (_, corner) => {
        const side = (bit: number, axis: string) => `${corner & bit ? "high" : "low"}.${axis}`;
        return `${fetch}(vec3i(${side(1, "x")}, ${side(2, "y")}, ${side(4, "z")}))`;
      });
      this.functions.push(
        functionText(name, "p: vec3i", wgslType(node.type.value), [
          ...(node.to === "cell"
            ? ["let low = p;", "let high = min(p + 1, extents.node_dims - 1);"]
            : ["let low = max(p - 1, vec3i(0));", "let high = min(p, extents.cell_dims - 1);"]),
          `let sum = ${corners.join("\n    + ")};`,
          "return 0.125 * sum;",
        ]),
      );
    }
    return name;
  }

  /** A readable base for names. */
  #label(id: NodeId): string {
    const node = this.#network.nodes[id];
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
}

function isSameBinding(a: Binding, b: Binding): boolean {
  if (a.kind === "tables") return b.kind === "tables" && a.centering === b.centering;
  if (a.kind === "source") return b.kind === "source" && a.field === b.field;
  if (a.kind === "temporary") return b.kind === "temporary" && a.node === b.node;
  return b.kind === "store" && a.store === b.store;
}

function functionText(name: string, parameters: string, result: string, body: readonly string[]): string {
  return `fn ${name}(${parameters}) -> ${result} {\n${body.map((line) => (line.startsWith("  ") ? line : `  ${line}`)).join("\n")}\n}`;
}
