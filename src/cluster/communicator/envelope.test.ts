import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { CrinkleError } from "../../core/errors.ts";
import { childContext, decodeHead, encodeHead, epochOf, type Head } from "./envelope.ts";

const word = fc.nat(2 ** 32 - 1);
const count = fc.maxSafeNat();
const envelope = fc.record({
  epoch: word,
  context: count,
  operation: fc.constantFrom("send", "barrier", "allreduce", "split") as fc.Arbitrary<"send">,
  sequence: word,
  tag: word,
  source: word,
  dtype: fc.nat(255),
  signature: word,
  bytes: count,
});
const head: fc.Arbitrary<Head> = fc.oneof(
  fc.record({ kind: fc.constant("eager" as const), envelope }),
  fc.record({ kind: fc.constant("requestToSend" as const), envelope, id: word }),
  fc.record({ kind: fc.constantFrom("clearToSend" as const, "data" as const), epoch: word, id: word }),
  fc.record({ kind: fc.constant("credit" as const), epoch: word, bytes: word, requests: word }),
  fc.record({ kind: fc.constant("revoke" as const), epoch: word, context: count }),
);

describe("heads of messages", () => {
  it("survive a round trip", () => {
    fc.assert(
      fc.property(head, (given) => {
        const bytes = encodeHead(given);
        expect(decodeHead(bytes)).toEqual(given);
        expect(epochOf(bytes)).toBe("envelope" in given ? given.envelope.epoch : given.epoch);
      }),
    );
  });

  it("are BadMessage or a valid head, whatever the bytes", () => {
    const changed = fc
      .tuple(head, fc.nat(44), fc.nat(255))
      .map(([given, at, byte]) => encodeHead(given).map((own, k) => (k === at ? byte : own)));
    let read = 0;
    fc.assert(
      fc.property(fc.oneof(changed, fc.uint8Array({ maxLength: 60 })), (bytes) => {
        try {
          decodeHead(bytes);
          read++;
        } catch (error) {
          expect(error).toBeInstanceOf(CrinkleError);
          expect((error as CrinkleError).tag).toBe("BadMessage");
        }
      }),
      { numRuns: 10_000 },
    );
    expect(read).toBeGreaterThan(1000);
  });
});

describe("contexts", () => {
  it("of a program's communicators are all different, and safe integers", () => {
    const seen = new Set([0]);
    const grow = (parent: number, depth: number) => {
      for (let k = 1; k <= 12; k++) {
        const context = childContext(parent, depth % 3, k);
        expect(Number.isSafeInteger(context)).toBe(true);
        seen.add(context);
        if (depth < 3) grow(context, depth + 1);
      }
    };
    grow(0, 0);
    expect(seen.size).toBe(1 + 12 + 144 + 1728 + 20_736);
  });
});
