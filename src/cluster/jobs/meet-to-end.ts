import type { Communicator } from "../communicator/communicator.ts";
import { isEpochOver } from "./outcomes.ts";

/** All ranks that are left wait for each other, after which each can leave without being missed. */
export async function meetToEnd(world: Communicator): Promise<void> {
  let left: Communicator | undefined = world;
  while (left) {
    const met: boolean = await left.barrier().then(() => true, goesOn);
    left = met ? undefined : await left.shrink().catch(() => undefined);
  }
}

/** Ranks that have met the others leave at once, and some may hear of that first. */
function goesOn(error: unknown): boolean {
  if (isEpochOver(error)) return false;
  throw error;
}
