import { expect } from "vitest";
import type { Primitives } from "../primitives.ts";

/** Expects the checked modes to name the first index that is out of range, and to change nothing then. */
export async function expectCheckedMaps(p: Primitives): Promise<void> {
  const n = 3000;
  const u32 = (of: (i: number) => number) =>
    p.fromHost(
      "u32",
      Uint32Array.from({ length: n }, (_, i) => of(i)),
    );
  const [source, target] = [
    p.fromHost("u32", Uint32Array.of(5, 6, 7)),
    p.fromHost("u32", new Uint32Array(3)),
  ];
  const map = u32((i) => (i === 2100 ? 17 : i === 1900 ? 3 : i % 3));
  const [all, late, none] = [u32(() => 1), u32((i) => (i < 2000 ? 0 : 1)), u32(() => 0)];
  const first = "index 3 at position 1900 of its map, for a vector of 3 elements";
  const second = "index 17 at position 2100 of its map, for a vector of 3 elements";
  await expect(p.gatherIf(map, all, source, all, true)).rejects.toThrow(`gatherIf was given ${first}`);
  await expect(p.gatherIf(map, late, source, all, true)).rejects.toThrow(second);
  await expect(p.scatterIf(all, map, all, target, true)).rejects.toThrow(`scatterIf was given ${first}`);
  await expect(p.scatterIf(all, map, late, target, true)).rejects.toThrow(second);
  expect(await p.toHost(target)).toEqual(new Uint32Array(3));
  const view = p.permuted(source, map, true);
  await expect(p.copy(view)).rejects.toThrow(`permuted was given ${first}`);
  await expect(p.toHost(p.reversed(view))).rejects.toThrow(first);
  await expect(p.scatter(view, map, target)).rejects.toThrow(first);
  expect(await p.toHost(target)).toEqual(new Uint32Array(3));

  expect(await p.toHost(await p.gatherIf(map, none, source, all, true))).toEqual(new Uint32Array(n).fill(1));
  const good = p.permuted(source, p.fromHost("u32", Uint32Array.of(2, 0)), true);
  expect(await p.toHost(await p.copy(good))).toEqual(Uint32Array.of(7, 5));
  await p.scatterIf(source, p.counting("u32", 3), p.constant("u32", 3, 1), target, true);
  expect(await p.toHost(target)).toEqual(Uint32Array.of(5, 6, 7));
}
