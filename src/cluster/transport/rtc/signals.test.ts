import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decodeSignal } from "./signals.ts";

const offer = (changes: object = {}, of: object = {}) => ({
  type: "OFFER",
  src: "room-a",
  dst: "room-b",
  payload: { connectionId: "c1", type: "data", sdp: { type: "offer", sdp: "v=0" }, ...changes },
  ...of,
});

describe("signals", () => {
  it("keep what a connection needs, and nothing else that was sent", () => {
    const extra = { serialization: "binary", metadata: { a: 1 }, label: "x".repeat(1000), type: "media" };
    expect(decodeSignal(offer(extra, { extra: 1 }))).toEqual({
      type: "OFFER",
      src: "room-a",
      payload: {
        connectionId: "c1",
        type: "data",
        serialization: "default",
        reliable: true,
        label: "c1",
        sdp: { type: "offer", sdp: "v=0" },
      },
    });
    const candidate = { candidate: "candidate:1", sdpMid: "0", sdpMLineIndex: 0, usernameFragment: {} };
    expect(decodeSignal({ type: "CANDIDATE", src: "a", payload: { connectionId: "c", candidate } })).toEqual({
      type: "CANDIDATE",
      src: "a",
      payload: {
        connectionId: "c",
        type: "data",
        candidate: { candidate: "candidate:1", sdpMid: "0", sdpMLineIndex: 0 },
      },
    });
  });

  it("turn a server's LEAVE, which would end connections, into a suspicion", () => {
    for (const type of ["LEAVE", "GONE"])
      expect(decodeSignal({ type, src: "a" })).toEqual({ type: "GONE", src: "a" });
  });

  it.each<[string, unknown]>([
    ["nothing", undefined],
    ["null", null],
    ["a text", "OFFER"],
    ["no source", offer({}, { src: undefined })],
    ["no payload", offer({}, { payload: undefined })],
    ["no description", offer({ sdp: undefined })],
    ["an answer as an offer", offer({ sdp: { type: "answer", sdp: "v=0" } })],
    ["a description that is too long", offer({ sdp: { type: "offer", sdp: "x".repeat(20_000) } })],
    ["a connection without a name", offer({ connectionId: 5 })],
    ["no candidate", { type: "CANDIDATE", src: "a", payload: { connectionId: "c", candidate: null } }],
    ["an irrelevant type", { type: "HEARTBEAT", src: "a" }],
  ])("are not decoded from %s", (_, data) => expect(decodeSignal(data)).toBeUndefined());

  it("are decoded or not, whatever is sent", () => {
    const type = fc.constantFrom("OPEN", "ERROR", "OFFER", "ANSWER", "CANDIDATE", "EXPIRE", "LEAVE");
    const message = fc.record({ type, src: fc.anything(), payload: fc.anything() });
    fc.assert(
      fc.property(fc.oneof(message, fc.anything()), (data) => {
        decodeSignal(data);
      }),
    );
  });
});
