import type { Predicate } from "../../core/primitives/functions.ts";
import { readU32 } from "../../gpu/device/transfer.ts";
import type { PrimitiveStrategy } from "../../gpu/primitives/base/strategy.ts";
import { chooseStrategy } from "../../gpu/primitives/choose-strategy.ts";
import { type CompactKernel, createCompact } from "../../gpu/primitives/compact/compact.ts";
import { createSegmentedSplit } from "../../gpu/primitives/compact/segmented-split.ts";
import { createCountingSearch } from "../../gpu/primitives/counting-search/counting-search.ts";
import type { BenchCase } from "../case.ts";
import { timeRecorded } from "../measure.ts";
import { benchCase, generate, noise, usage, viewOf } from "./primitives-search.ts";

/** Elements that are looked at in a few places of a result. */
const window = 1 << 12;
const sizeOf = (isQuick: boolean, n = isQuick ? 1 << 16 : 1 << 28) => Math.max(4, n >> 14) * (1 << 14);
const places = (n: number) => [0, n / 2, n - window];

/** One of each pair of elements is selected: the first or the second. */
const chosen = (pair: number) => noise(pair) & 1;
const isChosen = "select(0u, 1u, (i & 1u) == (noise(i >> 1u) & 1u))";
const isOdd: Predicate = { name: "odd", text: "(x & 1u) == 1u" };

function compactCase(
  name: string,
  keeps: CompactKernel["keeps"],
  change?: Partial<PrimitiveStrategy>,
): BenchCase {
  return benchCase(name, async ({ gpu, isQuick, n: wanted }, scope, recorder) => {
    const n = sizeOf(isQuick, wanted);
    const input = await generate(gpu, scope, n, `(i << 1u) | ${isChosen}`);
    const [output, kept] = [n, 1].map((length) => scope.allocate("bench: output", length * 4, usage()));
    const kernel = { type: "u32", words: 1, selection: { where: isOdd }, keeps } as const;
    const compact = await createCompact(gpu, kernel, { ...(await chooseStrategy(gpu)), ...change });
    const operands = { input: viewOf(input), output: viewOf(output), kept: viewOf(kept) };
    const ms = await timeRecorded(gpu, recorder, () => compact.record(recorder, operands));
    let verified = (await readU32(gpu, kept))[0] === n / 2;
    for (const first of places(n / 2)) {
      const got = await readU32(gpu, output, first, window);
      verified &&= got.every((x, k) => x === 2 * (2 * (first + k) + chosen(first + k)) + 1);
      if (keeps !== "both") continue;
      const others = await readU32(gpu, output, n / 2 + first, window);
      verified &&= others.every((x, k) => x === 2 * (2 * (first + k) + 1 - chosen(first + k)));
    }
    return { n, ms, bytes: keeps === "both" ? n * 8 : n * 6, verified };
  });
}

/** Elements of a segment. */
const segment = 1000;

const splitCase = benchCase("segmented_split", async ({ gpu, isQuick, n: wanted }, scope, recorder) => {
  const n = sizeOf(isQuick, wanted ?? (isQuick ? undefined : 1 << 27));
  const [input, flags, heads] = [
    await generate(gpu, scope, n, "i"),
    await generate(gpu, scope, n, isChosen),
    await generate(gpu, scope, n, `select(0u, 1u, i % ${segment}u == 0u)`),
  ];
  const output = scope.allocate("bench: output", n * 4, usage());
  const kernel = { words: 1, segments: "heads" } as const;
  const split = await createSegmentedSplit(gpu, kernel, await chooseStrategy(gpu));
  const operands = {
    input: viewOf(input),
    flags: viewOf(flags),
    segments: viewOf(heads),
    output: viewOf(output),
  };
  const ms = await timeRecorded(gpu, recorder, () => split.record(recorder, operands));
  let verified = true;
  for (const first of places(n)) {
    const got = await readU32(gpu, output, first, window);
    verified &&= got.every((x, k) => {
      const start = first + k - ((first + k) % segment);
      const half = Math.min(segment, n - start) / 2;
      const at = first + k - start;
      const pair = start / 2 + (at % half);
      return x === 2 * pair + (at < half ? 1 - chosen(pair) : chosen(pair));
    });
  }
  return { n, ms, bytes: n * 16, verified };
});

/** Needles between neighbouring elements, on average. */
const step = 5;

const countingCase = benchCase(
  "upper_bound_counting",
  async ({ gpu, isQuick, n: wanted }, scope, recorder) => {
    const n = sizeOf(isQuick, wanted);
    const elements = Math.floor(n / step);
    const sorted = await generate(gpu, scope, elements, `${step}u * i + noise(i) % ${step}u`);
    const output = scope.allocate("bench: output", n * 4, usage());
    const search = await createCountingSearch(gpu, await chooseStrategy(gpu));
    const operands = { sorted: viewOf(sorted), output: viewOf(output) };
    const ms = await timeRecorded(gpu, recorder, () => search.record(recorder, operands));
    let verified = true;
    for (const first of places(n)) {
      const got = await readU32(gpu, output, first, window);
      verified &&= got.every((count, k) => {
        const i = Math.floor((first + k) / step);
        return count === i + Number(i < elements && noise(i) % step <= (first + k) % step);
      });
    }
    return { n, ms, bytes: (n + elements) * 4, verified };
  },
);

export const compactCases: readonly BenchCase[] = [
  compactCase("copy_if", "selected"),
  compactCase("copy_if_reduce_then_scan", "selected", { scan: "reduce-then-scan" }),
  compactCase("copy_if_no_subgroups", "selected", { subgroups: false, scan: "reduce-then-scan" }),
  compactCase("partition", "both"),
  splitCase,
  countingCase,
];
