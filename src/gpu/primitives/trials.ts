import { CrinkleError } from "../../core/errors.ts";
import type { AdapterDescription } from "../device/adapter.ts";
import type { GpuContext } from "../device/context.ts";

/** Changes with the kernels, so that what is kept about older ones does not count. */
const version = 4;

/** Where outcomes of trials are kept by adapter: in memory, or in the browser (`browserTrialStore`). */
export interface TrialStore {
  get(key: string): Promise<string | undefined> | string | undefined;
  set(key: string, value: string): unknown;
}

const memory: TrialStore = new Map<string, string>();
const stores = new WeakMap<GpuContext, TrialStore>();

/** Keeps the outcomes of this context's trials in a store from now on. */
export function keepTrials(gpu: GpuContext, store: TrialStore): void {
  stores.set(gpu, store);
}

/** What an outcome is kept by: the description names the driver's version where the browser gives it. */
export const trialKey = ({ vendor, architecture, description }: AdapterDescription, what: string): string =>
  `crinkle: ${what} ${version} on ${vendor}, ${architecture}, ${description}`;

const running = new WeakMap<GpuContext, Map<string, Promise<string>>>();

/**
 * The outcome of a trial, which is run where the store does not know one of `outcomes`. While it runs, a store that
 * outlasts the page has the last of these, the safest: a trial that loses the device is not repeated.
 */
export async function remembered<T extends string>(
  gpu: GpuContext,
  what: string,
  outcomes: readonly T[],
  trial: () => Promise<T>,
): Promise<T> {
  const own = running.get(gpu) ?? new Map<string, Promise<string>>();
  running.set(gpu, own);
  const outcome = own.get(what) ?? recall(gpu, what, outcomes, trial);
  own.set(what, outcome);
  outcome.catch(() => own.delete(what));
  // Only trials of this name, whose outcomes these are, were kept under it.
  return (await outcome) as T;
}

async function recall<T extends string>(
  gpu: GpuContext,
  what: string,
  outcomes: readonly T[],
  trial: () => Promise<T>,
): Promise<T> {
  const store = stores.get(gpu) ?? memory;
  const key = trialKey(gpu.adapter, what);
  const kept = await store.get(key);
  const known = outcomes.find((outcome) => outcome === kept);
  if (known) return known;
  const outlasts = store !== memory;
  if (outlasts) await store.set(key, outcomes[outcomes.length - 1]);
  try {
    const outcome = await trial();
    await store.set(key, outcome);
    return outcome;
  } catch (error) {
    const isLost = error instanceof CrinkleError && error.tag === "DeviceLost";
    if (outlasts && !isLost) await store.set(key, "failed");
    throw error;
  }
}
