import { MessageChannel } from "node:worker_threads";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openBroker as openRealBroker } from "./open-broker.ts";
import type { Port } from "./port-channel.ts";
import { type Rendezvous, rendezvous } from "./rendezvous.ts";
import { type Locks, RendezvousServer } from "./rendezvous-server.ts";

const until = async (condition: () => boolean) => {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 1));
};

/**
 * A browser's locks as far as they are used: held by one until its callback is done, then granted to all
 * who wait.
 */
class FakeLocks {
  readonly #held = new Map<string, Promise<unknown>>();
  readonly request = (async (name: string, options: LockOptions, call: (lock: Lock | null) => unknown) => {
    const holder = this.#held.get(name);
    if (holder && options.ifAvailable) return call(null);
    if (holder) {
      const { signal } = options;
      const aborted = new Promise((_, reject) =>
        signal?.addEventListener("abort", () => reject(signal.reason)),
      );
      aborted.catch(() => {});
      await Promise.race([holder, aborted]);
    }
    const over = Promise.resolve(call({ name, mode: options.mode ?? "exclusive" }));
    if (options.mode === "shared") return over;
    this.#held.set(name, over);
    await over;
    this.#held.delete(name);
  }) as Locks["request"];
}

describe("tabs of a browser", () => {
  const locks = new FakeLocks();
  let server: RendezvousServer;
  let endBroker: () => void;
  let brokers = 0;
  const log: string[] = [];
  const meetings: Rendezvous[] = [];
  const ports: Port[] = [];

  const openBroker = () => {
    const { port1, port2 } = new MessageChannel();
    ports.push(port1 as unknown as Port);
    server.connect(port2 as unknown as Port);
    return port1 as unknown as Port;
  };
  const startBroker = () => {
    const lock = `broker ${brokers++}`;
    server = new RendezvousServer(locks, lock);
    void locks.request(lock, {}, () => new Promise<void>((resolve) => (endBroker = resolve)));
  };
  const join = async (id: string, room = "room") => {
    const onPeer = (peer: string, port: MessagePort) => {
      log.push(`${id} meets ${peer}`);
      ports.push(port);
      port.onmessage = ({ data }) => log.push(`${id} hears ${data}`);
      port.postMessage(id);
    };
    const onGone = (peer: string) => log.push(`${id} loses ${peer}`);
    const onBrokerLost = (error: unknown) => log.push(`${id} is alone: ${error}`);
    const meeting = await rendezvous({ room, id, broker: openBroker, locks, onPeer, onGone, onBrokerLost });
    meetings.push(meeting);
    return meeting;
  };
  const expectLog = async (...expected: string[]) => {
    await until(() => log.length >= expected.length);
    await new Promise((resolve) => setTimeout(resolve, 5));
    expect(log.splice(0).toSorted()).toEqual(expected.toSorted());
  };

  beforeEach(startBroker);
  afterEach(async () => {
    for (const meeting of meetings.splice(0)) meeting.leave();
    for (const port of ports.splice(0)) port.close();
    log.length = 0;
  });

  it("are introduced to all others of their room, and notice who leaves", async () => {
    await join("a");
    const b = await join("b");
    await join("x", "another room");
    await expectLog("a meets b", "b meets a", "a hears b", "b hears a");
    await join("c");
    await expectLog(
      "a meets c",
      "b meets c",
      "c meets a",
      "c meets b",
      ...["a", "b"].map((id) => `${id} hears c`),
      "c hears a",
      "c hears b",
    );
    b.leave();
    await expectLog("a loses b", "c loses b");
    await join("d");
    await expectLog(
      "a meets d",
      "c meets d",
      "d meets a",
      "d meets c",
      "a hears d",
      "c hears d",
      "d hears a",
      "d hears c",
    );
  });

  it("are refused if another has their name", async () => {
    await join("a");
    await expect(join("a")).rejects.toMatchObject({ tag: "Refused" });
  });

  it("continue if the broker ends, and find new members through its successor", async () => {
    await join("a");
    await join("b");
    await expectLog("a meets b", "b meets a", "a hears b", "b hears a");
    const end = endBroker;
    startBroker();
    end();
    await join("c");
    await expectLog(
      "a meets c",
      "b meets c",
      "c meets a",
      "c meets b",
      "a hears c",
      "b hears c",
      "c hears a",
      "c hears b",
    );
  });

  it("keep their peers if the broker ends and cannot be reopened", async () => {
    const onBrokerLost = (error: unknown) => log.push(`a is alone: ${error}`);
    const nobody = { onPeer: () => {}, onGone: (id: string) => log.push(`a misses ${id}`), onBrokerLost };
    let opened = 0;
    const broker = () => {
      if (opened++ > 0) throw new Error("no more brokers");
      return openBroker();
    };
    meetings.push(await rendezvous({ room: "room", id: "a", broker, locks, ...nobody }));
    const b = await join("b");
    await expectLog("b meets a");
    endBroker();
    await expectLog("a is alone: Error: no more brokers");
    b.leave();
    await expectLog("a misses b");
  });

  it("get an explanation from a browser without shared workers", () => {
    expect(openRealBroker).toThrow(
      expect.objectContaining({ tag: "Refused", remedy: expect.stringContaining("invitation link") }),
    );
  });

  it("keep their places whatever others post to the broker", async () => {
    await join("a");
    const port = openBroker();
    const known = ["a".repeat(101)];
    for (const data of [
      undefined,
      null,
      1,
      {},
      { kind: "join" },
      { kind: "join", room: "room", id: "z", known },
    ]) {
      port.postMessage(data, []);
    }
    await join("b");
    await expectLog("a meets b", "b meets a", "a hears b", "b hears a");
  });
});
