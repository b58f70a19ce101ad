import { expect, test } from "vitest";
import { createVisit } from "./visit.ts";

function storageOf(text?: string) {
  const kept = new Map(text === undefined ? [] : [["crinkle.open", text]]);
  return {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
  };
}

test("a sample is remembered whole, a file by its name", () => {
  const storage = storageOf();
  expect(createVisit(storage).former()).toBeUndefined();
  createVisit(storage).remember({ kind: "sample", sample: "tangle", size: 96 });
  expect(createVisit(storage).former()).toEqual({ kind: "sample", sample: "tangle", size: 96 });
  createVisit(storage).remember({ kind: "file", file: new File(["x"], "carotid.vtk") });
  expect(createVisit(storage).former()).toEqual({ kind: "file", name: "carotid.vtk" });
});

test.each(['{"kind":', '{"kind":"sample","sample":"other"}', '{"kind":"file"}', "null"])(
  "%s is as good as nothing",
  (text) => {
    expect(createVisit(storageOf(text)).former()).toBeUndefined();
  },
);

test("refused storage is as good as none", () => {
  const refuse = () => {
    throw new DOMException("no", "SecurityError");
  };
  const visit = createVisit({ getItem: refuse, setItem: refuse });
  visit.remember({ kind: "sample", sample: "hydrogen" });
  expect(visit.former()).toBeUndefined();
});
