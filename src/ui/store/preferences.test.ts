import { expect, test } from "vitest";
import { createPreferences } from "./preferences.ts";

const colors = { map: "turbo", reversed: true, range: [0, 1], nanColor: "#123456" } as const;

test("what is kept comes back, without the range that belongs to the data", () => {
  const kept = new Map<string, string>();
  const preferences = createPreferences({
    getItem: (key) => kept.get(key) ?? null,
    setItem: (key, value) => void kept.set(key, value),
  });
  preferences.saveColors(colors);
  preferences.saveText("a = 1");
  expect(preferences.colors()).toEqual({ map: "turbo", reversed: true, nanColor: "#123456" });
  expect(preferences.text()).toBe("a = 1");
  preferences.saveRequest({ strategy: "staged", budget: 1024 });
  expect(preferences.request()).toEqual({ strategy: "staged", budget: 1024 });
});

test("damaged and missing entries, refused and missing storage are all the same as none", () => {
  const damaged = createPreferences({ getItem: () => '{"map": 3, "reversed":', setItem: () => {} });
  expect(damaged.colors()).toEqual({});
  const foreign = createPreferences({ getItem: () => '{"map": 3, "reversed": true}', setItem: () => {} });
  expect(foreign.colors()).toEqual({ reversed: true });
  expect([damaged.request(), foreign.request()]).toEqual([undefined, undefined]);
  const unknown = createPreferences({ getItem: () => '{"strategy": "best"}', setItem: () => {} });
  expect(unknown.request()).toBeUndefined();
  const limitless = createPreferences({
    getItem: () => '{"strategy": "fusion", "budget": "2 MiB"}',
    setItem: () => {},
  });
  expect(limitless.request()).toEqual({ strategy: "fusion" });
  const refuse = () => {
    throw new DOMException("no", "SecurityError");
  };
  for (const preferences of [
    createPreferences({ getItem: refuse, setItem: refuse }),
    createPreferences(undefined),
  ]) {
    preferences.saveColors(colors);
    expect(preferences.colors()).toEqual({});
    expect(preferences.text()).toBeUndefined();
  }
});
