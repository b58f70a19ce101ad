import type { RunRequest } from "../../engine/api.ts";

export type Strategy = RunRequest["strategy"];

/** The choices of strategy, in the order of menus. */
export const strategies: readonly {
  readonly value: Strategy;
  readonly label: string;
  readonly about: string;
}[] = [
  { value: "auto", label: "Auto", about: "the fastest that fits" },
  { value: "fusion", label: "Fusion", about: "as few kernels as possible" },
  { value: "staged", label: "Staged", about: "a kernel per filter, on the GPU" },
  { value: "roundtrip", label: "Roundtrip", about: "a kernel per filter, via the host" },
  { value: "streamed", label: "Streamed", about: "in blocks, for larger data" },
];

export const labelOf = (strategy: Strategy): string =>
  strategies.find(({ value }) => value === strategy)?.label ?? strategy;
