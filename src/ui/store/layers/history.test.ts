import { expect, test } from "vitest";
import { forget, type History, noHistory, record, redo, undo } from "./history.ts";

/** A number that actions add to, with its history. */
function counter() {
  let present = 0;
  let history: History<number> = noHistory;
  let now = 0;
  return {
    add(amount: number, action: { key?: string; gesture?: number } = {}, ms = 10) {
      now += ms;
      history = record(history, { name: `add ${amount}`, ...action }, present, now);
      present += amount;
    },
    go(way: typeof undo) {
      const travel = way(history, present);
      if (!travel) return undefined;
      ({ scene: present, history } = travel);
      return travel.action.name;
    },
    steps: () => [history.past.length, history.future.length],
    present: () => present,
    history: () => history,
  };
}

test("each action is taken back and done again", () => {
  const { add, go, present, steps } = counter();
  add(1);
  add(10);
  expect(go(undo)).toBe("add 10");
  expect(present()).toBe(1);
  expect(go(undo)).toBe("add 1");
  expect([present(), go(undo)]).toEqual([0, undefined]);
  expect([go(redo), go(redo), go(redo)]).toEqual(["add 1", "add 10", undefined]);
  expect([present(), steps()]).toEqual([11, [2, 0]]);
});

test("a new action ends what could be redone", () => {
  const { add, go, present } = counter();
  add(1);
  add(10);
  go(undo);
  add(100);
  expect(go(redo)).toBeUndefined();
  go(undo);
  expect(present()).toBe(1);
});

test("a drag is one step however slow, and the next drag another", () => {
  const { add, go, present, steps } = counter();
  for (let i = 0; i < 50; i++) add(1, { key: "isovalue", gesture: 1 }, 5000);
  for (let i = 0; i < 50; i++) add(1, { key: "isovalue", gesture: 2 });
  add(1, { key: "isovalue" });
  expect(steps()).toEqual([3, 0]);
  go(undo);
  go(undo);
  expect(present()).toBe(50);
});

test("keys that are pressed in a row are one step until a pause, another thing or an undo", () => {
  const { add, go, present, steps } = counter();
  for (let i = 0; i < 9; i++) add(1, { key: "a" }, 900);
  add(1, { key: "a" }, 1100);
  add(1, { key: "b" });
  expect(steps()).toEqual([3, 0]);
  go(undo);
  go(redo);
  add(1, { key: "b" });
  expect(steps()).toEqual([4, 0]);
  for (let i = 0; i < 3; i++) go(undo);
  expect(present()).toBe(9);
});

test("actions without a key stay apart, a failed one leaves no step, and the past is bounded", () => {
  const { add, steps, history } = counter();
  for (let i = 0; i < 150; i++) add(1);
  expect(steps()).toEqual([100, 0]);
  expect(history().past[0].scene).toBe(50);
  expect(forget(history(), 149).past).toHaveLength(99);
});
