import { expect, test } from "vitest";
import { EngineLayers } from "./engine-layers.ts";

test("a layer that was asked for before it, or all of them, went is not wanted any more", () => {
  const layers = new EngineLayers();
  const ofFormerData = layers.expect("layer-1");
  layers.clear();
  expect(ofFormerData()).toBe(false);
  const asked = layers.expect("layer-1");
  const other = layers.expect("layer-2");
  layers.remove("layer-1");
  expect([asked(), other()]).toEqual([false, true]);
  expect(layers.expect("layer-1")()).toBe(true);
});
