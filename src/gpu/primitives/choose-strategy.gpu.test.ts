import { expect, it } from "vitest";
import { GpuContext } from "../device/context.ts";
import { bareGpu, testGpu } from "../testing/context.ts";
import { portableStrategy } from "./base/strategy.ts";
import { chooseStrategy } from "./choose-strategy.ts";
import { keepTrials, type TrialStore, trialKey } from "./trials.ts";

const gpu = await testGpu();
const key = trialKey(gpu.adapter, "strategy");

/** The same device as a context that has chosen nothing yet. */
function fresh(store: TrialStore): GpuContext {
  const context = new GpuContext(gpu.device, gpu.adapter);
  keepTrials(context, store);
  return context;
}

it("tries an adapter once and keeps the outcome in the store", async () => {
  const store = new Map<string, string>();
  const first = fresh(store);
  expect(await chooseStrategy(first)).toEqual({ subgroups: true, scan: "chained" });
  expect([...store]).toEqual([[key, "chained"]]);
  expect(first.pipelines.count).toBeGreaterThan(0);

  const second = fresh(store);
  expect(await chooseStrategy(second)).toEqual({ subgroups: true, scan: "chained" });
  expect(second.pipelines.count).toBe(0);
});

it("believes the store, but no name it does not know", async () => {
  const slower = fresh(new Map([[key, "reduce-then-scan"]]));
  expect((await chooseStrategy(slower)).scan).toBe("reduce-then-scan");
  const store = new Map([[key, "magic"]]);
  expect((await chooseStrategy(fresh(store))).scan).toBe("chained");
  expect(store.get(key)).toBe("chained");
});

it("needs no trial without subgroups", async () => {
  const store = new Map<string, string>();
  const bare = await bareGpu();
  keepTrials(bare, store);
  expect(await chooseStrategy(bare)).toEqual(portableStrategy);
  expect(store.size).toBe(0);
});

it("does not repeat a trial that lost the device", async () => {
  const store = new Map<string, string>();
  const other = await GpuContext.open(navigator.gpu);
  keepTrials(other, store);
  const choice = chooseStrategy(other);
  other.device.destroy();
  await expect(choice).rejects.toMatchObject({ tag: "DeviceLost" });
  expect(store.get(key)).toBe("portable");
});
