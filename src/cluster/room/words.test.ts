import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { CrinkleError } from "../../core/errors.ts";
import { readWord, type Word } from "./words.ts";

const text = fc.string({ maxLength: 100 });
const id = fc.string({ minLength: 1, maxLength: 60 });
const about = fc.record({ name: text, device: text, gpu: text });
const addresses = fc.dictionary(fc.constantFrom("rtc", "tcp", "port"), text);
const who = fc.record({ id, about, addresses, ticket: text });
const word: fc.Arbitrary<Word> = fc.oneof(
  fc.record({ say: fc.constantFrom("wait", "linked", "meshed", "removed") }),
  fc.record({ say: fc.constant("redirect" as const), id, addresses }),
  fc.record({ say: fc.constant("ask" as const), about, addresses }),
  fc.record({ say: fc.constant("refuse" as const), reason: text }),
  fc.record({ say: fc.constant("invite" as const), others: fc.array(who, { maxLength: 4 }) }),
  fc.record({ say: fc.constant("expect" as const), who }),
  fc.record({ say: fc.constant("present" as const), ticket: text }),
  fc.record({ say: fc.constant("unreachable" as const), ids: fc.array(id, { maxLength: 4 }) }),
  fc.record({
    say: fc.constant("welcome" as const),
    epoch: fc.integer({ min: 1 }),
    ids: fc.array(id, { maxLength: 4 }),
  }),
  fc.record({ say: fc.constantFrom("ping" as const, "pong" as const), at: fc.nat() }),
);

const refused = (value: unknown): string | undefined => {
  try {
    readWord(value);
    return undefined;
  } catch (error) {
    expect(error).toBeInstanceOf(CrinkleError);
    return (error as CrinkleError).tag;
  }
};

describe("what members of a room say", () => {
  it("reads as it was said", () => {
    fc.assert(
      fc.property(word, (given) => {
        expect(readWord(JSON.parse(JSON.stringify(given)))).toEqual(JSON.parse(JSON.stringify(given)));
      }),
    );
  });

  it("is BadMessage where it is nothing that a member says", () => {
    const long = "x".repeat(201);
    for (const value of [
      null,
      7,
      "ask",
      [],
      {},
      { say: "shout" },
      { say: "ask", about: { name: long, device: "", gpu: "" }, addresses: {} },
      { say: "ask", about: { name: "", device: "", gpu: "" }, addresses: { rtc: 3 } },
      { say: "invite", others: Array(1025).fill({}) },
      { say: "welcome", epoch: -1, ids: [] },
      { say: "welcome", epoch: 1.5, ids: [] },
      { say: "welcome", epoch: 1, ids: [""] },
      { say: "present", ticket: {} },
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
