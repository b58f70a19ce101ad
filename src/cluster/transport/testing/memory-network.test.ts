import { describe, expect, it } from "vitest";
import { linkSuite } from "./link-suite.ts";
import { MemoryNetwork } from "./memory-network.ts";

let seed = 0;
linkSuite(
  "memory",
  () => {
    const network = new MemoryNetwork({ seed: seed++ });
    const [a, b] = network.connect(0, 1);
    const until = async (condition: () => boolean) => {
      if (!(await network.run(condition))) throw new Error("nothing more happens");
    };
    return { a, b, until, end: () => {} };
  },
  2 ** 24,
);

describe("a network in memory", () => {
  it("repeats a run by its seed", async () => {
    const run = async (seed: number) => {
      const network = new MemoryNetwork({ seed });
      const [a, b] = network.connect(0, 1);
      const arrivals: [number, number][] = [];
      a.start({ frame: () => {}, lost: () => {} });
      b.start({ frame: (bytes) => arrivals.push([bytes[1], network.now]), lost: () => {} });
      for (let k = 0; k < 50; k++) a.post(Uint8Array.of(1, k % 3), new Uint8Array(k));
      await network.run(() => arrivals.length === 50);
      return arrivals;
    };
    expect(await run(7)).toEqual(await run(7));
    expect(await run(8)).not.toEqual(await run(7));
  });

  it("stops a paused node's time, and drops a dead one's", async () => {
    const network = new MemoryNetwork({ seed: 1 });
    const calls: string[] = [];
    network.clock(0).after(5, () => calls.push("paused"));
    network.clock(1).after(6, () => calls.push("dead"));
    network.clock(2).after(7, () => {
      calls.push("alive");
      network.resume(0);
    });
    const off = network.clock(2).after(8, () => calls.push("cancelled"));
    off();
    network.pause(0);
    network.kill(1);
    await network.run(() => false);
    expect(calls).toEqual(["alive", "paused"]);
  });

  it("reports a killed node and a cut, or keeps silent", async () => {
    const network = new MemoryNetwork({ seed: 1 });
    const lost: string[] = [];
    const ends = [1, 2, 3].map((node) => network.connect(0, node)[0]);
    ends.forEach((end, k) => {
      end.start({ frame: () => {}, lost: () => lost.push(`${k + 1}`) });
    });
    network.kill(1);
    network.kill(2, true);
    network.cut(0, 3);
    await network.run(() => false);
    expect(lost.toSorted()).toEqual(["1", "3"]);
  });

  it("keeps the order of a stream's frames, whenever they are sent", async () => {
    const network = new MemoryNetwork({ seed: 1 });
    const [a, b] = network.connect(0, 1);
    const arrivals: number[] = [];
    a.start({ frame: () => {}, lost: () => {} });
    b.start({ frame: ([, , k]) => arrivals.push(k), lost: () => {} });
    const order = Array.from({ length: 200 }, (_, k) => k);
    for (const k of order) {
      network.clock(0).after(k / 7, () => a.post(Uint8Array.of(1, 0, k), new Uint8Array(0)));
    }
    await network.run(() => false);
    expect(arrivals).toEqual(order);
  });

  it("drops what a node sends once it is dead", async () => {
    const network = new MemoryNetwork({ seed: 1 });
    const [a, b] = network.connect(0, 1);
    const arrivals: number[] = [];
    a.start({ frame: () => {}, lost: () => {} });
    b.start({ frame: ([, , k]) => arrivals.push(k), lost: () => {} });
    network.clock(0).after(1, () => {
      a.post(Uint8Array.of(1, 0, 1), new Uint8Array(0));
      network.kill(0, true);
      a.post(Uint8Array.of(1, 0, 2), new Uint8Array(0));
      a.close();
    });
    await network.run(() => false);
    expect(arrivals).toEqual([1]);
  });
});
