import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { CrinkleError } from "../../core/errors.ts";
import {
  decodeContinuation,
  decodeFrame,
  encodeAbort,
  encodeAck,
  encodeBegin,
  encodeContinuation,
  encodeGoodbye,
  maxHeadBytes,
} from "./frame.ts";

const joined = (...parts: Uint8Array[]) => Uint8Array.from(parts.flatMap((part) => [...part]));
const count = fc.maxSafeNat();

describe("frames", () => {
  it("survive a round trip", () => {
    const bytes = fc.uint8Array({ minLength: 1, maxLength: 50 });
    fc.assert(
      fc.property(fc.nat(15), fc.uint8Array({ maxLength: 60 }), bytes, count, (stream, head, part, more) => {
        const bodyBytes = Math.max(more, part.length);
        expect(decodeFrame(joined(encodeBegin(stream, head, bodyBytes), part))).toEqual({
          kind: "begin",
          stream,
          head,
          bodyBytes,
          part,
        });
        const going = decodeFrame(joined(encodeContinuation(stream, more), part));
        expect(going).toEqual({ kind: "continuation", stream, position: more, part });
        expect(decodeFrame(encodeAbort(stream))).toEqual({ kind: "abort", stream });
        expect(decodeFrame(encodeAck(more))).toEqual({ kind: "ack", bytes: more });
      }),
    );
    expect(decodeFrame(encodeGoodbye("über den Berg"))).toEqual({ kind: "goodbye", reason: "über den Berg" });
  });

  it("decode as continuations by their header exactly if the whole frame does", () => {
    const small = fc.tuple(
      fc.constantFrom(1, 2, 2, 2, 3),
      fc.nat(17),
      fc.constantFrom(0, 0, 0, 1),
      fc.constantFrom(0, 0, 0, 1),
    );
    const large = fc.uint8Array({ minLength: 8, maxLength: 8 });
    fc.assert(
      fc.property(small, large, fc.boolean(), ([kind, stream, third, fifth], position, isSmall) => {
        const header = Uint8Array.of(kind, stream, 0, third, 0, fifth, 0, 0, ...position);
        if (isSmall) header.fill(0, 13);
        let expected: { stream: number; position: number } | undefined;
        try {
          const frame = decodeFrame(joined(header, Uint8Array.of(1)));
          if (frame.kind === "continuation") expected = { stream: frame.stream, position: frame.position };
        } catch {
          expected = undefined;
        }
        const got = decodeContinuation(header);
        if (got && !Number.isSafeInteger(got.position)) expect(expected).toBeUndefined();
        else expect(got).toEqual(expected);
      }),
      { numRuns: 2000 },
    );
  });

  it("are BadMessage or a valid frame, whatever the bytes", () => {
    const length = fc.integer({ min: 0, max: 80 });
    const likely = fc
      .tuple(fc.nat(6), fc.nat(17), fc.nat(20), fc.nat(90), fc.uint8Array({ maxLength: 60 }))
      .map(([kind, stream, small, large, rest]) =>
        joined(Uint8Array.of(kind, stream, small, 0, 0, 0, 0, 0, large, 0, 0, 0, 0, 0, 0, 0), rest),
      );
    const any = length.chain((n) => fc.uint8Array({ minLength: n, maxLength: n }));
    let read = 0;
    fc.assert(
      fc.property(fc.oneof(likely, any), (bytes) => {
        try {
          const frame = decodeFrame(bytes);
          read++;
          if (frame.kind === "begin") {
            expect(frame.head.length).toBeLessThanOrEqual(maxHeadBytes);
            expect(frame.part.length).toBeLessThanOrEqual(frame.bodyBytes);
          }
        } catch (error) {
          expect(error).toBeInstanceOf(CrinkleError);
          expect((error as CrinkleError).tag).toBe("BadMessage");
        }
      }),
      { numRuns: 20_000 },
    );
    expect(read).toBeGreaterThan(100);
  });
});
