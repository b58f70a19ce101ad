import { describeError } from "../../../../core/errors.ts";
import { ChunkBoard } from "./chunk-board.ts";
import { computeChunks } from "./compute-chunks.ts";
import type { Answer, Request } from "./team.ts";

/** The worker's side: computes its part of a stage, and says so. */
export function answer({ id, task, board }: Request): Answer {
  try {
    const chunks = computeChunks(task, new ChunkBoard(task, board));
    while (!chunks.next().done);
    return { id };
  } catch (error) {
    return { id, failure: describeError(error) };
  }
}
