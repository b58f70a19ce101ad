import { expect, test } from "vitest";
import { type CameraDeeds, keyAction, pinchMotion, wheelFactor } from "./gestures.ts";

function pressed(
  key: string,
  held: Partial<Record<"shiftKey" | "ctrlKey", boolean>> = {},
): string | undefined {
  let done: string | undefined;
  const note =
    (name: string) =>
    (...args: unknown[]) => {
      done = [name, ...args].join(" ");
    };
  const camera: CameraDeeds = {
    orbit: note("orbit"),
    pan: note("pan"),
    zoom: note("zoom"),
    resetView: note("reset"),
    back: note("back"),
    forward: note("forward"),
  };
  keyAction({ key, shiftKey: false, ctrlKey: false, metaKey: false, altKey: false, ...held })?.(camera);
  return done;
}

test("keys move the camera", () => {
  expect(pressed("ArrowLeft")).toBe("orbit -24 0");
  expect(pressed("ArrowDown", { shiftKey: true })).toBe("pan 0 24");
  expect(pressed("+", { shiftKey: true })).toBe("zoom 1.15");
  expect(pressed("-")).toBe(`zoom ${1 / 1.15}`);
  expect(pressed("r")).toBe("reset");
  expect(pressed("b")).toBe("back");
  expect(pressed("F", { shiftKey: true })).toBe("forward");
  expect(pressed("f", { ctrlKey: true })).toBeUndefined();
  expect(pressed("y")).toBe("reset +y");
  expect(pressed("Z", { shiftKey: true })).toBe("reset -z");
});

test("other keys, and the browser's own shortcuts, are left alone", () => {
  expect(pressed("Tab")).toBeUndefined();
  expect(pressed("r", { ctrlKey: true })).toBeUndefined();
  expect(pressed("toString")).toBeUndefined();
});

test("the wheel zooms alike in pixels, lines and pages, and never jumps", () => {
  const factor = (deltaY: number, deltaMode = 0, ctrlKey = false) =>
    wheelFactor({ deltaY, deltaMode, ctrlKey });
  expect(factor(-100)).toBeCloseTo(1.162, 3);
  expect(factor(100) * factor(-100)).toBeCloseTo(1);
  expect(factor(3, 1)).toBe(factor(48));
  expect(factor(1, 2)).toBe(factor(400));
  expect(factor(1e6)).toBe(factor(400));
  expect(factor(-1, 0, true)).toBeGreaterThan(factor(-1));
});

test("two fingers pan by their middle and zoom by their distance", () => {
  const motion = pinchMotion({ x: 0, y: 0 }, { x: -10, y: 4 }, { x: 10, y: 4 });
  expect(motion).toMatchObject({ dx: -5, dy: 2 });
  expect(motion.factor).toBeCloseTo(20 / Math.hypot(10, 4));
  expect(pinchMotion({ x: 1, y: 1 }, { x: 2, y: 2 }, { x: 1, y: 1 }).factor).toBe(1);
});
