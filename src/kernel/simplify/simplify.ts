/** Shorter kernels with the same results. */
import type { KernelFunction, KernelProgram, Statement } from "../ir.ts";
import { expressionsOf, forEachBelow, statementsBelow } from "../walk.ts";
import { shareCommon } from "./common.ts";
import { StatementPass } from "./statements.ts";

type Callees = ReadonlyMap<KernelFunction, KernelFunction>;

const maxPasses = 20;

function settleBlock(body: readonly Statement[], callees: Callees): readonly Statement[] {
  let block = body;
  for (let passes = 0; passes < maxPasses; passes++) {
    const pass = new StatementPass(block, callees);
    block = pass.block(block);
    if (!pass.isChanged) break;
  }
  return block;
}

/** Constants are folded, common parts shared, what is never used dropped, until nothing is left to do. */
function simplifyBlock(body: readonly Statement[], callees: Callees): readonly Statement[] {
  let block = settleBlock(body, callees);
  for (let passes = 0; passes < maxPasses; passes++) {
    let isShared = false;
    const shared = shareCommon(block, () => {
      isShared = true;
    });
    if (!isShared) break;
    block = settleBlock(shared, new Map());
  }
  return block;
}

/** By which functions others have been replaced, in any kernel: many share those of a library. */
const simplified = new WeakMap<KernelFunction, KernelFunction>();

/** The functions in their order, each calling the simplified ones; and by which each was replaced. */
function simplifyAll(functions: readonly KernelFunction[]): Callees {
  const replaced = new Map<KernelFunction, KernelFunction>();
  for (const callable of functions) {
    let made = simplified.get(callable);
    if (!made) {
      made = { ...callable, body: simplifyBlock(callable.body, replaced) };
      simplified.set(callable, made);
      simplified.set(made, made);
    }
    replaced.set(callable, made);
  }
  return replaced;
}

export const simplifyFunctions = (functions: readonly KernelFunction[]): KernelFunction[] => [
  ...simplifyAll(functions).values(),
];

/** Functions that nothing calls any more go, too. Inputs, outputs and constants stay, used or not. */
export function simplifyKernel(program: KernelProgram): KernelProgram {
  const replaced = simplifyAll(program.functions);
  const body = simplifyBlock(program.body, replaced);
  return { ...program, body, functions: calledFunctions(body, [...replaced.values()], program.entries) };
}

/** Those of the functions, callees first, that a body calls, or that are called by what it calls; and entries with theirs. */
export function calledFunctions(
  body: readonly Statement[],
  functions: readonly KernelFunction[],
  entries: readonly string[] = [],
): KernelFunction[] {
  const called = new Set(functions.filter(({ name }) => entries.includes(name)));
  const visit = (block: readonly Statement[]): void => {
    for (const statement of statementsBelow(block)) {
      for (const expression of expressionsOf(statement)) {
        forEachBelow(expression, (part) => {
          if (part.kind === "call") called.add(part.callee);
        });
      }
    }
  };
  visit(body);
  for (const callable of [...functions].reverse()) if (called.has(callable)) visit(callable.body);
  return functions.filter((callable) => called.has(callable));
}
