import fc from "fast-check";
import { expect, it } from "vitest";
import { compile } from "../compile.ts";
import { expectSameNetwork } from "../network/testing/same.ts";

const fields = [
  { name: "u", components: 1, centering: "node" },
  { name: "p", components: 1, centering: "cell" },
  { name: "velocity", components: 3, centering: "node" },
] as const;

/** An expression whose leaves and calls are still to be written: numbered, as many as there are of each. */
type Term = (leaf: (i: number) => string, call: (i: number, args: readonly string[]) => string) => string;

const term = fc.letrec<{ term: Term }>((tie) => ({
  term: fc.oneof(
    { depthSize: "small" },
    fc.nat(9).map(
      (i): Term =>
        (leaf) =>
          leaf(i),
    ),
    fc.tuple(fc.nat(9), fc.array(tie("term"), { minLength: 3, maxLength: 3 })).map(
      ([i, args]): Term =>
        (leaf, call) =>
          call(
            i,
            args.map((arg) => arg(leaf, call)),
          ),
    ),
    fc.tuple(tie("term"), fc.constantFrom("+", "-", "*", "/", "^", "<", "and"), tie("term")).map(
      ([a, operator, b]): Term =>
        (...how) =>
          `(${a(...how)} ${operator} ${b(...how)})`,
    ),
    fc
      .tuple(fc.constantFrom("sin", "-", "not ", "gradient(velocity)[0][0] * ", "laplacian"), tie("term"))
      .map(
        ([name, a]): Term =>
          (...how) =>
            `(${name}(${a(...how)}))`,
      ),
    fc.tuple(tie("term"), tie("term"), fc.nat(2)).map(
      ([a, b, i]): Term =>
        (...how) =>
          `({${a(...how)}, ${b(...how)}, velocity[0]}[${i}])`,
    ),
  ),
})).term;

const globals = ["u", "p", "velocity[1]", "2", "x"];

it("inlining by hand gives the same network", () => {
  const program = fc.record({
    bodies: fc.array(fc.tuple(fc.nat(3), term), { minLength: 1, maxLength: 4 }),
    value: term,
  });
  let called = 0;
  fc.assert(
    fc.property(program, ({ bodies, value }) => {
      const pick = (leaves: readonly string[]) => (i: number) => leaves[i % leaves.length];
      const parameters = (count: number) => ["a", "u", "p"].slice(0, count);
      /** A call of one of the first `count` functions; where there is none, its first argument. */
      const written = (count: number) => (i: number, args: readonly string[]) =>
        count === 0 ? args[0] : `f${i % count}(${args.slice(0, bodies[i % count][0]).join(", ")})`;
      const inlined =
        (count: number) =>
        (i: number, args: readonly string[]): string => {
          if (count === 0) return args[0];
          const [arity, body] = bodies[i % count];
          called++;
          // A parameter's name hides the field of that name.
          const names = [...parameters(arity), ...globals];
          const leaves = names.map((name) => {
            const k = names.indexOf(name);
            return k < arity ? args[k] : name;
          });
          return body(pick(leaves), inlined(i % count));
        };
      const definitions = bodies.map(
        ([arity, body], k) =>
          `def f${k}(${parameters(arity).join(", ")}) = ${body(pick([...parameters(arity), ...globals]), written(k))}`,
      );
      const text = `${definitions.join("\n")}\nr = ${value(pick(globals), written(bodies.length))}`;
      const byHand = `r = ${value(pick(globals), inlined(bodies.length))}`;
      if (byHand.length > 20_000) return;
      expectSameNetwork(compile(text, fields), compile(byHand, fields), `${text}\n\n${byHand}`);
    }),
    { numRuns: 300 },
  );
  expect(called).toBeGreaterThan(100);
});

it("a text of functions alone has no value", () => {
  expect(() => compile("def f(a) = a", fields)).toThrow("The text holds no expression.");
  expect(() => compile("def f(a) = f(a)", fields)).toThrow("“f” calls itself");
});
