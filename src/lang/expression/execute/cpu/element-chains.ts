/** Element filters of a stage that feed one another, computed in one loop without intermediate values in memory. */
import { constantVariable, literal, read } from "../../../../kernel/build.ts";
import { compileLoop } from "../../../../kernel/compile-js.ts";
import type { Expression, KernelFunction, Statement, Variable } from "../../../../kernel/ir.ts";
import { bool, f64, type Type } from "../../../../kernel/types.ts";
import { elementFunction, elementLoop } from "../../filters/element-loops.ts";
import type { ElementLoop, ElementOverload } from "../../filters/filter.ts";
import { findFilter } from "../../filters/registry.ts";
import type { StageTask, Step } from "./task.ts";

type ElementStep = Extract<Step, { kind: "element" }>;

/** Steps that one loop computes, in order: the last one's values are the loop's. */
export interface Chain {
  readonly steps: readonly number[];
  /** Steps whose values the loop reads: its arguments. */
  readonly inputs: readonly number[];
}

/** Longer functions would be beyond what engines optimize. */
const maxSteps = 32;

function overloadOf({ filter: name, overload }: ElementStep): ElementOverload {
  const filter = findFilter(name);
  if (filter?.kind !== "element") throw new Error(`no element filter is called ${name}`);
  return filter.overloads[overload];
}

/** The chains of a stage by their last steps: each step whose values several chains need, or that is an output, ends one. */
export function chainsOf({ steps, outputs }: StageTask): ReadonlyMap<number, Chain> {
  const stored = new Set(outputs.map(({ step }) => step));
  const users: number[][] = steps.map(() => []);
  steps.forEach((step, k) => {
    if (step.kind === "element") for (const arg of step.args) users[arg].push(k);
  });
  const members = new Map<number, number[]>();
  const endOf: number[] = [];
  for (let k = steps.length - 1; k >= 0; k--) {
    const step = steps[k];
    if (step.kind !== "element") continue;
    const ends = new Set(users[k].map((user) => endOf[user]));
    const [end] = ends;
    const isWithin =
      ends.size === 1 && !stored.has(k) && canHold(steps, end, members.get(end)!) && !overloadOf(step).loop;
    endOf[k] = isWithin ? end : k;
    const chain = members.get(endOf[k]);
    if (chain) chain.unshift(k);
    else members.set(k, [k]);
  }
  return new Map(
    [...members].map(([end, chain]) => [end, { steps: chain, inputs: inputsOf(steps, chain, endOf) }]),
  );
}

const canHold = (steps: readonly Step[], end: number, chain: readonly number[]): boolean =>
  chain.length < maxSteps && !overloadOf(steps[end] as ElementStep).loop;

function inputsOf(steps: readonly Step[], chain: readonly number[], endOf: readonly number[]): number[] {
  const args = chain.flatMap((k) => (steps[k] as ElementStep).args);
  if (chain.length === 1) return args;
  const end = chain[chain.length - 1];
  return [...new Set(args)].filter((arg) => endOf[arg] !== end && !literals(steps[arg]));
}

/** The numbers of a constant that a function can hold. */
function literals(step: Step): readonly number[] | undefined {
  return step.kind === "constant" && step.values.every(Number.isFinite) ? step.values : undefined;
}

const maxKept = 64;
const kept = new Map<string, ElementLoop>();

/** The chain's loop over its inputs. Loops are kept: the same expressions are computed again and again. */
export function chainLoop(steps: readonly Step[], chain: Chain): ElementLoop {
  if (chain.steps.length === 1) return elementLoop(overloadOf(steps[chain.steps[0]] as ElementStep));
  const key = keyOf(steps, chain);
  let loop = kept.get(key);
  if (!loop) {
    loop = compileLoop(chainFunction(steps, chain));
    const [oldest] = kept.keys();
    if (kept.size === maxKept) kept.delete(oldest);
    kept.set(key, loop);
  }
  return loop;
}

/** What the chain computes, whatever its steps' numbers are. */
function keyOf(steps: readonly Step[], { steps: chain, inputs }: Chain): string {
  const argument = (arg: number) => {
    const input = inputs.indexOf(arg);
    return input >= 0 ? `i${input}` : (literals(steps[arg])?.map(sourceOf) ?? `s${chain.indexOf(arg)}`);
  };
  return JSON.stringify(
    chain.map((k) => {
      const { filter, overload, args } = steps[k] as ElementStep;
      return [filter, overload, args.map(argument)];
    }),
  );
}

const sourceOf = (value: number): string => (Object.is(value, -0) ? "-0" : String(value));

function chainFunction(steps: readonly Step[], { steps: chain, inputs }: Chain): KernelFunction {
  const variables = new Map<number, Variable>();
  const body: Statement[] = [];
  for (const k of chain) {
    const step = steps[k] as ElementStep;
    const callee = elementFunction(overloadOf(step));
    const values = step.args.map((arg, i): Expression => {
      const { type } = callee.parameters[i];
      const numbers = inputs.includes(arg) ? undefined : literals(steps[arg]);
      if (numbers) return constantOf(numbers, type);
      let variable = variables.get(arg);
      if (!variable) {
        variable = constantVariable(`input${inputs.indexOf(arg)}`, type);
        variables.set(arg, variable);
      }
      return read(variable);
    });
    const variable = constantVariable(step.filter, callee.result);
    const value: Expression = { kind: "call", type: callee.result, callee, arguments: values };
    variables.set(k, variable);
    body.push({ kind: "declare", variable, value });
  }
  const last = variables.get(chain[chain.length - 1])!;
  body.push({ kind: "return", value: read(last) });
  return { name: "chain", parameters: inputs.map((arg) => variables.get(arg)!), result: last.type, body };
}

function constantOf(numbers: readonly number[], type: Type): Expression {
  if (type.kind === "scalar") {
    return type.scalar === "bool" ? literal(numbers[0] !== 0, bool) : literal(numbers[0], f64);
  }
  return { kind: "construct", type, arguments: numbers.map((number) => literal(number, f64)) };
}
