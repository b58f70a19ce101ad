import type { DataSet, Field } from "../../../../core/field.ts";
import { gridBounds, nodeCoordinates } from "../../../../core/grid.ts";
import { extremesOf, levelOf, needsF64 } from "../../../../core/levels.ts";
import { elementLoop } from "../../filters/element-loops.ts";
import type {
  ElementNode,
  Network,
  NetworkNode,
  NodeId,
  SourceNode,
  StencilNode,
} from "../../network/network.ts";
import { comparedByDifference, comparisons } from "../../plan/composition/leveled.ts";
import { isStored } from "../../plan/fetching.ts";
import { componentsOf } from "../../types.ts";

/** Half a unit in the last place of f32 and of f64, relative to the value. */
const singleRounding = 2 ** -24;
const doubleRounding = 2 ** -53;

/** These jump where their operand passes a whole number: errors below half of one leave most values as they are. */
const jumps: ReadonlySet<string> = new Set(["floor", "ceil", "round", "sign", "mod"]);

/** What every node of a network is on a sample, interleaved. */
export type SampledValues = ReadonlyMap<NodeId, Float64Array>;

/** Where errors come from: the rounding of the fields in their files alone, or that and all of f32's. */
export type ErrorSource = "fields" | "f32";

/**
 * Bounds on the errors of values on a sample: first-order ones, as a GPU computes them in f32 with levels taken off narrow ranges. An
 * operation adds what each operand's error changes of its value, and its own rounding.
 */
export class ErrorBounds {
  readonly #network: Network;
  readonly #whole: DataSet;
  readonly #fields: ReadonlyMap<string, Field>;
  readonly #values: SampledValues;
  readonly #isSingle: boolean;
  readonly #levels = new Map<string, readonly number[]>();
  readonly #known = new Map<NodeId, Float64Array>();

  constructor(network: Network, whole: DataSet, sample: DataSet, values: SampledValues, source: ErrorSource) {
    this.#network = network;
    this.#whole = whole;
    this.#fields = new Map(sample.fields.map((field) => [field.name, field]));
    this.#values = values;
    this.#isSingle = source === "f32";
  }

  /** Of a node whose inputs have been asked for before. */
  of(id: NodeId): Float64Array {
    let known = this.#known.get(id);
    if (!known) {
      known = this.#bound(id, this.#network.nodes[id]);
      this.#known.set(id, known);
    }
    return known;
  }

  /** Of the difference that a comparison of levelled operands looks at, or of both its operands. */
  ofCompared(node: ElementNode): Float64Array {
    const [a, b] = node.inputs;
    const difference = this.#levelled(node);
    const [x, y] = [this.of(a), this.of(b)];
    return difference ?? x.map((error, i) => error + y[i]);
  }

  #bound(id: NodeId, node: NetworkNode): Float64Array {
    const values = this.#valuesOf(id);
    switch (node.kind) {
      case "constant":
        return values.map((value) => (this.#isSingle ? Math.abs(value - Math.fround(value)) : 0));
      case "source":
        return this.#source(node, values);
      case "mesh":
        return this.#mesh(node.filter.reads === "positions", values);
      case "element":
        return this.#element(node, values);
      case "stencil":
        return this.#stencil(node, values);
      case "recenter":
        return this.#rounded(values, mean(this.of(node.inputs[0])));
      case "reduction": {
        const isPlace = node.type.value === "vec3";
        const worst = isPlace ? 0 : largest(this.of(node.inputs[0]));
        const terms = node.filter.name === "sum" ? this.#valuesOf(node.inputs[0]).length : 1;
        return values.map(() => worst * terms);
      }
    }
  }

  #source(node: SourceNode, values: Float64Array): Float64Array {
    const field = this.#fields.get(node.field) as Field;
    const isFloat = field.dtype === "f32" || field.dtype === "f64";
    if (!this.#isSingle || !needsF64(field)) {
      const inFile = field.dtype === "f64" ? doubleRounding : singleRounding;
      const isBlurred = isFloat && (!this.#isSingle || field.dtype === "f64");
      return values.map((value) => (isBlurred ? inFile * Math.abs(value) : 0));
    }
    return this.#stored(node, values).map((stored, i) => {
      const isShifted = stored !== values[i];
      return singleRounding * (Math.abs(stored) + (isShifted ? Math.abs(values[i]) : 0));
    });
  }

  /** What a GPU's memory holds of a field's values: those less the components' levels. */
  #stored(node: SourceNode, values: Float64Array): Float64Array {
    const levels = this.#levelsOf(node);
    return values.map((value, i) => value - levels[i % levels.length]);
  }

  #levelsOf({ field: name, component, type }: SourceNode): readonly number[] {
    let levels = this.#levels.get(name);
    if (!levels) {
      const field = this.#fields.get(name) as Field;
      levels = extremesOf(field.data, field.components).map((range) =>
        needsF64(field) && this.#isSingle ? levelOf(range) : 0,
      );
      this.#levels.set(name, levels);
    }
    const first = component ?? 0;
    return levels.slice(first, first + componentsOf(type.value));
  }

  /** Positions are kept relative to the grid's middle; other values of a mesh come from differences of those. */
  #mesh(arePositions: boolean, values: Float64Array): Float64Array {
    const bounds = gridBounds(this.#whole.grid);
    const extent = Math.max(...[0, 2, 4].map((at) => bounds[at + 1] - bounds[at]));
    const own = this.#isSingle ? singleRounding : doubleRounding;
    return values.map((value) => own * ((arePositions ? extent : 0) + Math.abs(value)));
  }

  #element(node: ElementNode, values: Float64Array): Float64Array {
    const { name } = node.filter;
    if (comparisons.has(name)) return new Float64Array(values.length);
    const levelled = this.#levelled(node);
    if (levelled) return levelled;
    const changed = new Float64Array(values.length);
    for (const [k, input] of node.inputs.entries()) {
      const errors = this.of(input);
      if (jumps.has(name))
        errors.forEach((error, i) => {
          if (error >= 0.5) changed[i] += error;
        });
      else if (largest(errors) > 0) this.#addChange(node, k, errors, values, changed);
    }
    return node.overload.isAccess ? changed : this.#rounded(values, changed);
  }

  /** Adds to `changed` what the errors of an operand change of the node's values, each component by itself. */
  #addChange(
    node: ElementNode,
    k: number,
    errors: Float64Array,
    values: Float64Array,
    changed: Float64Array,
  ) {
    const { overload, inputs } = node;
    const args = inputs.map((input) => this.#valuesOf(input));
    const width = componentsOf(overload.inputs[k]);
    const count = values.length / componentsOf(overload.output);
    const loop = elementLoop(overload);
    for (let c = 0; c < width; c++) {
      const moved = args[k].map((value, i) => (i % width === c ? value + errors[i] : value));
      const out = new Float64Array(values.length);
      loop(
        args.map((each, j) => (j === k ? moved : each)),
        out,
        count,
      );
      for (let i = 0; i < out.length; i++) changed[i] += Math.abs(out[i] - values[i]) || 0;
    }
  }

  /** Of a sum or difference of fields and constants whose levels are put together in f64; undefined for others. */
  #levelled(node: ElementNode): Float64Array | undefined {
    const { name } = node.filter;
    if (!this.#isSingle || node.inputs.length !== 2) return undefined;
    if (name !== "add" && !comparedByDifference.has(name)) return undefined;
    const operands = node.inputs.map((input) => this.#network.nodes[input]);
    const isLevelled = (operand: NetworkNode) =>
      operand.kind === "source" && this.#levelsOf(operand)[0] !== 0;
    const isKnown = ({ kind, type }: NetworkNode) =>
      type.value === "scalar" && (kind === "source" || kind === "constant" || kind === "reduction");
    if (!operands.some(isLevelled) || !operands.every(isKnown)) return undefined;
    const [a, b] = node.inputs.map((input) => this.#valuesOf(input));
    const sign = name === "add" ? 1 : -1;
    const errors = operands.map((operand, k) => {
      const values = k === 0 ? a : b;
      if (operand.kind !== "source")
        return operand.kind === "reduction" ? this.of(node.inputs[k]) : undefined;
      return this.#stored(operand, values).map((stored) => singleRounding * Math.abs(stored));
    });
    return a.map(
      (value, i) =>
        (errors[0]?.[i] ?? 0) + (errors[1]?.[i] ?? 0) + 2 * singleRounding * Math.abs(value + sign * b[i]),
    );
  }

  #stencil(node: StencilNode, values: Float64Array): Float64Array {
    const [input] = node.inputs;
    const from = this.#network.nodes[input];
    if (!node.filter.isDerivative) {
      const around = mean(this.of(input));
      return node.filter.move ? values.map(() => around) : this.#rounded(values, around);
    }
    const isPlain = this.#isSingle && from.kind === "source" && isStored(this.#network, input, new Set());
    const errors = isPlain
      ? this.#stored(from, this.#valuesOf(input)).map((stored) => singleRounding * Math.abs(stored))
      : this.of(input);
    const isSecond = /^(laplacian|hessian)/.test(node.filter.name);
    const step = smallestStep(this.#whole);
    return this.#rounded(values, mean(errors) * (isSecond ? 4 / step ** 2 : 1 / step));
  }

  #rounded(values: Float64Array, errors: Float64Array | number): Float64Array {
    const own = this.#isSingle ? singleRounding : 0;
    return values.map(
      (value, i) => (typeof errors === "number" ? errors : errors[i]) + own * Math.abs(value),
    );
  }

  #valuesOf(id: NodeId): Float64Array {
    return this.#values.get(id) as Float64Array;
  }
}

const mean = (errors: Float64Array): number => {
  const finite = errors.filter(Number.isFinite);
  return finite.length === 0 ? 0 : finite.reduce((a, b) => a + b, 0) / finite.length;
};

const largest = (errors: Float64Array): number =>
  errors.reduce((most, error) => (Number.isFinite(error) && error > most ? error : most), 0);

/** The least distance of two neighbours along any axis. */
function smallestStep({ grid }: DataSet): number {
  let least = Number.POSITIVE_INFINITY;
  for (const axis of [0, 1, 2]) {
    const along = nodeCoordinates(grid, axis);
    for (let i = 1; i < along.length; i++) least = Math.min(least, along[i] - along[i - 1]);
  }
  return least;
}
