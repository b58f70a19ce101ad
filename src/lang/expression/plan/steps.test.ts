import { describe, expect, it } from "vitest";
import { compile } from "../compile.ts";
import { CostLedger } from "./cost.ts";
import { fusion } from "./fusion.ts";
import { chosenOutputs } from "./outputs.ts";
import { staged } from "./per-filter.ts";
import { hostResidency, type Residency, resident, residentAndBound } from "./residency.ts";
import { bytesOn, keyOf, predictCost, stepsOf } from "./steps.ts";

const fields = ["u", "v"].map((name) => ({ name, components: 1, centering: "node" as const }));
const grid = { kind: "uniform", dims: [4, 3, 2], origin: [0, 0, 0], spacing: [1, 1, 1] } as const;
const plane = 4 * 3 * 2 * 4;

/** The steps of a text, and what they cost. */
function walk(text: string, names: readonly string[], planner: typeof fusion, residency: Residency) {
  const network = compile(text, fields);
  const layout = () => ({ components: 1, offsets: [0] });
  const kernels = planner.plan(network, chosenOutputs(network, names), layout, { storageBuffers: 8 });
  const steps = stepsOf(kernels, residency);
  const ledger = new CostLedger();
  predictCost(
    steps,
    bytesOn(grid, network, () => fields[0]),
    ledger,
    (input) => input.kind === "field" && input.field === "u",
  );
  return { steps, cost: ledger.cost };
}

const text = "a = sin(u); b = a * v; c = b + u";
const counts = (steps: ReturnType<typeof walk>["steps"]) =>
  steps.map(({ sent, written, returned, dead }) =>
    [sent, written, returned, dead].map(({ length }) => length),
  );

describe("arrays of kernels that follow each other", () => {
  it("are sent before the first kernel that reads them and leave after the last, from host to host", () => {
    const { steps, cost } = walk(text, ["c"], staged, hostResidency.staged);
    expect(steps.map(({ sent }) => sent.map(keyOf))).toEqual([["field u"], ["field v"], []]);
    expect(counts(steps)).toEqual([
      [1, 1, 0, 0],
      [1, 1, 0, 2],
      [0, 1, 1, 3],
    ]);
    expect(cost).toMatchObject({ uploads: 2, downloads: 1, kernels: 3, peakBytes: 4 * plane });
  });

  it("leave after each kernel where they go back and forth", () => {
    const { steps, cost } = walk(text, ["c"], staged, hostResidency.roundtrip);
    expect(counts(steps)).toEqual([
      [1, 1, 1, 2],
      [2, 1, 1, 3],
      [2, 1, 1, 3],
    ]);
    expect(cost).toMatchObject({ uploads: 5, downloads: 3, kernels: 3, peakBytes: 3 * plane });
  });

  it("stay but for temporaries where they are resident; inputs that were not there count as sent", () => {
    const { steps, cost } = walk(text, ["c"], staged, resident);
    expect(counts(steps)).toEqual([
      [0, 1, 0, 0],
      [0, 1, 0, 1],
      [0, 1, 0, 1],
    ]);
    expect(cost).toEqual({
      uploads: 1,
      uploadedBytes: plane,
      downloads: 0,
      downloadedBytes: 0,
      kernels: 3,
      peakBytes: 4 * plane,
    });
  });

  it("all stay where kernels are bound once", () => {
    const { steps, cost } = walk(text, ["c"], staged, residentAndBound);
    expect(steps.flatMap(({ dead }) => dead)).toEqual([]);
    expect(cost.peakBytes).toBe(5 * plane);
  });

  for (const [name, planner] of Object.entries({ fusion, staged })) {
    it(`are one for each name of a value that stays, by ${name}`, () => {
      const { steps, cost } = walk("a = u * v; b = u * v", ["a", "b"], planner, resident);
      expect(steps).toHaveLength(1);
      expect(steps[0].written.map(({ output }) => output)).toEqual(["a", "b"]);
      expect(new Set(steps[0].written.map(keyOf)).size).toBe(2);
      expect(cost.peakBytes).toBe(4 * plane);
    });
  }

  it("serve as temporaries of later kernels where they are outputs", () => {
    const { steps } = walk("a = sin(u); b = sin(u); c = a + v", ["a", "b", "c"], staged, resident);
    expect(steps[1].arrays.map(keyOf)).toContain(keyOf(steps[0].written[0]));
    expect(steps.flatMap(({ dead }) => dead)).toEqual([]);
  });
});

it("a ledger counts an input that stays once, and adds runs that have freed theirs on top of it", () => {
  const ledger = new CostLedger();
  ledger.readResident("field u", 100, false);
  ledger.readResident("field u", 100, true);
  ledger.add({ ...new CostLedger().cost, kernels: 2, peakBytes: 50 });
  ledger.hold(30);
  ledger.free(30);
  expect(ledger.cost).toMatchObject({ uploads: 1, uploadedBytes: 100, kernels: 2, peakBytes: 150 });
});
