import { describe, expect, it } from "vitest";
import { anySource, anyTag } from "./communicator.ts";
import { add } from "./operators/elements.ts";
import { runRanks, valuesOf } from "./testing/run-ranks.ts";

const seed = 11;

describe("point-to-point messages", () => {
  it("arrive in the order of their source and tag, short and long ones alike", async () => {
    const values = await valuesOf(2, { seed }, async (world) => {
      const lengths = [1, 100_000, 0, 7, 20_000, 3];
      if (world.rank === 0) {
        await Promise.all(lengths.map((length, k) => world.send(1, new Float32Array(length).fill(k), 5)));
        return [];
      }
      const got: number[][] = [];
      for (let k = 0; k < lengths.length; k++) {
        const { data, source, tag } = await world.recv<Float32Array>(0, 5);
        got.push([data.length, data[0] ?? -1, source, tag]);
      }
      return got;
    });
    expect(values[1]).toEqual([
      [1, 0, 0, 5],
      [100_000, 1, 0, 5],
      [0, -1, 0, 5],
      [7, 3, 0, 5],
      [20_000, 4, 0, 5],
      [3, 5, 0, 5],
    ]);
  });

  it("are selected by source and tag, or by neither", async () => {
    const values = await valuesOf(3, { seed }, async (world) => {
      if (world.rank > 0) {
        await world.send(0, { from: world.rank, what: "a" }, 1);
        await world.send(0, { from: world.rank, what: "b" }, 2);
        return [];
      }
      const second = await world.recv(2, 2);
      const first = await world.recv(anySource, 1);
      const rest = [await world.recv(), await world.recv(anySource, anyTag)];
      expect(world.iprobe()).toBeUndefined();
      return [second, first, ...rest].map(({ data }) => JSON.stringify(data));
    });
    expect(values[0][0]).toBe('{"from":2,"what":"b"}');
    expect(values[0].toSorted()).toEqual(
      [1, 2].flatMap((from) => ["a", "b"].map((what) => JSON.stringify({ from, what }))),
    );
  });

  it("go around a ring with sendrecv, and to the sender itself", async () => {
    const values = await valuesOf(5, { seed }, async (world) => {
      const { rank, size } = world;
      let mine = Int32Array.of(rank, 2 ** 31 - 1);
      for (let k = 0; k < size; k++) {
        ({ data: mine } = await world.sendrecv<Int32Array<ArrayBuffer>>(
          (rank + 1) % size,
          mine,
          (rank + size - 1) % size,
        ));
      }
      await world.send(rank, "self", 9);
      return [mine, (await world.recv(rank, 9)).data];
    });
    expect(values.map(([mine]) => (mine as Int32Array)[0])).toEqual([0, 1, 2, 3, 4]);
    expect(values[3][1]).toBe("self");
  });

  it("have requests, which can be tested and cancelled", async () => {
    const values = await valuesOf(2, { seed }, async (world, { network }) => {
      if (world.rank === 1) {
        await new Promise<void>((resolve) => network.clock(1).after(50, resolve));
        await world.send(0, BigInt64Array.of(-3n), 4);
        return [];
      }
      const never = world.irecv(1, 8);
      const wanted = world.irecv<BigInt64Array>(1, 4);
      const before = wanted.isDone;
      expect(never.cancel()).toBe(true);
      await expect(never.done).rejects.toMatchObject({ tag: "Cancelled" });
      const { data } = await wanted.done;
      return [before, wanted.isDone, wanted.cancel(), data[0]];
    });
    expect(values[0]).toEqual([false, true, false, -3n]);
  });

  it("are received into the caller's arrays, or truncated", async () => {
    const values = await valuesOf(2, { seed }, async (world) => {
      if (world.rank === 0) {
        await world.send(1, new Float64Array(100_000).fill(6), 7);
        await world.send(1, Float64Array.of(1, 2, 3));
        await world.send(1, Float64Array.of(1, 2, 3));
        await world.send(1, "not an array");
        return [];
      }
      const long = new Float64Array(100_000);
      expect((await world.recvInto(long, 0, 7)).count).toBe(100_000);
      expect([long[0], long[99_999]]).toEqual([6, 6]);
      const into = new Float64Array(4).fill(9);
      const { count } = await world.recvInto(into, 0, 0);
      await expect(world.recvInto(new Float64Array(2))).rejects.toMatchObject({ mpi: "MPI_ERR_TRUNCATE" });
      await expect(world.recvInto(new Float64Array(2))).rejects.toMatchObject({ tag: "Truncated" });
      return [count, ...into];
    });
    expect(values[1]).toEqual([3, 1, 2, 3, 9]);
  });

  it("are refused if rank, tag or data are invalid", async () => {
    await valuesOf(2, { seed }, async (world) => {
      await expect(world.send(2, 1)).rejects.toMatchObject({ mpi: "MPI_ERR_RANK" });
      await expect(world.recv(-7)).rejects.toMatchObject({ mpi: "MPI_ERR_RANK" });
      await expect(world.send(0, 1, -1)).rejects.toMatchObject({ mpi: "MPI_ERR_TAG" });
      await expect(world.send(0, Number.NaN)).rejects.toMatchObject({ mpi: "MPI_ERR_TYPE" });
    });
  });

  it("take bounded memory of a rank that receives late", async () => {
    const count = 3000;
    const values = await valuesOf(2, { seed, delay: [0.01, 0.02] }, async (world, { network, seen }) => {
      const body = new Uint8Array(10_000);
      if (world.rank === 0) {
        await Promise.all(Array.from({ length: count }, (_, k) => world.send(1, body.fill(k, 0, 1), k % 7)));
        return 0;
      }
      await new Promise<void>((resolve) => network.clock(1).after(1000, resolve));
      void seen;
      let sum = 0;
      for (let k = 0; k < count; k++) sum += (await world.recv<Uint8Array>(0, k % 7)).data.length;
      return sum;
    });
    expect(values[1]).toBe(count * 10_000);
  });
});

describe("communicators", () => {
  it("split by colour and key, and duplicate, without mixing messages", async () => {
    const values = await valuesOf(7, { seed }, async (world) => {
      const half = await world.split(world.rank % 2, -world.rank);
      const some = await world.split(world.rank < 3 ? 0 : undefined);
      const copy = await world.dup();
      const sums = await Promise.all([
        half?.allreduce<Int32Array>(Int32Array.of(world.rank), add),
        copy.allreduce<Int32Array>(Int32Array.of(1), add),
        some?.allreduce<Int32Array>(Int32Array.of(10), add),
        world.allreduce<Int32Array>(Int32Array.of(100), add),
      ]);
      return { half: half?.rank, size: half?.size, some: some?.size, sums: sums.map((sum) => sum?.[0]) };
    });
    expect(values.map(({ half }) => half)).toEqual([3, 2, 2, 1, 1, 0, 0]);
    expect(values.map(({ size }) => size)).toEqual([4, 3, 4, 3, 4, 3, 4]);
    for (const [rank, { some, sums }] of values.entries()) {
      expect(some).toBe(rank < 3 ? 3 : undefined);
      expect(sums).toEqual([rank % 2 ? 9 : 12, 7, rank < 3 ? 30 : undefined, 700]);
    }
  });

  it("end a collective on all ranks if one calls it wrongly", async () => {
    const wrong = await runRanks<unknown>(4, { seed }, (world) =>
      world.bcast<number>(world.rank === 0 ? 1 : undefined, world.rank === 2 ? 9 : 0),
    );
    expect(wrong.map((outcome) => "error" in outcome)).toContain(true);
    expect(wrong[2]).toMatchObject({ error: { mpi: "MPI_ERR_ROOT" } });
    const other = await runRanks<unknown>(4, { seed }, (world) =>
      world.rank === 2 ? world.barrier() : world.allreduce<Int32Array>(Int32Array.of(1), add),
    );
    for (const outcome of other)
      expect(outcome).toMatchObject({ error: { tag: expect.stringMatching(/Revoked|BadArgument/) } });
  });

  it("end a collective whose ranks name different roots", async () => {
    for (const roots of [
      [0, 0, 1, 0],
      [1, 1, 1, 2],
    ]) {
      const outcomes = await runRanks<unknown>(4, { seed }, async (world) => {
        await world.gather<number>(world.rank, roots[world.rank]);
        await world.barrier();
      });
      for (const outcome of outcomes) {
        expect(outcome).toMatchObject({ error: { tag: expect.stringMatching(/Revoked|BadArgument/) } });
      }
    }
  });

  it("revoke, and continue after a shrink", async () => {
    const values = await valuesOf(4, { seed }, async (world) => {
      if (world.rank === 1) setTimeout(() => world.revoke(), 0);
      await expect(world.recv(0, 99)).rejects.toMatchObject({ mpi: "MPI_ERR_REVOKED" });
      await expect(world.barrier()).rejects.toMatchObject({ tag: "Revoked" });
      const next = await world.shrink();
      return [next.epoch, next.size, (await next.allreduce<Int32Array>(Int32Array.of(1), add))[0]];
    });
    expect(values).toEqual(Array(4).fill([2, 4, 4]));
  });

  it("report who failed, and shrink to the others, with their splits", async () => {
    const outcomes = await runRanks(5, { seed }, async (world, { network }) => {
      const odd = await world.split(world.rank % 2);
      await world.barrier();
      if (world.rank === 3) {
        await new Promise<void>((resolve) => network.clock(3).after(20, resolve));
        network.kill(3);
        throw new Error("killed");
      }
      const pending = [
        world.allreduce(Float64Array.of(1), add),
        world.recv(3, 1),
        odd?.barrier(),
      ] as Promise<unknown>[];
      const errors = (await Promise.allSettled(pending)).map((one) =>
        one.status === "rejected" ? one.reason : undefined,
      );
      const next = await world.shrink();
      const half = await odd?.shrink();
      return {
        errors: errors.map((error) => [error?.mpi, error?.operation, error?.epoch]),
        ranks: errors[0]?.ranks,
        failed: world.failed,
        sum: (await next.allreduce<Float64Array>(Float64Array.of(next.rank), add))[0],
        half: half && [half.size, (await half.allreduce<Float64Array>(Float64Array.of(1), add))[0]],
      };
    });
    for (const rank of [0, 1, 2, 4]) {
      expect(outcomes[rank]).toMatchObject({
        value: {
          ranks: [3],
          failed: [3],
          sum: 6,
          half: rank % 2 ? [1, 1] : [3, 3],
        },
      });
      const { errors } = (outcomes[rank] as { value: { errors: unknown[] } }).value;
      expect(errors[0]).toEqual(["MPI_ERR_PROC_FAILED", "allreduce", 1]);
      expect(errors[1]).toEqual(["MPI_ERR_PROC_FAILED", "recv", 1]);
    }
  });
});
