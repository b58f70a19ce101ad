import type { Span } from "../../../core/errors.ts";
import type { Centering } from "../../../core/grid.ts";
import type {
  ElementFilter,
  ElementOverload,
  MeshFilter,
  ReductionFilter,
  StencilFilter,
  StencilOverload,
} from "../filters/filter.ts";
import type { ExpressionType, ValueType } from "../types.ts";

/** Index into `Network.nodes`. Inputs always come before the nodes that use them. */
export type NodeId = number;

interface NodeBase {
  readonly type: ExpressionType;
  /** Where in the text the value was written, for errors that only show when it runs. */
  readonly span?: Span;
}

/** `values` has the type's component count; booleans are 0 and 1. */
export interface ConstantNode extends NodeBase {
  readonly kind: "constant";
  readonly values: readonly number[];
  /** The reduction that gave the values: a network of other data has others, and the same kernels. */
  readonly reducedBy?: string;
}

/** A field of the data set: all its components (vec2, vec3, mat3), or one of them. */
export interface SourceNode extends NodeBase {
  readonly kind: "source";
  readonly field: string;
  /** Set where one component of the field is taken; the type is then scalar. */
  readonly component?: number;
}

export interface ElementNode extends NodeBase {
  readonly kind: "element";
  readonly filter: ElementFilter;
  readonly overload: ElementOverload;
  readonly inputs: readonly NodeId[];
}

export interface StencilNode extends NodeBase {
  readonly kind: "stencil";
  readonly filter: StencilFilter;
  readonly overload: StencilOverload;
  readonly inputs: readonly [NodeId];
}

/** Coordinates of the values of a centring: the vec3 of all three. */
export interface MeshNode extends NodeBase {
  readonly kind: "mesh";
  readonly filter: MeshFilter;
}

export interface RecenterNode extends NodeBase {
  readonly kind: "recenter";
  readonly to: Centering;
  readonly inputs: readonly [NodeId];
}

/** A number, a vector or a histogram of all values of its first input; the others are its parameters. */
export interface ReductionNode extends NodeBase {
  readonly kind: "reduction";
  readonly filter: ReductionFilter;
  readonly inputs: readonly [NodeId, ...NodeId[]];
}

export type NetworkNode =
  | ConstantNode
  | SourceNode
  | ElementNode
  | StencilNode
  | MeshNode
  | RecenterNode
  | ReductionNode;

export interface NetworkOutput {
  readonly name: string;
  readonly node: NodeId;
}

/** A typed dataflow network: a directed acyclic graph in topological order, each distinct value once. */
export interface Network {
  readonly nodes: readonly NetworkNode[];
  /** The statements' names in the order written; the last is the result of the text. */
  readonly outputs: readonly NetworkOutput[];
  /** Sentences about what was decided for the writer: automatic recentring, say. */
  readonly notes: readonly string[];
}

/** What an expression may name: the shape of each field of a data set. */
export interface FieldSignature {
  readonly name: string;
  readonly components: number;
  readonly centering: Centering;
  /** Set where the name means a value that is known and the same everywhere: its components. */
  readonly values?: readonly number[];
}

/** The signature of a name that means a value of these components everywhere. */
export function numberSignature(name: string, values: readonly number[]): FieldSignature {
  return { name, components: values.length, centering: "node", values };
}

/** The value type of a whole field; undefined for component counts that only indexing can use. */
export function fieldValueType(components: number): ValueType | undefined {
  switch (components) {
    case 1:
      return "scalar";
    case 2:
      return "vec2";
    case 3:
      return "vec3";
    case 9:
      return "mat3";
    default:
      return undefined;
  }
}
