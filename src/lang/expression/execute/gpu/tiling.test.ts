import fc from "fast-check";
import { expect, it } from "vitest";
import { chooseTiling } from "./tiling.ts";

const extent = fc.integer({ min: 1, max: 5000 });

it("covers every grid with workgroups that every device allows", () => {
  fc.assert(
    fc.property(extent, extent, extent, (nx, ny, nz) => {
      const { tile, tiles, depth } = chooseTiling([nx, ny, nz]);
      expect(tile[0] * tile[1]).toBeLessThanOrEqual(256);
      expect(tiles[0] * tile[0]).toBeGreaterThanOrEqual(nx);
      expect(tiles[1] * tile[1]).toBeGreaterThanOrEqual(ny);
      expect(tiles[2] * depth).toBeGreaterThanOrEqual(nz);
      expect((tiles[0] - 1) * tile[0]).toBeLessThan(nx);
      expect((tiles[1] - 1) * tile[1]).toBeLessThan(ny);
      expect((tiles[2] - 1) * depth).toBeLessThan(nz);
    }),
  );
});

it("walks along z in large grids alone, and fills its workgroups in thin ones", () => {
  expect(chooseTiling([192, 192, 1024])).toEqual({ tile: [64, 4], tiles: [3, 48, 128], depth: 8 });
  expect(chooseTiling([64, 64, 64]).depth).toBe(1);
  expect(chooseTiling([1_000_000, 1, 1]).tile).toEqual([256, 1]);
  expect(chooseTiling([1, 1_000_000, 1]).tile).toEqual([1, 256]);
});
