import { expect, it } from "vitest";
import { type Fragment, linkFragments } from "./fragment.ts";

it("puts requirements first and each fragment once", () => {
  const base: Fragment = { name: "base", code: "A" };
  const left: Fragment = { name: "left", code: "B", requires: [base] };
  const right: Fragment = { name: "right", code: "C", requires: [base, left] };
  const code = linkFragments({ name: "main", code: "D", requires: [right, left] });
  expect(code.split("\n").filter((line) => line && !line.startsWith("//"))).toEqual(["A", "B", "C", "D"]);
});
