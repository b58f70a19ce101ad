import { expect, test } from "vitest";
import { quoteName, withoutQuotes } from "./quoting.ts";

test.each([
  ["X Velocity", "X Velocity"],
  ['say "hi" \\ then', 'say "hi" \\ then'],
  ["if", "if"],
  ["pressure", "pressure"],
])("the quotes of %s come off again", (name, plain) => {
  expect(withoutQuotes(quoteName(name))).toBe(plain);
  expect(withoutQuotes(`magnitude(${quoteName(name)})`)).toBe(`magnitude(${plain})`);
  expect(withoutQuotes(`${quoteName(name)}[0][2]`)).toBe(`${plain}[0][2]`);
});

test("longer expressions keep theirs", () => {
  for (const text of ['"a b" + "c d"', 'recenter("a b", "node")', 'if("a b", 1, 2)', "p + 1"]) {
    expect(withoutQuotes(text)).toBe(text);
  }
});
