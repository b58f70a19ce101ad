import { expect, test } from "vitest";
import type { SavedView } from "../../engine/saved-view/view.ts";
import { createVisit } from "./visit.ts";

const view: SavedView = {
  source: { kind: "sample", sample: "tangle", size: 96 },
  text: undefined,
  programs: [],
  layers: [],
  selected: undefined,
  camera: undefined,
};

function storageOf(text?: string) {
  const kept = new Map(text === undefined ? [] : [["crinkle.view", text]]);
  return {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
  };
}

test("a view is remembered whole", async () => {
  const storage = storageOf();
  expect(await createVisit(storage).former()).toBeUndefined();
  createVisit(storage).remember(view);
  expect(await createVisit(storage).former()).toEqual(view);
});

test.each(['{"kind":', '{"format":"crinkle-view","version":1}', "null"])(
  "%s is as good as nothing",
  async (text) => {
    expect(await createVisit(storageOf(text)).former()).toBeUndefined();
  },
);

test("refused storage is as good as none", async () => {
  const refuse = () => {
    throw new DOMException("no", "SecurityError");
  };
  const visit = createVisit({ getItem: refuse, setItem: refuse });
  visit.remember(view);
  expect(await visit.former()).toBeUndefined();
});
