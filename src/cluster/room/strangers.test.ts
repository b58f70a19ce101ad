import { describe, expect, it } from "vitest";
import { proveChannel } from "../membership/handshake.ts";
import { FramedLink } from "../transport/framed-link.ts";
import { defaultLimits, type LinkEnd, type Message } from "../transport/link.ts";
import { Room } from "./room.ts";
import { House, key } from "./testing/house.ts";

const said = (word: object): Message => ({
  stream: 0,
  head: Uint8Array.of(0x81),
  body: new TextEncoder().encode(JSON.stringify(word)),
});

/** A link to the host of a room, by somebody who holds its key and has not been admitted. */
async function enter(house: House) {
  const clock = house.network.clock(1);
  const { channel, binding } = await house.ways.of(1).dial("0");
  const proof = proveChannel(channel, { key, isDialler: true, name: "stranger", binding, clock });
  const proven = await house.until(proof);
  const link = new FramedLink(proven.channel, defaultLimits, () => clock.now());
  const ends: LinkEnd[] = [];
  link.start({ message: () => {}, ended: (end) => ends.push(end) });
  return { link, ends };
}

describe("somebody who holds the key and was not admitted", () => {
  it.each<readonly [string, Message]>([
    ["a long message of an epoch", { stream: 1, head: new Uint8Array(8), body: new Uint8Array(2 ** 24) }],
    ["a long word", { ...said({}), body: new Uint8Array(2 ** 24) }],
  ])("is put out for %s, before its bytes have come", async (_, message) => {
    const house = new House(31);
    const host = Room.open(house.parts(0));
    const { link, ends } = await enter(house);
    link.send(message).catch(() => {});
    await house.pass(100);
    expect(ends.map(({ how }) => how)).toEqual(["goodbye"]);
    expect(link.traffic.sentBytes).toBeLessThan(2 ** 22);
    expect(house.ways.openAt(0)).toBe(0);
    await host.leave();
  });

  it("is put out where it asks and does not take the answers", async () => {
    const house = new House(32);
    Room.open(house.parts(0, { limits: { askMs: 100_000 } }));
    const { link } = await enter(house);
    // What it is answered is longer, and soon more than the network takes: 10²⁰ has 21 digits there.
    const ping = { ...said({}), body: new TextEncoder().encode('{"say":"ping","at":1e20}') };
    for (let k = 0; k < 20_000; k++) link.send(ping).catch(() => {});
    house.network.pause(1);
    await house.pass(500);
    expect(house.ways.openAt(0)).toBe(0);
  });
});
