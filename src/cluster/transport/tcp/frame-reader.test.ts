import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { FrameReader } from "./frame-reader.ts";

const prefixed = (frame: Uint8Array) => {
  const { length } = frame;
  return Uint8Array.of(length & 255, length >> 8, 0, 0, ...frame);
};

describe("a frame reader", () => {
  it("finds the same frames however the bytes are cut", () => {
    const frames = fc.array(fc.uint8Array({ minLength: 1, maxLength: 300 }), { maxLength: 8 });
    fc.assert(
      fc.property(frames, fc.array(fc.integer({ min: 1, max: 50 }), { minLength: 1 }), (written, cuts) => {
        const stream = Uint8Array.from(written.flatMap((frame) => [...prefixed(frame)]));
        const reader = new FrameReader(300);
        const read: Uint8Array[] = [];
        for (let at = 0, k = 0; at < stream.length; at += cuts[k++ % cuts.length]) {
          const chunk = stream.slice(at, at + cuts[k % cuts.length]);
          const wrong = reader.read(chunk, (frame) => read.push(frame) > 0);
          expect(wrong).toBeUndefined();
          chunk.fill(0xff);
        }
        expect(read).toEqual(written);
        for (const frame of read) expect(frame.byteOffset).toBe(0);
      }),
    );
  });

  it("takes no frame that is empty or too long, and none after the last that is wanted", () => {
    const lengths = [
      [0, 0, 0, 0],
      [45, 1, 0, 0],
      [0, 0, 0, 128],
    ];
    for (const length of lengths) {
      const wrong = new FrameReader(300).read(Uint8Array.from([...length, 1]), () => {
        throw new Error("there is no frame");
      });
      expect(wrong).toContain("where 1 to 300 are allowed");
    }
    const two = Uint8Array.of(1, 0, 0, 0, 7, 1, 0, 0, 0, 8);
    const read: number[] = [];
    new FrameReader(300).read(two, ([byte]) => {
      read.push(byte);
      return false;
    });
    expect(read).toEqual([7]);
  });
});
