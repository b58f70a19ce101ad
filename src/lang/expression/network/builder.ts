import type { Span } from "../../../core/errors.ts";
import type { Centering } from "../../../core/grid.ts";
import type { FilterBuilder } from "../filters/filter.ts";
import type { FieldSignature, Network, NodeId } from "./network.ts";

export interface BuildOptions {
  /** Names of the outputs to keep; all of them where it is left out. */
  readonly outputs?: readonly string[];
  /** Where the outputs' values are wanted; where they are computed, unless it is given. */
  readonly centering?: Centering;
}

/**
 * Builds a network value by value ("create and connect", seed 001 § III.B). Equal values become one node:
 * constants are pooled and common sub-expressions found wherever they nest.
 */
export interface NetworkBuilder extends FilterBuilder<NodeId> {
  source(field: FieldSignature, component?: number, span?: Span): NodeId;
  coordinates(centering: Centering, span?: Span): NodeId;
  /** A value of the grid alone, such as node_id, at the centring; moved there where only the other has it. */
  mesh(filter: string, centering: Centering, span?: Span): NodeId;
  /**
   * Applies a filter by name: picks the overload by the inputs' types, recentres mixed centrings to nodes (with a
   * note), folds constants, expands composites. Throws TypeError with the span, the types found and those expected.
   */
  apply(filter: string, inputs: readonly NodeId[], span?: Span): NodeId;
  recenter(input: NodeId, to: Centering, span?: Span): NodeId;
  /** Component `index` of a vector, or row `index` of a tensor. Throws TypeError where there is none. */
  component(input: NodeId, index: number, span?: Span): NodeId;
  /** Names a result; a later output of the same name replaces an earlier one. Booleans come out as 0 and 1. */
  output(name: string, node: NodeId): void;
  /** A sentence for the person, said once. */
  note(sentence: string): void;
  /** The finished network without what no output needs. */
  build(options?: BuildOptions): Network;
}
