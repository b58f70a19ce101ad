import { makeRoom, type Room } from "../../membership/testing/room.ts";
import type { NetworkOptions } from "../../transport/testing/memory-network.ts";
import type { Communicator } from "../communicator.ts";
import { communicatorOf } from "../group-communicator.ts";

/** How one rank's program ended. */
export type Outcome<R> = { readonly value: R } | { readonly error: unknown };

/** Runs a program on every rank of a room in memory until all have ended. Throws if one never does. */
export async function runRanks<R>(
  size: number,
  options: NetworkOptions,
  program: (world: Communicator, room: Room) => Promise<R>,
): Promise<Outcome<R>[]> {
  const room = makeRoom(size, options);
  const outcomes: (Outcome<R> | undefined)[] = room.seen.map(() => undefined);
  for (const [node, { member }] of room.seen.entries()) {
    program(communicatorOf(member.epoch.world), room).then(
      (value) => {
        outcomes[node] = { value };
      },
      (error) => {
        outcomes[node] = { error };
      },
    );
  }
  const isOver = await room.network.run(() => outcomes.every((outcome) => outcome !== undefined), 3_600_000);
  if (!isOver) {
    throw new Error(
      `ranks wait forever: ${outcomes.flatMap((outcome, node) => (outcome ? [] : [node])).join(", ")}`,
    );
  }
  return outcomes as Outcome<R>[];
}

/**
 * The same for programs that wait for more than messages, such as timers and modules: the network's clock takes a
 * millisecond for each turn of the event loop.
 */
export async function runWorkingRanks<R>(
  size: number,
  options: NetworkOptions,
  program: (world: Communicator, room: Room) => Promise<R>,
): Promise<Outcome<R>[]> {
  const room = makeRoom(size, options);
  let ended = 0;
  const outcomes = Promise.all(
    room.seen.map(async ({ member }): Promise<Outcome<R>> => {
      try {
        return { value: await program(communicatorOf(member.epoch.world), room) };
      } catch (error) {
        return { error };
      } finally {
        ended++;
      }
    }),
  );
  while (ended < size) {
    await room.network.run(() => ended === size, 1);
    await new Promise((resolve) => setTimeout(resolve, 0));
  }
  return outcomes;
}

/** The results of programs, all of which must succeed. */
export async function valuesOf<R>(
  size: number,
  options: NetworkOptions,
  program: (world: Communicator, room: Room) => Promise<R>,
): Promise<R[]> {
  const outcomes = await runRanks(size, options, program);
  return outcomes.map((outcome) => {
    if ("error" in outcome) throw outcome.error;
    return outcome.value;
  });
}
