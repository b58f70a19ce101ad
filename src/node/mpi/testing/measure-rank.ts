// A rank that measures calls over MPI; rank 0 prints medians in microseconds. By hand: see docs/communicator.md.
import type { Communicator } from "../../../cluster/communicator/communicator.ts";
import { add } from "../../../cluster/communicator/operators/elements.ts";
import { openMpi } from "../open-mpi.ts";

const warmUps = 5;

async function medianOf(communicator: Communicator, trials: number, run: () => Promise<unknown>) {
  const times: number[] = [];
  for (let k = -warmUps; k < trials; k++) {
    await communicator.barrier();
    const start = performance.now();
    await run();
    if (k >= 0) times.push(performance.now() - start);
  }
  return Math.round(1000 * times.toSorted((a, b) => a - b)[trials >> 1]);
}

const { world, library, finalize } = await openMpi();
const figures: Record<string, number> = {};
for (const [bytes, trials] of [
  [8, 400],
  [4096, 400],
  [2 ** 20, 60],
  [2 ** 24, 15],
]) {
  const data = new Float32Array(bytes / 4).fill(1);
  figures[`allreduce ${bytes}`] = await medianOf(world, trials, () => world.allreduce(data, add));
}
const given = new Float32Array(1024).fill(1);
const parts = Array.from({ length: world.size }, () => given);
figures["exscan 4096"] = await medianOf(world, 400, () => world.exscan(given, add));
figures["reduceScatter 4096"] = await medianOf(world, 400, () =>
  world.reduceScatter(
    given,
    parts.map((_, k) => (k === 0 ? given.length : 0)),
    add,
  ),
);
figures["gather 4096"] = await medianOf(world, 400, () => world.gather(given));
figures["alltoall 4096"] = await medianOf(world, 400, () => world.alltoall(parts));
for (const [bytes, trials] of [
  [8, 400],
  [2 ** 20, 60],
]) {
  const out = new Uint8Array(bytes);
  const into = new Uint8Array(bytes);
  figures[`there and back ${bytes}`] = await medianOf(world, trials, async () => {
    if (world.rank > 1) return;
    if (world.rank === 0) await world.send(1, out);
    await world.recvInto(into, 1 - world.rank);
    if (world.rank === 1) await world.send(0, out);
  });
}
if (world.rank === 0) console.log(JSON.stringify({ library, ranks: world.size, ...figures }));
await finalize();
