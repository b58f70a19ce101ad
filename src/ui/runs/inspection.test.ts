import { expect, it } from "vitest";
import { carotid, runOf } from "../testing/fake-engine.ts";
import { afterEvent, type InspectionEvent, measuredNodes, nothingKnown, of, runsOf } from "./inspection.ts";

const subject = { text: "q = 1", dataSet: carotid };
const after = (...events: InspectionEvent[]) =>
  events.reduce((known, event) => afterEvent(known, subject, event), nothingKnown(subject));
const nodes = [{ node: 3, bytes: 400, milliseconds: 0.1 }];
const row = (strategy: "fusion" | "staged") =>
  ({
    kind: "run",
    strategy,
    run: runOf(strategy, strategy === "staged" ? { nodes } : {}),
    difference: 0,
  }) as const;

it("gathers rows until a comparison ends, and forgets them when the next begins", () => {
  const comparing = after({ kind: "began", work: "compare" }, { kind: "row", row: row("fusion") });
  expect(comparing).toMatchObject({ busy: "compare", rows: [{ strategy: "fusion" }], comparison: undefined });
  const done = afterEvent(comparing, subject, { kind: "compared", comparison: { chosen: undefined } });
  expect(done).toMatchObject({ busy: undefined, comparison: { chosen: undefined } });
  expect(afterEvent(done, subject, { kind: "began", work: "run" }).rows).toHaveLength(1);
  expect(afterEvent(done, subject, { kind: "began", work: "compare" })).toMatchObject({
    rows: [],
    comparison: undefined,
  });
});

it("keeps what was found before a failure", () => {
  const error = { tag: "Cancelled", problem: "Cancelled.", remedy: "" } as const;
  const failed = after(
    { kind: "began", work: "compare" },
    { kind: "row", row: row("fusion") },
    { kind: "failed", error },
  );
  expect(failed).toMatchObject({ busy: undefined, error, rows: [{ strategy: "fusion" }] });
});

it("knows nothing of another text or another data set", () => {
  const known = after({ kind: "ran", run: runOf("fusion") });
  expect(of(known, { ...subject }).lastRun).toBeDefined();
  expect(of(known, { ...subject, text: "q = 2" }).lastRun).toBeUndefined();
  expect(of(known, { ...subject, dataSet: { ...carotid } }).lastRun).toBeUndefined();
});

it("names the runs whose kernels can be read, and finds the staged one", () => {
  const known = after(
    { kind: "ran", run: runOf("fusion") },
    { kind: "row", row: row("fusion") },
    { kind: "row", row: row("staged") },
  );
  const names = runsOf(runOf("fusion"), known).map(({ name }) => name);
  expect(names).toEqual(["Computed", "Run by fusion", "Compared: fusion", "Compared: staged"]);
  expect(measuredNodes(known)).toBe(nodes);
  expect(measuredNodes(nothingKnown(subject))).toEqual([]);
});
