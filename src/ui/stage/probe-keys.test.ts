import { expect, test } from "vitest";
import { probeKey } from "./probe-keys.ts";

const size = { width: 200, height: 100 };
const press = (key: string, cursor?: { x: number; y: number }, held: object = {}) =>
  probeKey({ key, shiftKey: false, ctrlKey: false, metaKey: false, altKey: false, ...held }, cursor, size);

test("P brings the crosshair to the middle and takes it away", () => {
  expect(press("p")).toEqual({ x: 100, y: 50 });
  expect(press("P", { x: 1, y: 1 })).toBe("hide");
  expect(press("Escape", { x: 1, y: 1 })).toBe("hide");
  expect(press("Enter", { x: 1, y: 1 })).toBe("pick");
  expect(press("p", undefined, { ctrlKey: true })).toBeUndefined();
});

test("arrow keys move it within the view, and are the camera's without it", () => {
  expect(press("ArrowLeft", { x: 5, y: 5 })).toEqual({ x: 0, y: 5 });
  expect(press("ArrowDown", { x: 5, y: 5 }, { shiftKey: true })).toEqual({ x: 5, y: 6 });
  expect(press("ArrowRight", { x: 199, y: 5 })).toEqual({ x: 199, y: 5 });
  expect(press("ArrowLeft")).toBeUndefined();
  expect(press("toString", { x: 5, y: 5 })).toBeUndefined();
});
