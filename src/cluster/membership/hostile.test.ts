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
  ["a head of unknown kind", [control(Uint8Array.of(77, 0, 0, 0, 1, 0, 0, 0))]],
  ["a head without an epoch", [control(Uint8Array.of(1))]],
  ["a membership message that is not JSON", [control(Uint8Array.of(0x80, 0x7b))]],
  [
    "a membership message about an unknown rank",
    [control(encodeMembershipMessage({ kind: "failed", epoch: 1, rank: 99, certain: true }))],
  ],
  [
    "a decision with unknown ranks",
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
  ["an eager message that is too long", [eager(2 ** 17)]],
  ["less than it announces", [{ ...eager(8), body: new Uint8Array(7) }]],
  [
    "a body that was not requested",
    [{ stream: streams.bulk, head: encodeHead({ kind: "data", epoch: 1, id: 5 }), body: new Uint8Array(9) }],
  ],
  [
    "a clearance for a message that was not announced",
    [control(encodeHead({ kind: "clearToSend", epoch: 1, id: 5 }))],
  ],
  [
    "credit that it was not given",
    [control(encodeHead({ kind: "credit", epoch: 1, bytes: 1, requests: 0 }))],
  ],
  ["more than its credit", Array.from({ length: 80 }, () => eager(2 ** 16))],
  ["more requests to send than its credit", Array.from({ length: 4097 }, (_, id) => announced(id))],
  ["the same request to send twice", [announced(1), announced(1)]],
  [
    "a message of a collective twice",
    [0, 0].map(() => eager(8, { operation: "bcast", sequence: 9, tag: 1 })),
  ],
  [
    "revocations of unknown communicators",
    Array.from({ length: 5000 }, (_, k) =>
      control(encodeHead({ kind: "revoke", epoch: 1, context: 1000 + k })),
    ),
  ],
  [
    "messages for unknown communicators",
    Array.from({ length: 5000 }, (_, k) => eager(0, { context: 1000 + k })),
  ],
  ["messages of an epoch that never comes", Array.from({ length: 200 }, () => eager(2 ** 16, { epoch: 9 }))],
];

describe("an admitted rank that sends invalid messages", () => {
  it.each(attempts)("is expelled for %s, and the others continue", async (_, messages) => {
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
    ["a long message that was not requested", eager(2 ** 22)],
    [
      "a membership message with a body",
      { ...control(encodeMembershipMessage({ kind: "heartbeat" })), body: new Uint8Array(2 ** 22) },
    ],
    ["a long message of an epoch that has not begun", eager(2 ** 24, { epoch: 9 })],
  ])("is expelled for %s, before its bytes have arrived", async (_, message) => {
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

  it("is expelled if it sends requests and does not read the answers", async () => {
    const room = makeRoom(4, { seed: 2 });
    const { network, seen } = room;
    await network.run(() => false, 50);
    const link = room.linkOf(3, 0) as Link;
    // The answers are longer than the requests, and soon exceed what the network buffers.
    for (let ballot = 4; ballot < 20_000; ballot++) {
      link.send(control(encodeMembershipMessage({ kind: "prepare", epoch: 1, ballot }))).catch(() => {});
    }
    network.pause(3);
    await network.run(() => seen[0].epochs.length === 2, 2000);
    expect(seen[0].member.epoch.names).toEqual(["member 0", "member 1", "member 2"]);
  });
});
