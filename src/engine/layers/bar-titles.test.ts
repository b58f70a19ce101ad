import { expect, test } from "vitest";
import type { Layer } from "../../core/layers.ts";
import { barTitles } from "./bar-titles.ts";

test("two bars of one field are distinguished by their layers, and others are named by their fields alone", () => {
  const paint = { solid: "", map: "", reversed: false, range: undefined, nanColor: "", opacity: 1 } as const;
  const common = { isVisible: true, colorBy: undefined, paint, clip: undefined };
  const plane = { origin: [0, 0, 0], normal: [0, 0, 1] } as const;
  const layers: readonly Layer[] = [
    { ...common, id: "a", title: undefined, shape: { kind: "slice", axis: 2, position: 0 } },
    { ...common, id: "b", title: "Inlet", shape: { kind: "cut", by: { kind: "plane", plane } } },
    { ...common, id: "c", title: undefined, shape: { kind: "points", size: 1 } },
  ];
  const bar = { min: 0, max: 1, colors: [], nanColor: "#888888", hasNaN: false };
  const bars = ["speed", "speed", "p"].map((title, i) => ({ id: "abc"[i], bar: { ...bar, title } }));
  expect(barTitles(bars, layers)).toEqual({ a: "Slice across z: speed", b: "Inlet: speed", c: "p" });
});
