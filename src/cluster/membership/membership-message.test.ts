import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { CrinkleError } from "../../core/errors.ts";
import {
  decodeMembershipMessage,
  encodeMembershipMessage,
  type MembershipMessage,
  membershipMark,
} from "./membership-message.ts";

const count = fc.nat(1000);
const ranks = fc.uniqueArray(fc.nat(40)).map((list) => list.toSorted((a, b) => a - b));
const plan = fc.record({ stay: ranks, join: fc.array(fc.string({ maxLength: 60 }), { maxLength: 4 }) });
const accepted = fc.option(fc.record({ ballot: count, plan }), { nil: null });
const message: fc.Arbitrary<MembershipMessage> = fc.oneof(
  fc.record({ kind: fc.constantFrom("heartbeat" as const, "leaving" as const) }),
  fc.record({ kind: fc.constant("failed" as const), epoch: count, rank: count, certain: fc.boolean() }),
  fc.record({
    kind: fc.constantFrom("prepare" as const, "accepted" as const, "nack" as const),
    epoch: count,
    ballot: count,
  }),
  fc.record({ kind: fc.constant("promise" as const), epoch: count, ballot: count, failed: ranks, accepted }),
  fc.record({ kind: fc.constant("accept" as const), epoch: count, ballot: count, plan }),
  fc.record({ kind: fc.constant("decided" as const), epoch: count, plan }),
);

const refused = (bytes: Uint8Array): string | undefined => {
  try {
    decodeMembershipMessage(bytes);
    return undefined;
  } catch (error) {
    expect(error).toBeInstanceOf(CrinkleError);
    return (error as CrinkleError).tag;
  }
};

const messageOf = (value: unknown) =>
  Uint8Array.of(
    membershipMark,
    ...new TextEncoder().encode(typeof value === "string" ? value : JSON.stringify(value)),
  );

describe("messages", () => {
  it("survive a round trip", () => {
    fc.assert(
      fc.property(message, (given) => {
        expect(decodeMembershipMessage(encodeMembershipMessage(given))).toEqual(given);
      }),
    );
  });

  it.each([
    ["text that is not JSON", "{"],
    ["a number", 3],
    ["null", null],
    ["no kind", { epoch: 1 }],
    ["an unknown kind", { kind: "toString", epoch: 1, ballot: 1 }],
    ["a negative epoch", { kind: "prepare", epoch: -1, ballot: 1 }],
    ["half a ballot", { kind: "prepare", epoch: 1, ballot: 0.5 }],
    ["ranks that do not ascend", { kind: "decided", epoch: 1, plan: { stay: [1, 1], join: [] } }],
    ["a plan without names", { kind: "decided", epoch: 1, plan: { stay: [1] } }],
    ["too long a name", { kind: "decided", epoch: 1, plan: { stay: [1], join: ["x".repeat(65)] } }],
    ["no certainty", { kind: "failed", epoch: 1, rank: 1 }],
  ])("with %s are BadMessage", (_, value) => {
    expect(refused(messageOf(value))).toBe("BadMessage");
  });

  it("are BadMessage or a valid message, whatever the JSON and the bytes", () => {
    fc.assert(
      fc.property(fc.oneof(fc.json().map(messageOf), fc.uint8Array({ maxLength: 60 })), (bytes) => {
        expect([undefined, "BadMessage"]).toContain(refused(bytes));
      }),
      { numRuns: 3000 },
    );
  });
});
