import { describe, expect, it } from "vitest";
import { encodeAck, encodeBegin, encodeGoodbye } from "../../wire/frame.ts";
import { frameBytes, RtcChannel } from "./rtc-channel.ts";

/** A browser's channel as far as it is used, whose other end is the test. */
class FakeChannel {
  readyState: RTCDataChannelState = "open";
  bufferedAmount = 0;
  readonly sent: (Uint8Array | string)[] = [];
  onmessage: ((event: { data: unknown }) => void) | null = null;
  onbufferedamountlow: (() => void) | null = null;
  onclose: (() => void) | null = null;
  send(bytes: Uint8Array | string) {
    if (this.readyState !== "open") throw new Error("InvalidStateError");
    this.sent.push(bytes.slice());
    this.bufferedAmount += bytes.length;
  }
  /** As if the other side had closed it. */
  closed() {
    this.readyState = "closed";
    this.onclose?.();
  }
  bring(bytes: Uint8Array) {
    this.onmessage?.({ data: bytes.slice().buffer });
  }
  drain() {
    this.bufferedAmount = 0;
    this.onbufferedamountlow?.();
  }
}

function open() {
  const [control, bulk] = [new FakeChannel(), new FakeChannel()];
  let overs = 0;
  const pair = { control, bulk } as unknown as ConstructorParameters<typeof RtcChannel>[0];
  const channel = new RtcChannel(pair, () => {
    overs++;
  });
  const frames: Uint8Array[] = [];
  const ends: (readonly [problem: string, how?: string])[] = [];
  const receiver = {
    frame: (bytes: Uint8Array) => frames.push(bytes),
    lost: (problem: string, how?: "expelled") => ends.push(how ? [problem, how] : [problem]),
  };
  return { control, bulk, channel, frames, ends, receiver, overs: () => overs };
}

const nothing = new Uint8Array(0);
const goodbye = encodeGoodbye("enough");
const frameOf = (stream: number, length: number) =>
  Uint8Array.of(...encodeBegin(stream, nothing, length), ...new Uint8Array(length));

describe("a channel over WebRTC", () => {
  it("sends short frames apart from possibly long ones, and goodbyes with both", () => {
    const { channel, control, bulk } = open();
    const part = new Uint8Array(5);
    channel.post(encodeBegin(0, nothing, 5), part);
    channel.post(encodeBegin(3, nothing, 5), part);
    channel.post(encodeAck(7), nothing);
    channel.post(goodbye, nothing);
    expect(control.sent).toEqual([frameOf(0, 5), encodeAck(7), goodbye]);
    expect(bulk.sent).toEqual([frameOf(3, 5), goodbye]);
  });

  it("delivers a goodbye after everything before it in either channel, or when no more can come", () => {
    const whole = open();
    whole.channel.start(whole.receiver);
    whole.control.bring(goodbye);
    whole.bulk.bring(frameOf(3, 5));
    expect(whole.frames).toEqual([frameOf(3, 5)]);
    whole.bulk.bring(goodbye);
    expect(whole.frames).toEqual([frameOf(3, 5), goodbye]);

    const broken = open();
    broken.bulk.bring(goodbye);
    broken.control.closed();
    expect(broken.ends).toEqual([]);
    broken.bulk.closed();
    broken.channel.start(broken.receiver);
    expect([broken.frames, broken.ends]).toEqual([[goodbye], [["The other side closed the connection."]]]);
    expect(broken.overs()).toBe(1);
  });

  it.each<[string, unknown]>([
    ["a text", "frame"],
    ["a blob", new Blob(["frame"])],
    ["nothing", new ArrayBuffer(0)],
    ["more than a frame", new ArrayBuffer(frameBytes + 1)],
  ])("expels a peer that sends %s, once, and ignores the rest", (_, data) => {
    const { channel, control, bulk, receiver, frames, ends, overs } = open();
    channel.start(receiver);
    const { onmessage } = bulk;
    onmessage?.({ data });
    onmessage?.({ data });
    control.bring(frameOf(0, 5));
    channel.post(goodbye, nothing);
    expect(ends).toEqual([["Another rank sent something other than a frame.", "expelled"]]);
    expect([frames, control.sent, bulk.sent, overs()]).toEqual([[], [], [], 1]);
    expect(channel.writable()).toBeUndefined();
  });

  it("buffers a little before it starts", () => {
    const { channel, control, bulk, receiver, frames, ends } = open();
    control.bring(frameOf(0, 5));
    bulk.bring(frameOf(1, 6));
    channel.start(receiver);
    expect([frames.length, ends]).toEqual([2, []]);

    const flooded = open();
    const { onmessage } = flooded.bulk;
    for (let k = 0; k < 40; k++) onmessage?.({ data: new ArrayBuffer(frameBytes) });
    flooded.channel.start(flooded.receiver);
    expect([flooded.frames.length, flooded.ends[0][1], flooded.overs()]).toEqual([0, "expelled", 1]);
  });

  it("is not writable while much waits to be sent, and wakes all who wait", async () => {
    const { channel, bulk, control } = open();
    const part = new Uint8Array(frameBytes - 16);
    while (!channel.writable()) channel.post(encodeBegin(1, nothing, part.length), part);
    expect(bulk.sent.length).toBe(4);
    const waits = [channel.writable(), channel.writable()];
    bulk.drain();
    await Promise.all(waits);
    expect(channel.writable()).toBeUndefined();
    control.bufferedAmount = 2 ** 20;
    const wait = channel.writable();
    channel.fail("broken");
    await wait;
  });

  it("is over when the other side received everything and closed, or closes too", () => {
    for (const [closeBulk, closeControl] of [["closed", "closed"] as const, ["bye", "bye"] as const]) {
      const { channel, control, bulk, overs, ends, receiver } = open();
      const end = (of: FakeChannel, how: "closed" | "bye") =>
        how === "closed" ? of.closed() : of.onmessage?.({ data: "closed" });
      channel.start(receiver);
      channel.close();
      expect([control.sent, bulk.sent, overs()]).toEqual([["closed"], ["closed"], 0]);
      end(bulk, closeBulk);
      expect(overs()).toBe(0);
      end(control, closeControl);
      channel.close();
      channel.fail("late");
      expect([overs(), ends]).toEqual([1, []]);
    }
  });

  it("is lost when the other side has closed both channels, after what came before", () => {
    const { channel, control, bulk, overs, ends, frames, receiver } = open();
    channel.start(receiver);
    control.onmessage?.({ data: "closed" });
    bulk.bring(frameOf(1, 6));
    expect([frames.length, ends]).toEqual([1, []]);
    bulk.onmessage?.({ data: "closed" });
    expect([overs(), ends]).toEqual([1, [["The other side closed the connection."]]]);
    channel.close();
    expect(control.sent).toEqual([]);
  });

  it("is lost if a channel accepts no more", () => {
    const { channel, control, ends, receiver, overs } = open();
    channel.start(receiver);
    control.readyState = "closing";
    channel.post(frameOf(0, 5), nothing);
    expect([ends.length, overs()]).toEqual([1, 1]);
  });
});
