import type { ChunkBoard } from "./chunk-board.ts";
import { Sweep } from "./sweep.ts";
import type { StageTask } from "./task.ts";

/** One thread's part in a stage: a chunk at each step. */
export function* computeChunks(task: StageTask, board: ChunkBoard): Generator<void> {
  const sweep = new Sweep(task);
  for (let first = board.take(); first !== undefined; first = board.take()) {
    sweep.run(first, board.lengthFrom(first));
    board.finish();
    yield;
  }
}
