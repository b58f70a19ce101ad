import { expect, it } from "vitest";
import { cancelled } from "../core/errors.ts";
import { badArgument } from "../core/primitives/checks.ts";
import { withPlainErrors } from "./plain-errors.ts";

class Counter {
  #count = 0;
  readonly inner = new Inner();

  add(by: number): number {
    if (by < 0) throw badArgument(`The step is ${by}.`, "Give a number from 0 on.");
    this.#count += by;
    return this.#count;
  }
}

class Inner {
  readonly #name = "inner";

  async greet(isCancelled: boolean): Promise<string> {
    if (isCancelled) throw cancelled("The greeting");
    return this.#name;
  }
}

it("gives the parts of errors, of an object and of its members, and lets answers through", async () => {
  const counter = withPlainErrors(new Counter());
  await expect(Promise.resolve(counter.add(2))).resolves.toBe(2);
  await expect(counter.add(-1)).rejects.toEqual({
    tag: "BadArgument",
    problem: "The step is -1.",
    remedy: "Give a number from 0 on.",
  });
  await expect(counter.inner.greet(false)).resolves.toBe("inner");
  await expect(counter.inner.greet(true)).rejects.toMatchObject({ tag: "Cancelled" });
});
