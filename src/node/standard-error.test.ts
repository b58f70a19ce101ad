import { spawnSync } from "node:child_process";
import { expect, it } from "vitest";
import { withoutStandardError } from "./standard-error.ts";

it.skipIf(process.platform === "win32")(
  "keeps what is printed to standard error meanwhile, and nothing else",
  async () => {
    const quietly = await withoutStandardError();
    const print = (text: string) => spawnSync("sh", ["-c", `echo ${text} >&2`], { stdio: "inherit" }).status;
    expect(quietly(() => print("heard"))).toEqual({ result: 0, said: "heard\n" });
    expect(quietly(() => 7)).toEqual({ result: 7, said: "" });
    expect(() =>
      quietly(() => {
        throw new Error("refused");
      }),
    ).toThrow("refused");
    expect(quietly(() => print("again"))).toEqual({ result: 0, said: "again\n" });
  },
);
