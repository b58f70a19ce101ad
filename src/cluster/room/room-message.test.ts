import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { CrinkleError } from "../../core/errors.ts";
import { decodeRoomMessage, type RoomMessage } from "./room-message.ts";

const text = fc.string({ maxLength: 100 });
const id = fc.string({ minLength: 1, maxLength: 60 });
const group = fc.record({ id, data: text, ranks: fc.integer({ min: 1 }) });
const about = fc.record(
  { name: text, device: text, gpu: text, group },
  { requiredKeys: ["name", "device", "gpu"] },
);
const addresses = fc.dictionary(fc.constantFrom("rtc", "tcp", "port"), text);
const who = fc.record({ id, about, addresses, token: text });
const message: fc.Arbitrary<RoomMessage> = fc.oneof(
  fc.record({ type: fc.constantFrom("pending", "linked", "meshed", "removed") }),
  fc.record({ type: fc.constant("redirect" as const), id, addresses }),
  fc.record({ type: fc.constant("join" as const), about, addresses }),
  fc.record({ type: fc.constant("reject" as const), reason: text }),
  fc.record({ type: fc.constant("invite" as const), others: fc.array(who, { maxLength: 4 }) }),
  fc.record({ type: fc.constant("announce" as const), who }),
  fc.record({ type: fc.constant("presentToken" as const), token: text }),
  fc.record({ type: fc.constant("unreachable" as const), ids: fc.array(id, { maxLength: 4 }) }),
  fc.record({
    type: fc.constant("welcome" as const),
    epoch: fc.integer({ min: 1 }),
    ids: fc.array(id, { maxLength: 4 }),
  }),
  fc.record({ type: fc.constantFrom("ping" as const, "pong" as const), at: fc.nat() }),
);

const refused = (value: unknown): string | undefined => {
  try {
    decodeRoomMessage(value);
    return undefined;
  } catch (error) {
    expect(error).toBeInstanceOf(CrinkleError);
    return (error as CrinkleError).tag;
  }
};

describe("room messages", () => {
  it("survive a round trip", () => {
    fc.assert(
      fc.property(message, (given) => {
        expect(decodeRoomMessage(JSON.parse(JSON.stringify(given)))).toEqual(
          JSON.parse(JSON.stringify(given)),
        );
      }),
    );
  });

  it("are BadMessage if they are invalid", () => {
    const long = "x".repeat(201);
    const about = { name: "", device: "", gpu: "" };
    for (const value of [
      null,
      7,
      "ask",
      [],
      {},
      { type: "shout" },
      { type: "join", about: { name: long, device: "", gpu: "" }, addresses: {} },
      { type: "join", about: { name: "", device: "", gpu: "" }, addresses: { rtc: 3 } },
      { type: "join", about: { ...about, group: { id: "", data: "a", ranks: 2 } }, addresses: {} },
      { type: "join", about: { ...about, group: { id: "a", data: long, ranks: 2 } }, addresses: {} },
      { type: "join", about: { ...about, group: { id: "a", data: "a", ranks: 1.5 } }, addresses: {} },
      { type: "invite", others: Array(1025).fill({}) },
      { type: "welcome", epoch: -1, ids: [] },
      { type: "welcome", epoch: 1.5, ids: [] },
      { type: "welcome", epoch: 1, ids: [""] },
      { type: "presentToken", token: {} },
    ]) {
      expect(refused(value), JSON.stringify(value)).toBe("BadMessage");
    }
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect([undefined, "BadMessage"]).toContain(refused(value));
      }),
    );
  });
});
