import { isSegmented, type TileKernel } from "./options.ts";
import { combineCode, joined, valueType, wordsOf } from "./values.ts";

/** u32 words of a state in memory. */
export const stateWords = (kernel: TileKernel): number =>
  wordsOf(kernel, "").length + Number(isSegmented(kernel));

/**
 * What is combined, a State: a value; with segments also how many begin in its range (where runs go out), or whether
 * any does. `join(a, b)` is the state of a's range followed by b's.
 */
export function stateCode(kernel: TileKernel): string {
  const { runs } = kernel;
  const type = valueType(kernel);
  const combine = combineCode(kernel);
  if (!isSegmented(kernel)) {
    return /* wgsl */ `${combine}
alias State = ${type};
fn join(a: State, b: State) -> State { return combine(a, b); }
fn value_of(s: State) -> ${type} { return s; }
fn heads_of(s: State) -> u32 { return 0u; }
fn make_state(value: ${type}, heads: u32) -> State { return value; }
fn choose(no: State, yes: State, which: bool) -> State { return select(no, yes, which); }`;
  }
  return /* wgsl */ `${combine}
struct State { value: ${type}, heads: u32 }
fn join(a: State, b: State) -> State {
  return State(${joined(kernel, "a.value", "b.value", "b.heads != 0u")}, a.heads ${runs ? "+" : "|"} b.heads);
}
fn value_of(s: State) -> ${type} { return s.value; }
fn heads_of(s: State) -> u32 { return s.heads; }
fn make_state(value: ${type}, heads: u32) -> State { return State(value, heads); }
fn choose(no: State, yes: State, which: bool) -> State {
  return State(select(no.value, yes.value, which), select(no.heads, yes.heads, which));
}`;
}

/** `state_subgroupShuffle…(s, d)` of a state. */
export const stateShuffle = (kernel: TileKernel, name: string): string => /* wgsl */ `
fn state_${name}(s: State, d: u32) -> State {
  return make_state(${name}(value_of(s), d), ${isSegmented(kernel) ? `${name}(heads_of(s), d)` : "0u"});
}`;
