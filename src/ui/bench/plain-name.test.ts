import { expect, it } from "vitest";
import { plainName } from "./plain-name.ts";

it.each([
  ["copy", "copy"],
  ["primitives/scan_f32", "scan f32"],
  ["primitives/scan_reduce_then_scan", "scan, reduce then scan"],
  ["primitives/sort_u32_no_subgroups", "sort u32, no subgroups"],
  ["primitives/sort_u32", "sort u32"],
  ["primitives/sort_pairs_u32_24", "sort pairs u32, up to 2²⁴"],
  ["primitives/histogram_256", "histogram 256"],
  ["primitives/small/scan_2^10", "short scan, 2¹⁰"],
  ["primitives/small/scan_2^16_waited", "short scan, 2¹⁶, waited"],
])("%s is called %s", (name, plain) => {
  expect(plainName(name)).toBe(plain);
});
