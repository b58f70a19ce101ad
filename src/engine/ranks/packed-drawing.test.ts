import { describe, expect, it } from "vitest";
import type { OffscreenDrawing } from "../../viewer/viewer.ts";
import { drawPacked, emptyDrawing, packDrawing } from "./packed-drawing.ts";

type Pixel = readonly [depth: number, color: number];

/** `at` gives a pixel's depth and the number of its colour, or nothing. */
function drawn(width: number, height: number, at: (x: number, y: number) => Pixel | undefined) {
  const drawing = emptyDrawing({ width, height });
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const pixel = at(x, y);
      if (!pixel) continue;
      const [depth, color] = pixel;
      drawing.depth[y * width + x] = depth;
      drawing.color.set([color & 255, (color >> 8) & 255, (color >> 16) & 255, 255], 4 * (y * width + x));
    }
  }
  return drawing;
}

function unpacked(packed: Uint8Array, { width, height }: OffscreenDrawing): OffscreenDrawing {
  const drawing = emptyDrawing({ width, height });
  drawPacked(drawing, packed);
  return drawing;
}

/** A ball in front of a slanted plane with holes: edges, runs of one pixel, and depths over several powers of two. */
const scene = drawn(61, 43, (x, y) => {
  const r = Math.hypot(x - 25, y - 20);
  if (r < 12) return [Math.fround(0.4 - 0.01 * Math.sqrt(144 - r * r)), 1000 * x + 7 * y];
  if ((x * 7 + y * 3) % 5 === 0 || x < 4) return undefined;
  return [Math.fround(0.011 * x + 0.003 * y + 0.02), x << 16];
});

describe("packed drawings", () => {
  it("are what was drawn, to the bit", () => {
    for (const drawing of [scene, emptyDrawing({ width: 5, height: 3 }), drawn(1, 1, () => [0, 0xffffff])])
      expect(unpacked(packDrawing(drawing), drawing)).toEqual(drawing);
  });

  it("are what was drawn, whatever it is, and damaged ones are pictures or refused", () => {
    let state = 7;
    const random = (n: number) => {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
      return Math.floor((state / 2 ** 32) * n);
    };
    for (let k = 0; k < 40; k++) {
      const share = [0, 3, 9, 10][k % 4];
      const drawing = drawn(1 + random(40), 1 + random(30), () =>
        random(10) < share
          ? [[0, 2 ** -140, Math.fround(random(1e6) / 1e6), 1 - 2 ** -24][random(4)], random(2 ** 24)]
          : undefined,
      );
      const packed = packDrawing(drawing);
      expect(unpacked(packed, drawing)).toEqual(drawing);
      const damaged = packed.slice();
      damaged[random(packed.length)] ^= 1 << random(8);
      try {
        drawPacked(emptyDrawing(drawing), damaged);
      } catch (error) {
        expect(error).toMatchObject({ problem: expect.stringContaining("an invalid picture") });
      }
    }
  });

  it("hold what is covered alone: a plane across the view takes few bytes a pixel, and nothing hardly any", () => {
    const plane = drawn(400, 300, (x, y) => [Math.fround(0.5 + 4e-4 * x + 2e-4 * y), 0x4080c0]);
    expect(packDrawing(plane).length).toBeLessThan(400 * 300);
    const corner = drawn(4000, 3000, (x, y) => (x < 10 && y > 2990 ? [0.5, x * y] : undefined));
    expect(packDrawing(corner).length).toBeLessThan(1000);
    expect(packDrawing(emptyDrawing({ width: 4000, height: 3000 })).length).toBeLessThan(40);
  });

  it("are drawn where they are nearer than what is there, in any order", () => {
    const other = drawn(61, 43, (x, y) =>
      y > 15 ? [Math.fround(0.9003 - 0.015 * x), 0x123456 + y] : undefined,
    );
    const [a, b] = [emptyDrawing(scene), emptyDrawing(scene)];
    for (const packed of [scene, other].map(packDrawing)) drawPacked(a, packed);
    for (const packed of [other, scene].map(packDrawing)) drawPacked(b, packed);
    expect(a).toEqual(b);
    for (const [pixel, depth] of a.depth.entries()) {
      const from = scene.depth[pixel] < other.depth[pixel] ? scene : other;
      expect(depth).toBe(from.depth[pixel]);
      expect(a.color.subarray(4 * pixel, 4 * pixel + 4)).toEqual(
        from.color.subarray(4 * pixel, 4 * pixel + 4),
      );
    }
  });

  it("are refused where they are damaged, or of another size", () => {
    const packed = packDrawing(scene);
    expect(() => drawPacked(emptyDrawing({ width: 60, height: 43 }), packed)).toThrow("an invalid picture");
    for (const damaged of [
      packed.subarray(0, 12),
      packed.subarray(0, packed.length - 40),
      packed.map((byte, k) => (k === 16 ? byte - 1 : byte)),
      packed.map((byte, k) => (k === 16 ? byte + 1 : byte)),
      packed.map((byte, k) => (k === 12 ? byte - 1 : byte)),
    ])
      expect(() => drawPacked(emptyDrawing(scene), damaged)).toThrow("an invalid picture");
  });
});
