import type { Span } from "../../../core/errors.ts";
import type { ElementFilter, StencilFilter } from "../filters/filter.ts";
import { movedName } from "../filters/moved.ts";
import { bothMoves, isStill } from "../filters/moves.ts";
import type { NetworkBuilder } from "./builder.ts";
import type { NetworkNode, NodeId } from "./network.ts";

/** What rewriting needs to see of a network under construction. */
export interface RewritableNetwork extends NetworkBuilder {
  node(id: NodeId): NetworkNode;
  /** Number `component` of a whole field; undefined for a node that is none. */
  partOfSource(whole: NodeId, component: number, span?: Span): NodeId | undefined;
}

/** Powers that products, quotients and roots say more exactly, and share with those written out. */
export function rewritePower(
  graph: RewritableNetwork,
  filter: ElementFilter,
  inputs: readonly NodeId[],
  span?: Span,
): NodeId | undefined {
  if (filter.name !== "pow") return undefined;
  const [base, power] = inputs;
  const exponent = graph.node(power);
  if (exponent.kind !== "constant" || graph.node(base).kind === "constant") return undefined;
  const times = (a: NodeId, b: NodeId) => graph.apply("multiply", [a, b], span);
  switch (exponent.values[0]) {
    case -1:
      return graph.apply("divide", [graph.constant([1]), base], span);
    case 0.5:
      return graph.apply("sqrt", [base], span);
    case 1:
      return base;
    case 2:
      return times(base, base);
    case 3:
      return times(times(base, base), base);
    case 4: {
      const square = times(base, base);
      return times(square, square);
    }
    default:
      return undefined;
  }
}

/**
 * Derivatives of f + c are those of f, and those of c·f are c times them: on values beside a large constant f32 would
 * have no digits left for differences.
 */
export function rewriteStencil(
  graph: RewritableNetwork,
  { name, isDerivative }: StencilFilter,
  input: NodeId,
  span?: Span,
): NodeId | undefined {
  if (!isDerivative) return undefined;
  const node = graph.node(input);
  if (node.kind !== "element" || node.inputs.length !== 2) return undefined;
  const [a, b] = node.inputs;
  const derive = (of: NodeId) => graph.apply(name, [of], span);
  const isNumber = (id: NodeId) => graph.constantOf(id)?.every(Number.isFinite) === true;
  const isFactor = (id: NodeId) => isNumber(id) && graph.typeOf(id).value === "scalar";
  switch (node.filter.name) {
    case "add":
      return isNumber(b) ? derive(a) : isNumber(a) ? derive(b) : undefined;
    case "subtract":
      if (isNumber(b)) return derive(a);
      return isNumber(a) ? graph.apply("negate", [derive(b)], span) : undefined;
    case "multiply":
      if (isFactor(b)) return graph.apply("multiply", [derive(a), b], span);
      return isFactor(a) ? graph.apply("multiply", [a, derive(b)], span) : undefined;
    case "divide":
      return isFactor(b) ? graph.apply("divide", [derive(a), b], span) : undefined;
    default:
      return undefined;
  }
}

/** What is moved twice is moved once, or not at all. */
export function rewriteMove(
  graph: RewritableNetwork,
  { move }: StencilFilter,
  input: NodeId,
  span?: Span,
): NodeId | undefined {
  if (!move) return undefined;
  if (isStill(move)) return input;
  const node = graph.node(input);
  const before = node.kind === "stencil" ? node.filter.move : undefined;
  const both = before && bothMoves(before, move);
  return both && node.kind === "stencil" ? graph.apply(movedName(both), [node.inputs[0]], span) : undefined;
}

/** A component of a field or of `{a, b, c}` is had without the rest. */
export function rewriteComponent(
  graph: RewritableNetwork,
  filter: ElementFilter,
  [input]: readonly NodeId[],
  span?: Span,
): NodeId | undefined {
  const index = componentIndex(filter);
  if (index === undefined) return undefined;
  const node = graph.node(input);
  if (node.kind === "element" && node.filter.name === "compose") return node.inputs[index];
  if (node.type.value !== "mat3" && node.kind === "source") return graph.partOfSource(input, index, span);
  const row = node.kind === "element" ? componentIndex(node.filter) : undefined;
  return node.kind === "element" && row !== undefined
    ? graph.partOfSource(node.inputs[0], 3 * row + index, span)
    : undefined;
}

function componentIndex({ name }: ElementFilter): number | undefined {
  const digits = /^component_(\d)$/.exec(name)?.[1];
  return digits === undefined ? undefined : Number(digits);
}
