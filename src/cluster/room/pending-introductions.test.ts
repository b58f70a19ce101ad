import { expect, it } from "vitest";
import { PendingIntroductions } from "./pending-introductions.ts";

it("remember whom the host announced as long as they can come, and forget those that never came", () => {
  let now = 0;
  const expected = new PendingIntroductions({ now: () => now, after: () => () => {} }, 1000);
  const about = { name: "", device: "", gpu: "" };
  for (; now < 100_000; now += 100) {
    expected.add({ id: `m${now}`, about, addresses: {}, token: "message" });
    expect(expected.get(`m${now}`)?.token).toBe("message");
    expect(expected.size).toBeLessThan(13);
  }
  expect(expected.get("m98000")).toBeUndefined();
  expect(expected.get("m99500")).toBeDefined();
  expected.delete("m99500");
  expect(expected.get("m99500")).toBeUndefined();
});
