import { describe, expect, it } from "vitest";
import { authenticateChannel } from "../membership/handshake.ts";
import { FramedLink } from "../transport/framed-link.ts";
import { defaultLimits, type LinkEnd, type Message } from "../transport/link.ts";
import { Room } from "./room.ts";
import { key, RoomNetwork } from "./testing/room-network.ts";

const said = (message: object): Message => ({
  stream: 0,
  head: Uint8Array.of(0x81),
  body: new TextEncoder().encode(JSON.stringify(message)),
});

/** A link to the host of a room, from a peer that holds its key and has not been admitted. */
async function enter(network: RoomNetwork) {
  const clock = network.memory.clock(1);
  const { channel, binding } = await network.transports.of(1).dial("0");
  const proof = authenticateChannel(channel, { key, isDialler: true, name: "stranger", binding, clock });
  const proven = await network.until(proof);
  // Until the host has its proof, which messages on other streams may overtake.
  await network.advanceExactly(1);
  const link = new FramedLink(proven.channel, defaultLimits, () => clock.now());
  const ends: LinkEnd[] = [];
  link.start({ message: () => {}, ended: (end) => ends.push(end) });
  return { link, ends };
}

describe("a peer that holds the key and was not admitted", () => {
  it.each<readonly [string, Message]>([
    ["a long message of an epoch", { stream: 1, head: new Uint8Array(8), body: new Uint8Array(2 ** 24) }],
    ["a long message", { ...said({}), body: new Uint8Array(2 ** 24) }],
  ])("is expelled for %s, before its bytes have arrived", async (_, message) => {
    const network = new RoomNetwork(31);
    const host = Room.open(network.options(0));
    const { link, ends } = await enter(network);
    link.send(message).catch(() => {});
    await network.advanceExactly(100);
    expect(ends.map(({ cause }) => cause)).toEqual(["goodbye"]);
    expect(link.traffic.sentBytes).toBeLessThan(2 ** 22);
    expect(network.transports.openAt(0)).toBe(0);
    await host.leave();
  });

  it("is expelled if it sends requests and does not read the answers", async () => {
    const network = new RoomNetwork(32);
    Room.open(network.options(0, { limits: { askMs: 100_000 } }));
    const { link } = await enter(network);
    // The answers are longer than the requests, and soon exceed what the network buffers: 10²⁰ has 21
    // digits there.
    const ping = { ...said({}), body: new TextEncoder().encode('{"type":"ping","at":1e20}') };
    for (let k = 0; k < 20_000; k++) link.send(ping).catch(() => {});
    network.memory.pause(1);
    await network.advance(500);
    expect(network.transports.openAt(0)).toBe(0);
  });
});
