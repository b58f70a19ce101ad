import { expect, test } from "vitest";
import { readLimit, writeLimit } from "./memory-limit.ts";

test("a limit is a number of MiB above 0, or nothing", () => {
  expect(readLimit(" ")).toEqual({ kind: "none" });
  expect(readLimit("0.5")).toEqual({ kind: "bytes", bytes: 524_288 });
  for (const text of ["0", "-1", "2 MiB", "NaN"]) expect(readLimit(text)).toEqual({ kind: "unreadable" });
  expect([writeLimit(undefined), writeLimit(524_288)]).toEqual(["", "0.5"]);
});
