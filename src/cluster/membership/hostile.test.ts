import { describe, expect, it } from "vitest";
import { type Envelope, encodeHead, streams } from "../communicator/envelope.ts";
import { communicatorOf } from "../communicator/group-communicator.ts";
import { add } from "../communicator/operators/elements.ts";
import type { Link, Message } from "../transport/link.ts";
import { encodeMembershipMessage } from "./membership-message.ts";
import { makeRoom } from "./testing/room.ts";

const nothing = new Uint8Array(0);

const envelope = (given: Partial<Envelope>): Envelope => ({
  epoch: 1,
  context: 0,
  operation: "send",
  sequence: 0,
  tag: 3,
  source: 3,
  dtype: 1,
  signature: 0,
  bytes: 0,
  ...given,
});

const eager = (bytes: number, given: Partial<Envelope> = {}): Message => ({
  stream: streams.messages,
  head: encodeHead({ kind: "eager", envelope: envelope({ bytes, ...given }) }),
  body: new Uint8Array(bytes),
});

const announced = (id: number): Message => ({
  stream: streams.messages,
  head: encodeHead({ kind: "requestToSend", envelope: envelope({ bytes: 2 ** 20 }), id }),
  body: nothing,
});

const control = (head: Uint8Array): Message => ({ stream: streams.control, head, body: nothing });

/** What an admitted rank, the last of four, may try. */
const attempts: readonly (readonly [string, readonly Message[]])[] = [
  ["a head of no kind", [control(Uint8Array.of(77, 0, 0, 0, 1, 0, 0, 0))]],
  ["a head without an epoch", [control(Uint8Array.of(1))]],
  ["a notice that is no JSON", [control(Uint8Array.of(0x80, 0x7b))]],
  [
    "a notice of a rank that there is not",
    [control(encodeMembershipMessage({ kind: "failed", epoch: 1, rank: 99, certain: true }))],
  ],
  [
    "a decision on ranks that there are not",
    [
      control(
        encodeMembershipMessage({ kind: "decided", epoch: 1, plan: { stay: [0, 1, 2, 3, 99], join: [] } }),
      ),
    ],
  ],
  [
    "a decision that names somebody twice",
    [
      control(
        encodeMembershipMessage({
          kind: "decided",
          epoch: 1,
          plan: { stay: [0, 1, 2, 3], join: ["member 1"] },
        }),
      ),
    ],
  ],
  ["another rank's name on a message", [eager(8, { source: 1 })]],
  ["a longer message than may go at once", [eager(2 ** 17)]],
  ["less than it announces", [{ ...eager(8), body: new Uint8Array(7) }]],
  [
    "a body that nobody called for",
    [{ stream: streams.bulk, head: encodeHead({ kind: "data", epoch: 1, id: 5 }), body: new Uint8Array(9) }],
  ],
  ["a call for what was not announced", [control(encodeHead({ kind: "clearToSend", epoch: 1, id: 5 }))]],
  [
    "credit that it was not given",
    [control(encodeHead({ kind: "credit", epoch: 1, bytes: 1, requests: 0 }))],
  ],
  ["more than was promised to be kept", Array.from({ length: 80 }, () => eager(2 ** 16))],
  ["more requests than were promised to be kept", Array.from({ length: 4097 }, (_, id) => announced(id))],
  ["the same announcement twice", [announced(1), announced(1)]],
  ["a step of a collective twice", [0, 0].map(() => eager(8, { operation: "bcast", sequence: 9, tag: 1 }))],
  [
    "ends of communicators that there are not",
    Array.from({ length: 5000 }, (_, k) =>
      control(encodeHead({ kind: "revoke", epoch: 1, context: 1000 + k })),
    ),
  ],
  [
    "messages for communicators that there are not",
    Array.from({ length: 5000 }, (_, k) => eager(0, { context: 1000 + k })),
  ],
  ["messages of an epoch that never comes", Array.from({ length: 200 }, () => eager(2 ** 16, { epoch: 9 }))],
];

describe("an admitted rank that sends what it must not", () => {
  it.each(attempts)("is put out for %s, and the others go on", async (_, messages) => {
    const room = makeRoom(4, { seed: 2 });
    for (const { member } of room.seen) communicatorOf(member.epoch.world);
    await room.network.run(() => false, 50);
    const link = room.linkOf(3, 0) as Link;
    for (const message of messages) link.send(message).catch(() => {});
    const others = room.seen.slice(0, 3);
    await room.network.run(() => others.every(({ epochs }) => epochs.length === 2), 10_000);
    for (const { epochs, left } of others) {
      expect(left).toBeUndefined();
      expect(epochs.at(-1)?.names).toEqual(["member 0", "member 1", "member 2"]);
    }
    const sums = others.map(({ epochs }) => {
      const world = epochs.at(-1)?.world;
      if (!world) throw new Error("no epoch");
      return communicatorOf(world).allreduce<Int32Array>(Int32Array.of(1), add);
    });
    let done: Int32Array[] = [];
    void Promise.all(sums).then((all) => {
      done = all;
    });
    await room.network.run(() => done.length === 3, 1000);
    expect(done.map(([sum]) => sum)).toEqual([3, 3, 3]);
  });

  it.each<readonly [string, Message]>([
    ["a long message that nobody called for", eager(2 ** 22)],
    [
      "a notice with a body",
      { ...control(encodeMembershipMessage({ kind: "heartbeat" })), body: new Uint8Array(2 ** 22) },
    ],
    ["a long message of an epoch that has not begun", eager(2 ** 24, { epoch: 9 })],
  ])("is put out for %s, before its bytes have come", async (_, message) => {
    const room = makeRoom(4, { seed: 2 });
    await room.network.run(() => false, 50);
    room
      .linkOf(3, 0)
      ?.send(message)
      .catch(() => {});
    await room.network.run(() => room.seen[0].epochs.length === 2, 10_000);
    expect(room.seen[0].member.epoch.names.length).toBe(3);
    expect(room.linkOf(0, 3)?.traffic.receivedBytes).toBeLessThan(2 ** 17);
  });

  it("is put out where it asks and does not take the answers", async () => {
    const room = makeRoom(4, { seed: 2 });
    const { network, seen } = room;
    await network.run(() => false, 50);
    const link = room.linkOf(3, 0) as Link;
    // What it is answered is longer, and soon more than the network takes.
    for (let ballot = 4; ballot < 20_000; ballot++) {
      link.send(control(encodeMembershipMessage({ kind: "prepare", epoch: 1, ballot }))).catch(() => {});
    }
    network.pause(3);
    await network.run(() => seen[0].epochs.length === 2, 2000);
    expect(seen[0].member.epoch.names).toEqual(["member 0", "member 1", "member 2"]);
  });
});
