import fc from "fast-check";
import { expect, it } from "vitest";
import { Fifo } from "./fifo.ts";

it("a queue returns its items in order", () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom("push", "push", "shift", "drain"), { maxLength: 200 }), (steps) => {
      const fifo = new Fifo<number>();
      const model: number[] = [];
      steps.forEach((step, k) => {
        if (step === "push") {
          fifo.push(k);
          model.push(k);
        } else if (step === "shift") expect(fifo.shift()).toBe(model.shift());
        else if (k % 50 === 0) expect(fifo.drain()).toEqual(model.splice(0));
        expect(fifo.length).toBe(model.length);
        expect(fifo.first).toBe(model[0]);
      });
    }),
  );
});
