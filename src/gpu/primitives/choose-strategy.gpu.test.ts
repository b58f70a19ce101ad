import { expect, it } from "vitest";
import { GpuContext } from "../device/context.ts";
import { bareGpu, testGpu } from "../testing/context.ts";
import { portableStrategy } from "./base/strategy.ts";
import { chooseStrategy, strategyKey } from "./choose-strategy.ts";

const gpu = await testGpu();
/** The same device as a context that has chosen nothing yet. */
const fresh = () => new GpuContext(gpu.device, gpu.adapter);

it("tries an adapter once and keeps the outcome in the store", async () => {
  const store = new Map<string, string>();
  const first = fresh();
  expect(await chooseStrategy(first, store)).toEqual({ subgroups: true, scan: "chained" });
  expect([...store]).toEqual([[strategyKey(gpu.adapter), "chained"]]);
  expect(first.pipelines.count).toBeGreaterThan(0);

  const second = fresh();
  expect(await chooseStrategy(second, store)).toEqual({ subgroups: true, scan: "chained" });
  expect(second.pipelines.count).toBe(0);
});

it("believes the store, but no name it does not know", async () => {
  const key = strategyKey(gpu.adapter);
  expect((await chooseStrategy(fresh(), new Map([[key, "reduce-then-scan"]]))).scan).toBe("reduce-then-scan");
  const store = new Map([[key, "magic"]]);
  expect((await chooseStrategy(fresh(), store)).scan).toBe("chained");
  expect(store.get(key)).toBe("chained");
});

it("needs no trial without subgroups", async () => {
  const store = new Map<string, string>();
  expect(await chooseStrategy(await bareGpu(), store)).toEqual(portableStrategy);
  expect(store.size).toBe(0);
});
