import { CrinkleError } from "../../../core/errors.ts";
import { nearestName } from "../../../core/names.ts";
import { elementLoop } from "../filters/element-loops.ts";
import type { BuildOptions, NetworkBuilder } from "./builder.ts";
import { toDot } from "./dot.ts";
import { type FilterType, filterType } from "./filter-types.ts";
import { createNetworkBuilder } from "./graph.ts";
import type { FieldSignature, Network, NodeId } from "./network.ts";
import { toScript } from "./script.ts";
import { inputsFirst } from "./walk.ts";

export interface SourceOptions {
  /** What filters connect to; the field's name, unless it is given. */
  readonly name?: string;
  /** One component of the field instead of all. */
  readonly component?: number;
}

/**
 * A dataflow network made by hand: create filters, connect them (seed 001, § III.B). The parser builds into the same
 * graph, so that what holds for texts holds here: equal values are computed once wherever they nest, constants are
 * pooled and folded, and what no sink needs is left out.
 *
 * Sources, constants and filters share one set of names; where none is given the network makes one up and returns it.
 * Filters may be made and connected in any order. All methods throw CrinkleError.
 */
export interface DataflowNetwork {
  /** Those of the data set that it was made for. */
  readonly fields: readonly FieldSignature[];
  /** A field of the data set. Throws UnknownName for any other. */
  addSource(field: string, options?: SourceOptions): string;
  /**
   * A value that is the same everywhere: a number, a boolean, or the components of a vector or a tensor (by rows).
   * Throws BadArgument for other numbers of components.
   */
  addConstant(value: number | boolean | readonly number[], name?: string): string;
  /**
   * A filter of the function reference by its function's name, or an operator's: add, subtract, multiply, divide, mod,
   * pow, negate, lt, le, gt, ge, eq, ne, and, or, not, if, compose, component_0 to component_2. What must be known in
   * advance follows a colon: recenter:node, recenter:cell, coords:node, coords:cell, laplacian:2, moved:x-1,-y-1,z.
   */
  addFilter(type: string, name?: string): string;
  /**
   * Makes the value of `source` the input of `target` at a port: its number, or its name as the reference writes the
   * argument, with or without a colon. Throws UnknownName, and BadArgument for a port that is taken and for cycles.
   */
  connect(source: string, target: string, port: string | number): void;
  disconnect(target: string, port: string | number): void;
  /** Names a result; a later sink of the same name replaces an earlier one. */
  addSink(name: string, source: string): void;
  /** The network in topological order. Throws BadArgument for open ports, and TypeError where types do not fit. */
  build(options?: BuildOptions): Network;
  /** The calls that rebuild what `build` gives, in JavaScript. Throws as `build`. */
  toScript(): string;
  /** What `build` gives, for Graphviz. Throws as `build`. */
  toDot(): string;
}

interface Module {
  readonly name: string;
  /** For people: “filter “sum” (add)”. */
  readonly described: string;
  readonly type: FilterType | undefined;
  /** The sources at the ports. */
  readonly inputs: (string | undefined)[];
  make(builder: NetworkBuilder, inputs: readonly NodeId[]): NodeId;
}

/** An empty network over a data set with these fields. */
export function createNetwork(fields: readonly FieldSignature[]): DataflowNetwork {
  return new Dataflow(fields);
}

/** Whether a value is what `createNetwork` made. */
export function isDataflowNetwork(value: unknown): value is DataflowNetwork {
  return value instanceof Dataflow;
}

class Dataflow implements DataflowNetwork {
  readonly fields: readonly FieldSignature[];
  readonly #modules = new Map<string, Module>();
  readonly #sinks = new Map<string, string>();
  /** Modules whose values have been connected to others: only these can close a cycle. */
  readonly #used = new Set<string>();
  /** The last numbers of the names made up. */
  readonly #made = new Map<string, number>();

  constructor(fields: readonly FieldSignature[]) {
    this.fields = fields;
  }

  addSource(name: string, options: SourceOptions = {}): string {
    const field = this.fields.find((candidate) => candidate.name === name);
    if (!field) {
      throw unknown(`The data set has no field “${name}”`, name, namesOf(this.fields), "Its fields are");
    }
    const { component } = options;
    return this.#add(options.name, name, {
      described: `source “${name}”`,
      type: undefined,
      make: (builder) => builder.source(field, component),
    });
  }

  addConstant(value: number | boolean | readonly number[], name?: string): string {
    const values = typeof value === "object" ? value : [Number(value)];
    if (![1, 2, 3, 9].includes(values.length)) {
      throw badArgument(`A constant of ${values.length} numbers has no type.`, "Give 1, 2, 3 or 9 numbers.");
    }
    return this.#add(name, "constant", {
      described: `constant ${values.length === 1 ? value : `{${values.join(", ")}}`}`,
      type: undefined,
      make: (builder) => {
        const node = builder.constant(values);
        return typeof value === "boolean" ? builder.apply("ne", [node, builder.constant([0])]) : node;
      },
    });
  }

  addFilter(typeName: string, name?: string): string {
    const type = filterType(typeName);
    return this.#add(name, typeName.replace(/\W+/g, "_"), {
      described: `filter “${name ?? typeName}”${name ? ` (${typeName})` : ""}`,
      type,
      make: (builder, inputs) => type.make(builder, inputs),
    });
  }

  connect(source: string, target: string, port: string | number): void {
    const from = this.#module(source);
    const to = this.#module(target);
    const index = portIndex(to, port);
    const taken = to.inputs[index];
    if (taken !== undefined) {
      throw badArgument(
        `Port ${portName(to, index)} of ${to.described} is taken by “${taken}”.`,
        `Disconnect it first: network.disconnect("${target}", "${portName(to, index)}").`,
      );
    }
    const closes = this.#used.has(target) || source === target;
    const cycle = closes ? this.#path(from.name, to.name) : undefined;
    if (cycle) {
      throw badArgument(
        `Connecting “${source}” to “${target}” would make a cycle: ${[source, ...cycle].join(" → ")}.`,
        "A network's values must not depend on themselves.",
      );
    }
    to.inputs[index] = source;
    this.#used.add(source);
  }

  disconnect(target: string, port: string | number): void {
    const to = this.#module(target);
    to.inputs[portIndex(to, port)] = undefined;
  }

  addSink(name: string, source: string): void {
    const { name: known } = this.#module(source);
    this.#sinks.delete(name);
    this.#sinks.set(name, known);
  }

  build(options: BuildOptions = {}): Network {
    if (this.#sinks.size === 0) {
      throw badArgument("The network has no sink, so it computes nothing.", "Name a result with addSink.");
    }
    const builder = createNetworkBuilder(elementLoop);
    const nodes = new Map<string, NodeId>();
    for (const module of this.#order()) {
      const inputs = connected(module).map((input) => nodes.get(input) as NodeId);
      nodes.set(module.name, made(module, builder, inputs));
    }
    for (const [name, source] of this.#sinks) builder.output(name, nodes.get(source) as NodeId);
    return builder.build(options);
  }

  toScript(): string {
    return toScript(this.build());
  }

  toDot(): string {
    return toDot(this.build());
  }

  #add(
    name: string | undefined,
    generic: string,
    module: Pick<Module, "described" | "type" | "make">,
  ): string {
    if (name !== undefined && this.#modules.has(name)) {
      throw badArgument(
        `The name “${name}” is taken by ${this.#module(name).described}.`,
        "Take another one.",
      );
    }
    const own = name ?? this.#unused(generic);
    this.#modules.set(own, { ...module, name: own, inputs: [] });
    return own;
  }

  /** `generic`, or with the next number that makes it a name of its own. */
  #unused(generic: string): string {
    let n = this.#made.get(generic) ?? 1;
    let name = n === 1 ? generic : `${generic}_${n}`;
    while (this.#modules.has(name)) name = `${generic}_${++n}`;
    this.#made.set(generic, n);
    return name;
  }

  #module(name: string): Module {
    const module = this.#modules.get(name);
    if (module) return module;
    throw unknown(`The network has nothing called “${name}”`, name, [...this.#modules.keys()], "It has");
  }

  /** What the sinks need, in the order in which it was made except where inputs come later. */
  #order(): Module[] {
    const modules = [...this.#modules.values()];
    const ids = new Map(modules.map(({ name }, id) => [name, id]));
    const inputs = (id: number) => connected(modules[id]).map((input) => ids.get(input) as number);
    const sinks = [...this.#sinks.values()].map((source) => ids.get(source) as number);
    const needed = inputsFirst(sinks, inputs).sort((a, b) => a - b);
    return inputsFirst(needed, inputs).map((id) => modules[id]);
  }

  /** The way that values take from `target` on to `source`, if there is one. */
  #path(source: string, target: string): string[] | undefined {
    const cameFrom = new Map<string, string | undefined>([[source, undefined]]);
    for (const name of cameFrom.keys()) {
      if (name === target) {
        const path: string[] = [];
        for (let at: string | undefined = name; at !== undefined; at = cameFrom.get(at)) path.push(at);
        return path;
      }
      for (const input of this.#module(name).inputs) {
        if (input !== undefined && !cameFrom.has(input)) cameFrom.set(input, name);
      }
    }
    return undefined;
  }
}

/** The module's value. An error says which module it is about. */
function made(module: Module, builder: NetworkBuilder, inputs: readonly NodeId[]): NodeId {
  checkPorts(module);
  try {
    return module.make(builder, inputs);
  } catch (error) {
    if (!(error instanceof CrinkleError)) throw error;
    const { tag, problem, remedy } = error;
    const where = module.described.replace(/^./, (first) => first.toUpperCase());
    throw new CrinkleError({ tag, problem: `${where}: ${problem}`, remedy, cause: error });
  }
}

/** The sources at a module's ports. */
function connected({ inputs }: Module): string[] {
  return [...inputs].filter((input) => input !== undefined);
}

function checkPorts(module: Module): void {
  const { type, inputs, name, described } = module;
  if (!type) return;
  const open = type.ports.findIndex((_, i) => inputs[i] === undefined);
  const count = connected(module).length;
  if (type.arities.has(count) && (open < 0 || open === count)) return;
  throw badArgument(
    `Port ${portName(module, open)} of ${described} is not connected.`,
    `Connect it: network.connect(source, "${name}", "${portName(module, open)}").`,
  );
}

function portIndex(module: Module, port: string | number): number {
  const ports = module.type?.ports ?? [];
  const index = typeof port === "number" ? port : ports.indexOf(port.replace(/^:/, ""));
  if (index in ports) return index;
  const { described } = module;
  const list = ports.map((name, i) => `:${name} (${i})`).join(", ");
  throw new CrinkleError({
    tag: "UnknownName",
    problem: `There is no port ${port} of ${described}.`,
    remedy: list === "" ? "It has no ports." : `Its ports are ${list}.`,
  });
}

function portName({ type }: Module, index: number): string {
  return `:${type?.ports[index]}`;
}

function namesOf(items: readonly { readonly name: string }[]): string[] {
  return items.map(({ name }) => name);
}

/** `problem` comes without its full stop. */
function unknown(problem: string, name: string, known: readonly string[], title: string): CrinkleError {
  const near = nearestName(name, known);
  const list = known.length > 0 ? `${title} ${known.slice(0, 12).join(", ")}.` : "Add it first.";
  return new CrinkleError({
    tag: "UnknownName",
    problem: `${problem}.`,
    remedy: near ? `Did you mean ${near}?` : list,
  });
}

function badArgument(problem: string, remedy: string): CrinkleError {
  return new CrinkleError({ tag: "BadArgument", problem, remedy });
}
