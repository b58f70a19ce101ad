import { describe, expect, test, vi } from "vitest";
import { FrameLoop } from "./frame-loop.ts";

/** A display and a GPU that the test drives. */
function makeLoop(draw = vi.fn()) {
  const asked: (() => void)[] = [];
  const landings: (() => void)[] = [];
  const loop = new FrameLoop(draw, {
    request: (callback) => asked.push(callback),
    gpuDone: () => new Promise<void>((resolve) => landings.push(resolve)),
  });
  const display = () => {
    for (const callback of asked.splice(0)) callback();
  };
  const land = async () => {
    landings.shift()?.();
    await new Promise((resolve) => setTimeout(resolve));
  };
  return { loop, draw, asked, display, land };
}

describe("FrameLoop", () => {
  test("many invalidations make one frame, none makes none", () => {
    const { loop, draw, display } = makeLoop();
    display();
    expect(draw).not.toHaveBeenCalled();
    for (let i = 0; i < 5; i++) loop.invalidate();
    display();
    display();
    expect(draw).toHaveBeenCalledTimes(1);
    expect(loop.count).toBe(1);
    expect(loop.times).toHaveLength(1);
  });

  test("an invalidation while drawing makes another frame", () => {
    const again = vi.fn(() => {
      if (again.mock.calls.length === 1) loop.invalidate();
    });
    const { loop, display } = makeLoop(again);
    loop.invalidate();
    display();
    display();
    expect(again).toHaveBeenCalledTimes(2);
  });

  test("no more than two frames wait for the GPU", async () => {
    const { loop, draw, asked, display, land } = makeLoop();
    for (let i = 0; i < 3; i++) {
      loop.invalidate();
      display();
    }
    expect(draw).toHaveBeenCalledTimes(2);
    expect(asked).toHaveLength(0);
    await land();
    display();
    expect(draw).toHaveBeenCalledTimes(3);
  });

  test("drawn() resolves with the next frame", async () => {
    const { loop, display } = makeLoop();
    const seen = vi.fn();
    const done = loop.drawn().then(seen);
    await Promise.resolve();
    expect(seen).not.toHaveBeenCalled();
    display();
    await done;
    expect(loop.count).toBe(1);
  });

  test("shown() resolves when the frame that is wanted is on the display, and draws none itself", async () => {
    const { loop, draw, display, land } = makeLoop();
    const seen = vi.fn();
    loop.invalidate();
    const done = loop.shown().then(seen);
    display();
    await Promise.resolve();
    display();
    // Drawn, but not finished by the GPU.
    expect(seen).not.toHaveBeenCalled();
    await land();
    expect(seen).not.toHaveBeenCalled();
    display();
    await done;
    const again = loop.shown();
    await land();
    display();
    await again;
    expect(draw).toHaveBeenCalledTimes(1);
    loop.stop();
    await loop.shown();
  });

  test("holds frames back while something else draws, even one already asked for", async () => {
    const { loop, draw, display } = makeLoop();
    loop.invalidate();
    let finish = () => {};
    const held = loop.hold(() => new Promise<void>((resolve) => (finish = resolve)));
    await Promise.resolve();
    display();
    loop.invalidate();
    display();
    expect(draw).not.toHaveBeenCalled();
    finish();
    await held;
    display();
    expect(draw).toHaveBeenCalledTimes(1);
  });

  test("works that hold frames back run one after the other, also after a failed one", async () => {
    const { loop } = makeLoop();
    const order: string[] = [];
    const work = (name: string, fails: boolean) =>
      loop.hold(async () => {
        order.push(`${name} starts`);
        await new Promise((resolve) => setTimeout(resolve, 5));
        order.push(`${name} ends`);
        if (fails) throw new Error(name);
      });
    const results = await Promise.allSettled([work("a", true), work("b", false)]);
    expect(order).toEqual(["a starts", "a ends", "b starts", "b ends"]);
    expect(results.map(({ status }) => status)).toEqual(["rejected", "fulfilled"]);
  });

  test("a stopped loop draws no more and keeps nobody waiting", async () => {
    const { loop, draw, display } = makeLoop();
    const done = loop.drawn();
    loop.stop();
    display();
    await done;
    await loop.drawn();
    expect(draw).not.toHaveBeenCalled();
  });

  test("keeps the times of the last 512 frames in order", async () => {
    const { loop, display, land } = makeLoop();
    for (let i = 0; i < 520; i++) {
      loop.invalidate();
      display();
      await land();
    }
    const starts = loop.times.map(({ start }) => start);
    expect(starts).toHaveLength(512);
    expect(starts).toEqual(starts.slice().sort((a, b) => a - b));
  });

  test("a frame that fails does not end the loop", () => {
    const { loop, display, draw } = makeLoop(
      vi.fn().mockImplementationOnce(() => {
        throw new Error("no picture");
      }),
    );
    loop.invalidate();
    expect(display).toThrow("no picture");
    loop.invalidate();
    display();
    expect(draw).toHaveBeenCalledTimes(2);
  });
});
