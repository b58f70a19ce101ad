import { expect, test } from "vitest";
import { barTitles } from "./bar-titles.ts";
import { newLayer } from "./kinds.ts";
import { defaultPaint } from "./new-layer.ts";
import { noLayers } from "./state.ts";

test("two bars of one field are distinguished by their layers, and others are named by their fields alone", () => {
  const beginning = { bounds: [0, 1, 0, 1, 0, 1], field: undefined, paint: defaultPaint, points: 0 } as const;
  const list = [
    newLayer("slice", "a", beginning),
    { ...newLayer("plane", "b", beginning), title: "Inlet" },
    newLayer("sphere", "c", beginning),
  ];
  const bar = { min: 0, max: 1, colors: [], nanColor: "#888888", hasNaN: false };
  const bars = ["speed", "speed", "p"].map((title, i) => ({ id: "abc"[i], bar: { ...bar, title } }));
  expect(barTitles(bars, { ...noLayers, list })).toEqual({
    a: "Slice across z: speed",
    b: "Inlet: speed",
    c: "p",
  });
});
