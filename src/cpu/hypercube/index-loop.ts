import { compileKernel } from "../../kernel/compile-js.ts";
import { noSource, type SourceIndex, sourceProgram } from "../../kernel/hypercube/source-index.ts";

/** Fills `indices` with the source's indices of as many elements of the result, from `first` on. */
export type IndexLoop = (first: number, indices: Uint32Array) => void;

export function indexLoop(source: SourceIndex): IndexLoop {
  const run = compileKernel(sourceProgram(source));
  return (first, indices) =>
    run({
      space: { kind: "row", whole: noSource, first, length: indices.length },
      inputs: {},
      outputs: { source: indices },
      constants: {},
    });
}
