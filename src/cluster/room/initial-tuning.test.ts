import { describe, expect, it } from "vitest";
import { initialTuning } from "./initial-tuning.ts";

const tab = (browser: string, id: number) => ({ port: `${browser}/${id}`, rtc: `room-${browser}${id}` });
const node = (host: string, port: number) => ({
  tcp: `${host}:${port},127.0.0.1:${port}`,
  rtc: `room-${host}${port}`,
});

describe("the initial tuning", () => {
  it("has the slowest path between any two ranks", () => {
    expect(initialTuning([tab("a", 1), tab("a", 2)]).bytesPerMs).toBe(500_000);
    expect(initialTuning([tab("a", 1), tab("b", 2)]).bytesPerMs).toBe(35_000);
    expect(initialTuning([node("x", 1), node("y", 2)]).bytesPerMs).toBe(800_000);
    expect(initialTuning([node("x", 1), tab("a", 2)]).bytesPerMs).toBe(35_000);
    expect(initialTuning([tab("a", 1)]).groups).toBeUndefined();
  });

  it("groups ranks that are near each other, if others are not", () => {
    const { groups, within, bytesPerMs } = initialTuning([
      tab("a", 1),
      node("x", 1),
      tab("a", 2),
      node("x", 2),
    ]);
    expect(groups).toEqual([0, 1, 0, 1]);
    expect(within?.bytesPerMs).toBe(500_000);
    expect(bytesPerMs).toBe(35_000);
    expect(initialTuning([tab("a", 1), tab("a", 2), tab("a", 3)]).groups).toBeUndefined();
    expect(initialTuning([tab("a", 1), tab("b", 2)]).groups).toBeUndefined();
  });
});
