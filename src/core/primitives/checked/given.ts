import type { ForEachArguments, VectorOwner } from "../backend.ts";
import { checkKernel } from "../checks.ts";
import type { Signature } from "../kernel.ts";
import { checkHeld } from "./operands.ts";

/** How messages call a method that is given a function: made once a function. */
const calls = new WeakMap<Signature, string>();

export function callOf(method: string, signature: Signature): string {
  let call = calls.get(signature);
  if (call === undefined) {
    call = `${method} (“${signature.name}”)`;
    calls.set(signature, call);
  }
  return call;
}

/** Throws where what is given does not fit the function's signature. */
export function checkGiven(
  owner: VectorOwner,
  what: string,
  count: number,
  signature: Signature,
  given: ForEachArguments,
): void {
  for (const name of Object.keys(signature.inputs)) checkHeld(owner, what, name, given.inputs[name]);
  if (given.at) checkHeld(owner, what, "at", given.at);
  checkKernel(what, count, signature, given);
}
