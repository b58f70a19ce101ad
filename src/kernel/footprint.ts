import { CrinkleError } from "../core/errors.ts";
import type { Bound, Footprint } from "../core/primitives/access.ts";
import type { Expression, KernelProgram } from "./ir.ts";
import { expressionsBelow, expressionsOf, statementsBelow } from "./walk.ts";

type Triple = readonly [number, number, number];

/** How many elements a kernel reads before its own and after it in x, y and z, none below 0. */
export interface Reach {
  readonly before: Triple;
  readonly after: Triple;
}

type Constants = Parameters<Exclude<Bound, number>>[0];
type KernelLoad = Extract<Expression, { kind: "load" }>;

/**
 * How far a kernel reads each input, given the constants it is dispatched with: of offsets as its text has them, of a
 * declared footprint as it is declared. Undefined for inputs that are read through a map or anywhere. In a row, y and z
 * are 0. Throws BadArgument where a declared distance is not an integer of at least 0.
 */
export function reachesOf(
  program: KernelProgram,
  constants: Constants,
): Readonly<Record<string, Reach | undefined>> {
  const loads = loadsOf(program);
  return Object.fromEntries(
    Object.entries(program.inputs).map(([name, { access }]) => {
      if (access.kind === "map" || access.kind === "all") return [name, undefined];
      if (access.kind === "footprint") return [name, declaredReach(name, access.footprint, constants)];
      return [name, reachOfOffsets(loads.filter(({ input }) => input === name))];
    }),
  );
}

/** Every read of an input, in the body and in all functions. */
export function loadsOf({ functions, body }: Pick<KernelProgram, "functions" | "body">): KernelLoad[] {
  return [...functions.map((callable) => callable.body), body].flatMap((block) =>
    [...statementsBelow(block)].flatMap((statement) =>
      expressionsOf(statement)
        .flatMap((expression) => [...expressionsBelow(expression)])
        .filter((expression) => expression.kind === "load"),
    ),
  );
}

function reachOfOffsets(loads: readonly KernelLoad[]): Reach {
  const before: [number, number, number] = [0, 0, 0];
  const after: [number, number, number] = [0, 0, 0];
  for (const { indices } of loads) {
    indices.forEach((index, axis) => {
      const offset = index.kind === "literal" ? Number(index.value) : 0;
      before[axis] = Math.max(before[axis], -offset);
      after[axis] = Math.max(after[axis], offset);
    });
  }
  return { before, after };
}

/** The distances that a footprint declares. Throws BadArgument where one is not an integer of at least 0. */
export function declaredReach(name: string, { before, after }: Footprint, constants: Constants): Reach {
  const distance = (bound: Bound): number => {
    const value = typeof bound === "number" ? bound : bound(constants);
    if (Number.isSafeInteger(value) && value >= 0) return value;
    throw new CrinkleError({
      tag: "BadArgument",
      problem: `The footprint of the input “${name}” reaches ${value} elements.`,
      remedy: "Declare distances that are integers of at least 0.",
    });
  };
  const triple = ([x, y, z]: Footprint["before"]): Triple => [distance(x), distance(y), distance(z)];
  return { before: triple(before), after: triple(after) };
}
