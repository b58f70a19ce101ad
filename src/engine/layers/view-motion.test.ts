import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { ViewMotion } from "./view-motion.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe("a view's motion", () => {
  it("is over when nothing has changed for a while, and says so once", async () => {
    const rested = vi.fn();
    const motion = new ViewMotion(rested);
    for (let k = 0; k < 10; k++) {
      motion.move();
      vi.advanceTimersByTime(100);
      expect(motion.isMoving).toBe(true);
    }
    expect(rested).not.toHaveBeenCalled();
    const waiting = motion.atRest().then(() => "rests");
    vi.advanceTimersByTime(100);
    expect(motion.isMoving).toBe(false);
    expect(rested).toHaveBeenCalledTimes(1);
    expect(await waiting).toBe("rests");
  });

  it("ends without a word where what moves is gone, for those who wait, too", async () => {
    const rested = vi.fn();
    const motion = new ViewMotion(rested);
    motion.move();
    const waiting = motion.atRest();
    motion.stop();
    await waiting;
    vi.advanceTimersByTime(1000);
    expect(rested).not.toHaveBeenCalled();
    await motion.atRest();
  });
});
