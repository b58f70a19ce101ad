import { describe, expect, it } from "vitest";
import { MemoryNetwork } from "../transport/testing/memory-network.ts";
import { probeSuspect, type Suspect } from "./suspicion.ts";

/** Milliseconds until the suspect counts as gone, within ten seconds. */
async function look(given: (now: () => number) => Partial<Suspect>): Promise<number | undefined> {
  const network = new MemoryNetwork({ seed: 1 });
  const clock = network.clock(0);
  let at: number | undefined;
  const suspect: Suspect = { hasEnded: false, lastReceivedAt: 0, roundTripMs: 1, ping: () => {} };
  // Keeps getters as getters.
  Object.defineProperties(suspect, Object.getOwnPropertyDescriptors(given(clock.now)));
  probeSuspect(suspect, clock, () => {
    at = clock.now();
  });
  await network.run(() => false, 10_000);
  return at;
}

describe("a suspect", () => {
  it("is gone if its transport acknowledges nothing", async () => {
    const ms = await look(() => ({ packetsReceived: async () => 5 }));
    expect(ms).toBeGreaterThanOrEqual(300);
    expect(ms).toBeLessThan(400);
  });

  it("is not gone if its transport acknowledges, even if it says nothing", async () => {
    const packetsReceived = (now: () => number) => async () => Math.floor(now() / 200);
    expect(await look((now) => ({ packetsReceived: packetsReceived(now) }))).toBeUndefined();
  });

  it("has longer if its round trip is long", async () => {
    expect(await look(() => ({ packetsReceived: async () => 5, roundTripMs: 400 }))).toBeGreaterThanOrEqual(
      800,
    );
  });

  it("has 700 ms if acknowledgements cannot be observed, or the query is not answered", async () => {
    for (const packetsReceived of [undefined, async () => undefined, () => new Promise<number>(() => {})]) {
      const ms = await look(() => ({ packetsReceived }));
      expect(ms).toBeGreaterThanOrEqual(700);
      expect(ms).toBeLessThan(800);
    }
  });

  it("is not gone once anything arrived, nor twice if its link has ended", async () => {
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
