import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { FrameReader } from "./frame-reader.ts";

const prefixed = (frame: Uint8Array) => {
  const { length } = frame;
  return Uint8Array.of(length & 255, length >> 8, 0, 0, ...frame);
};

const isOpen = () => true;

describe("a frame reader", () => {
  it("finds the same frames however the bytes are cut and wherever they are received", () => {
    const frames = fc.array(fc.uint8Array({ minLength: 1, maxLength: 300 }), { maxLength: 8 });
    const cutting = fc.array(fc.integer({ min: 1, max: 50 }), { minLength: 1 });
    fc.assert(
      fc.property(frames, cutting, fc.nat(7), (written, cuts, placed) => {
        const stream = Uint8Array.from(written.flatMap((frame) => [...prefixed(frame)]));
        const read: Uint8Array[] = [];
        const reader = new FrameReader(300, {
          frame: (bytes) => {
            expect(bytes.byteOffset).toBe(0);
            read.push(bytes);
          },
          bufferFor: (header, length) => {
            if (read.length % 8 !== placed) return undefined;
            const whole = new Uint8Array(header.length + length);
            whole.set(header);
            return { into: whole.subarray(header.length), done: () => read.push(whole) };
          },
        });
        for (let at = 0, k = 0; at < stream.length; k++) {
          const chunk = stream.slice(at, at + cuts[k % cuts.length]);
          expect(reader.read(chunk, isOpen)).toBeUndefined();
          chunk.fill(0xff);
          at += chunk.length;
        }
        expect(read).toEqual(written);
      }),
    );
  });

  it("rejects empty and overlong frames, and reads none after it is closed", () => {
    const read: number[] = [];
    const receiver = { frame: ([byte]: Uint8Array) => read.push(byte) };
    const lengths = [
      [0, 0, 0, 0],
      [45, 1, 0, 0],
      [0, 0, 0, 128],
    ];
    for (const length of lengths) {
      const wrong = new FrameReader(300, receiver).read(Uint8Array.from([...length, 1]), isOpen);
      expect(wrong).toContain("but 1 to 300 are allowed");
    }
    expect(read).toEqual([]);
    const two = Uint8Array.of(1, 0, 0, 0, 7, 1, 0, 0, 0, 8);
    new FrameReader(300, receiver).read(two, () => read.length === 0);
    expect(read).toEqual([7]);
  });
});
