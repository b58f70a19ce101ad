import { describe, expect, it } from "vitest";
import { type Clock, systemClock } from "../clock.ts";
import { makeRoomKey } from "../room-key.ts";
import type { FrameChannel } from "../transport/channel.ts";
import { MemoryNetwork } from "../transport/testing/memory-network.ts";
import { settledWithProofs } from "../transport/testing/proofs.ts";
import { type ChannelBinding, noChannelBinding } from "../transport/transport.ts";
import { type AuthenticatedChannel, authenticateChannel, type HandshakeOptions } from "./handshake.ts";

const key = makeRoomKey();
const bytes = (...values: number[]) => Uint8Array.from(values);

const drive = (network: MemoryNetwork, isDone: () => boolean) =>
  network.run(isDone, 20_000, settledWithProofs);

const partsOf = (given: Partial<HandshakeOptions>, clock: Clock = systemClock): HandshakeOptions => ({
  key,
  isDialler: true,
  name: "ann",
  binding: noChannelBinding,
  clock,
  ...given,
});

async function shake(given: Partial<HandshakeOptions>, taken: Partial<HandshakeOptions>, seed = 1) {
  const network = new MemoryNetwork({ seed, delay: [0, 5] });
  const [a, b] = network.connect(0, 1);
  const sides = [
    authenticateChannel(a, partsOf(given, network.clock(0))),
    authenticateChannel(b, partsOf({ isDialler: false, name: "bob", ...taken }, network.clock(1))),
  ];
  let outcomes: PromiseSettledResult<AuthenticatedChannel>[] | undefined;
  void Promise.allSettled(sides).then((all) => {
    outcomes = all;
  });
  await drive(network, () => outcomes !== undefined);
  if (!outcomes) throw new Error("the handshake does not end");
  return { network, outcomes };
}

const refusals = (outcomes: readonly PromiseSettledResult<AuthenticatedChannel>[]) =>
  outcomes.map((outcome) => (outcome.status === "rejected" ? outcome.reason.tag : outcome.status));

describe("the handshake", () => {
  it("gives both sides the other's name, and then delivers what each sends", async () => {
    for (let seed = 0; seed < 10; seed++) {
      const { network, outcomes } = await shake({}, {}, seed);
      const [a, b] = outcomes.map(
        (outcome) => (outcome as PromiseFulfilledResult<AuthenticatedChannel>).value,
      );
      expect([a.name, b.name]).toEqual(["bob", "ann"]);
      const came: Uint8Array[] = [];
      b.channel.start({ frame: (frame) => came.push(frame), lost: () => {} });
      a.channel.start({ frame: () => {}, lost: () => {} });
      a.channel.post(bytes(1, 3, 0, 7), bytes(8));
      await network.run(() => came.length === 1);
      expect(came).toEqual([bytes(1, 3, 0, 7, 8)]);
    }
  });

  it("refuses another key on both sides", async () => {
    const { outcomes } = await shake({}, { key: makeRoomKey() });
    expect(refusals(outcomes)).toEqual(["Refused", "Refused"]);
  });

  it("refuses if the ends see different certificates: somebody in between has swapped them", async () => {
    const honest: ChannelBinding = { own: bytes(1, 1), other: bytes(2, 2) };
    const expected: ChannelBinding = { own: bytes(2, 2), other: bytes(1, 1) };
    expect(refusals((await shake({ binding: honest }, { binding: expected })).outcomes)).toEqual([
      "fulfilled",
      "fulfilled",
    ]);
    const swapped: ChannelBinding = { own: bytes(2, 2), other: bytes(9, 9) };
    expect(refusals((await shake({ binding: honest }, { binding: swapped })).outcomes)).toEqual([
      "Refused",
      "Refused",
    ]);
  });

  it("refuses two sides that both claim to have dialled", async () => {
    expect(refusals((await shake({}, { isDialler: true })).outcomes)).toEqual(["Refused", "Refused"]);
  });

  /** The frames that one side of a recorded handshake sent. */
  async function record(): Promise<Uint8Array[]> {
    const network = new MemoryNetwork({ seed: 1 });
    const [a, b] = network.connect(0, 1);
    const sent: Uint8Array[] = [];
    const spy: FrameChannel = {
      ...wrap(a),
      post: (header, part) => {
        sent.push(header.slice());
        return a.post(header, part);
      },
    };
    let isDone = false;
    void Promise.all([
      authenticateChannel(spy, partsOf({}, network.clock(0))),
      authenticateChannel(b, partsOf({ isDialler: false, name: "bob" }, network.clock(1))),
    ]).then(() => {
      isDone = true;
    });
    await drive(network, () => isDone);
    expect(sent.length).toBe(2);
    return sent;
  }

  it.each<[string, () => Promise<Uint8Array[]>]>([
    ["what another side said before", record],
    ["garbage", async () => [bytes(16, 0, 1), bytes(17, 0)]],
    ["another version", async () => [Uint8Array.from({ length: 40 }, (_, k) => [16, 0, 2][k] ?? 1)]],
    ["messages before its proof", async () => [new Uint8Array(2 ** 16), bytes(1, 1)]],
    ["a second hello", async () => [(await record())[0], (await record())[0]]],
    ["nothing", async () => []],
  ])("refuses who sends %s, before a frame is read", async (_, framesOf) => {
    const frames = await framesOf();
    const network = new MemoryNetwork({ seed: 1 });
    const [a, b] = network.connect(0, 1);
    a.start({ frame: () => {}, lost: () => {} });
    const proven = authenticateChannel(b, partsOf({ isDialler: false, name: "bob" }, network.clock(1)));
    for (const frame of frames) a.post(frame as Uint8Array<ArrayBuffer>, bytes());
    let refused: unknown;
    void proven.catch((error) => {
      refused = error;
    });
    await drive(network, () => refused !== undefined);
    expect(refused).toMatchObject({ tag: "Refused" });
  });

  it("refuses its own frames reflected back", async () => {
    const network = new MemoryNetwork({ seed: 1 });
    const [a, b] = network.connect(0, 1);
    a.start({ frame: (frame) => a.post(frame as Uint8Array<ArrayBuffer>, bytes()), lost: () => {} });
    let refused: unknown;
    void authenticateChannel(b, partsOf({}, network.clock(1))).catch((error) => {
      refused = error;
    });
    await drive(network, () => refused !== undefined);
    expect(refused).toMatchObject({ tag: "Refused" });
  });
});

const wrap = (channel: FrameChannel): FrameChannel => ({
  path: channel.path,
  frameBytes: channel.frameBytes,
  start: (receiver) => channel.start(receiver),
  post: (header, part) => channel.post(header, part),
  writable: () => channel.writable(),
  close: () => channel.close(),
});
