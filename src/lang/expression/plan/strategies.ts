/** How a network is run on a GPU. */
export type StrategyName = "roundtrip" | "staged" | "fusion" | "streamed";
export const strategyNames: readonly StrategyName[] = ["fusion", "staged", "streamed", "roundtrip"];

/** Strategies under which fields and results can stay on the device, the faster one first. */
export type ResidentStrategy = Extract<StrategyName, "fusion" | "staged">;
export const residentStrategies: readonly ResidentStrategy[] = ["fusion", "staged"];
