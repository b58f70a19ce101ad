import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { KeptParts } from "./kept-parts.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function part(isUsable = true) {
  return { isUsable, release: vi.fn(async () => {}) };
}

it("hands over a part once, and keeps what is put back", async () => {
  const kept = new KeptParts<ReturnType<typeof part>>();
  const one = part();
  await kept.put("q", one);
  expect(await kept.take("q")).toBe(one);
  expect(await kept.take("q")).toBeUndefined();
  expect(one.release).not.toHaveBeenCalled();
});

it("releases what nobody has taken for a minute", async () => {
  const kept = new KeptParts<ReturnType<typeof part>>();
  const one = part();
  await kept.put("q", one);
  await vi.advanceTimersByTimeAsync(59_000);
  expect(one.release).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(2000);
  expect(one.release).toHaveBeenCalledTimes(1);
  expect(await kept.take("q")).toBeUndefined();
});

it("keeps a part for as long as it asks for", async () => {
  const kept = new KeptParts<ReturnType<typeof part> & { readonly keepMs: number }>();
  const one = { ...part(), keepMs: 600_000 };
  await kept.put("q", one);
  await vi.advanceTimersByTimeAsync(599_000);
  expect(one.release).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(2000);
  expect(one.release).toHaveBeenCalledTimes(1);
});

it("releases a part that comes back after all were let go of", async () => {
  const kept = new KeptParts<ReturnType<typeof part>>();
  const [one, other] = [part(), part()];
  await kept.put("q", one);
  await kept.take("q");
  await kept.clear();
  await kept.put("q", one);
  expect(one.release).toHaveBeenCalledTimes(1);
  expect(await kept.take("q")).toBeUndefined();
  await kept.put("q", other);
  expect(await kept.take("q")).toBe(other);
});

it("releases the part that has been unused for longest, replaced ones and those whose device is lost", async () => {
  const kept = new KeptParts<ReturnType<typeof part>>();
  const parts = Array.from({ length: 5 }, () => part());
  for (const [k, one] of parts.entries()) await kept.put(`f${k}`, one);
  expect(parts.map(({ release }) => release.mock.calls.length)).toEqual([1, 0, 0, 0, 0]);
  await kept.put("f1", part());
  expect(parts[1].release).toHaveBeenCalledTimes(1);
  const lost = part(false);
  await kept.put("g", lost);
  expect(await kept.take("g")).toBeUndefined();
  expect(lost.release).toHaveBeenCalledTimes(1);
});

it("releases all where the rank ends", async () => {
  const kept = new KeptParts<ReturnType<typeof part>>();
  const parts = [part(), part()];
  await kept.put("a", parts[0]);
  await kept.put("b", parts[1]);
  await kept.clear();
  for (const one of parts) expect(one.release).toHaveBeenCalledTimes(1);
});
