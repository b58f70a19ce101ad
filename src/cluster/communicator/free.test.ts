import { describe, expect, it } from "vitest";
import { add } from "./operators/elements.ts";
import { valuesOf } from "./testing/run-ranks.ts";

const seed = 5;

describe("free", () => {
  it("releases a communicator once everything in progress on it is done, on all ranks", async () => {
    const counts = await valuesOf(5, { seed }, async (world, { seen }) => {
      const { rank, size } = world;
      const here = seen[rank].member.epoch.world;
      const before = here.communicators;
      for (let k = 0; k < 20; k++) {
        const half = await world.split(rank % 2);
        const other = await world.dup();
        const long = other.irecv<Float64Array>((rank + 1) % size, 3);
        const sum = half?.allreduce<Float64Array>(Float64Array.of(rank), add);
        const sent = other.send((rank + size - 1) % size, new Float64Array(20_000).fill(rank), 3);
        await Promise.all([half?.free(), other.free()]);
        expect(long.isDone).toBe(true);
        expect((await sum)?.[0]).toBe(rank % 2 === 0 ? 6 : 4);
        expect((await long.done).data[19_999]).toBe((rank + 1) % size);
        await sent;
      }
      return here.communicators - before;
    });
    expect(counts).toEqual([0, 0, 0, 0, 0]);
  });

  it("ends all later calls with MPI_ERR_COMM", async () => {
    await valuesOf(2, { seed }, async (world) => {
      const other = await world.dup();
      const freed = other.free();
      const expected = { tag: "BadArgument", mpi: "MPI_ERR_COMM" };
      const calls = () => [
        other.send(0, 1),
        other.recv(0),
        other.recvInto(new Int8Array(1)),
        other.sendrecv(0, 1),
        other.isend(0, 1).done,
        other.irecv().done,
        other.barrier(),
        other.allreduce<number>(1, add as never),
        other.split(1),
        other.dup(),
        other.free(),
      ];
      for (const call of calls()) await expect(call).rejects.toMatchObject(expected);
      await freed;
      for (const call of calls()) await expect(call).rejects.toMatchObject(expected);
      await expect(other.shrink()).rejects.toMatchObject(expected);
      expect(() => other.iprobe()).toThrow("freed");
      other.revoke();
      await world.barrier();
    });
  });

  it("is refused for the communicator of all ranks", async () => {
    await valuesOf(2, { seed }, async (world) => {
      await expect(world.free()).rejects.toMatchObject({ tag: "BadArgument", mpi: "MPI_ERR_COMM" });
      await world.barrier();
    });
  });

  it("returns the credit of messages that nobody received", async () => {
    await valuesOf(2, { seed }, async (world) => {
      for (let k = 0; k < 20; k++) {
        const other = await world.dup();
        if (world.rank === 0) {
          for (let m = 0; m < 8; m++) await other.send(1, new Uint8Array(2 ** 16 - 64));
        }
        await other.free();
      }
    });
  });

  it("waits for a cancelled receive, and rejects if the communicator is revoked", async () => {
    await valuesOf(2, { seed }, async (world) => {
      const other = await world.dup();
      const never = other.irecv(0, 7);
      never.done.catch(() => {});
      const freed = other.free();
      await world.barrier();
      expect(never.cancel()).toBe(true);
      await freed;
      const third = await world.dup();
      if (world.rank === 0) third.revoke();
      await expect(third.free()).rejects.toMatchObject({ tag: "Revoked" });
    });
  });
});
