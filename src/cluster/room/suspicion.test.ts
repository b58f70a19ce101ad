import { describe, expect, it } from "vitest";
import { MemoryNetwork } from "../transport/testing/memory-network.ts";
import { probeSuspect, type Suspect } from "./suspicion.ts";

/** Milliseconds until somebody is taken for gone, within ten seconds. */
async function look(given: (now: () => number) => Partial<Suspect>): Promise<number | undefined> {
  const network = new MemoryNetwork({ seed: 1 });
  const clock = network.clock(0);
  let at: number | undefined;
  const suspect: Suspect = { hasEnded: false, lastReceivedAt: 0, roundTripMs: 1, ping: () => {} };
  // Getters stay getters.
  Object.defineProperties(suspect, Object.getOwnPropertyDescriptors(given(clock.now)));
  probeSuspect(suspect, clock, () => {
    at = clock.now();
  });
  await network.run(() => false, 10_000);
  return at;
}

describe("somebody under suspicion", () => {
  it("is gone where its transport acknowledges nothing", async () => {
    const ms = await look(() => ({ packetsReceived: async () => 5 }));
    expect(ms).toBeGreaterThanOrEqual(300);
    expect(ms).toBeLessThan(400);
  });

  it("is not gone where its transport acknowledges, though it says nothing", async () => {
    const packetsReceived = (now: () => number) => async () => Math.floor(now() / 200);
    expect(await look((now) => ({ packetsReceived: packetsReceived(now) }))).toBeUndefined();
  });

  it("has longer where the way is long", async () => {
    expect(await look(() => ({ packetsReceived: async () => 5, roundTripMs: 400 }))).toBeGreaterThanOrEqual(
      800,
    );
  });

  it("has 700 ms where nobody sees its transport, or what sees it does not answer", async () => {
    for (const packetsReceived of [undefined, async () => undefined, () => new Promise<number>(() => {})]) {
      const ms = await look(() => ({ packetsReceived }));
      expect(ms).toBeGreaterThanOrEqual(700);
      expect(ms).toBeLessThan(800);
    }
  });

  it("is not gone once anything was heard, nor twice where its link has ended", async () => {
    const heard = (now: () => number) => ({
      packetsReceived: async () => 5,
      get lastReceivedAt() {
        return now() > 250 ? 250 : 0;
      },
    });
    expect(await look(heard)).toBeUndefined();
    expect(await look(() => ({ hasEnded: true }))).toBeUndefined();
  });
});
