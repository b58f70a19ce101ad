import { describe, expect, it } from "vitest";
import { pageSignalling, parseSignalling } from "./options.ts";
import { addressOf, roomOf } from "./protocol.ts";

const server = "https://example.org:9000/peer";

describe("signalling options", () => {
  it("survive a round trip, without ICE servers unless some are named", () => {
    expect(parseSignalling({ server, debug: 3 })).toEqual({ server, iceServers: [] });
    const turn = { urls: ["turn:example.org:3478?transport=tcp"], username: "u", credential: "c" };
    const options = { server, key: "own", iceServers: [{ urls: ["stun:example.org"] }, turn] };
    expect(parseSignalling(options)).toEqual(options);
    expect(parseSignalling({ server, iceServers: [{ urls: "stun:x" }] }).iceServers).toEqual([
      { urls: ["stun:x"] },
    ]);
    expect(pageSignalling("http://localhost:8470/?theme=dark#key")).toEqual({
      server: "http://localhost:8470/peer",
    });
  });

  it.each<[string, unknown]>([
    ["nothing", undefined],
    ["a text", server],
    ["no server", {}],
    ["another protocol", { server: "ws://example.org" }],
    ["no address", { server: "example.org" }],
    ["a key with spaces", { server, key: "a b" }],
    ["ICE servers that are not a list", { server, iceServers: {} }],
    ["too many ICE servers", { server, iceServers: Array(17).fill({ urls: "stun:x" }) }],
    ["an ICE server with a web address", { server, iceServers: [{ urls: "https://x" }] }],
    ["an ICE server with a user in its address", { server, iceServers: [{ urls: "turn:u:p@x" }] }],
    ["a TURN server without credentials", { server, iceServers: [{ urls: "turn:x", username: "u" }] }],
    ["an ICE server without an address", { server, iceServers: [{}] }],
  ])("are refused with %s", (_, given) => {
    expect(() => parseSignalling(given)).toThrow(expect.objectContaining({ tag: "BadArgument" }));
  });
});

it("addresses contain their room", () => {
  expect(roomOf(addressOf("0af3", "m1"))).toBe("0af3");
  for (const none of ["", "room", "-m", "room-", "a-b-c", `${"x".repeat(65)}-m`, "ro om-m"]) {
    expect(roomOf(none)).toBeUndefined();
  }
});
