/** Results of jobs as messages: a value that JSON can hold, and the arrays of numbers that it names. */
import type { Communicator, Value } from "../../cluster/communicator/communicator.ts";
import { badMessage } from "../../cluster/wire/frame.ts";
import type { TypedArray } from "../../core/dtype.ts";

/** What stands for an array, by its place among the arrays, and for a number that JSON has not. */
const arrayKey = "#array";
const numberKey = "#number";

/** Sends a result: plain data with numbers of any kind, and typed arrays. */
export async function sendResult(
  communicator: Communicator,
  to: number,
  tag: number,
  result: unknown,
): Promise<void> {
  const arrays: TypedArray[] = [];
  const text = JSON.stringify(result, (_, value: unknown) => {
    if (ArrayBuffer.isView(value)) return { [arrayKey]: arrays.push(value as TypedArray) - 1 };
    return typeof value === "number" && !Number.isFinite(value) ? { [numberKey]: String(value) } : value;
  });
  // As bytes: a trace of many ranks may be longer than a value.
  await communicator.send(to, arrays.length, tag);
  await communicator.send(to, new TextEncoder().encode(text), tag);
  for (const array of arrays) await communicator.send(to, array, tag);
}

/** Receives what `sendResult` sent. Throws BadMessage for anything else. */
export async function receiveResult(communicator: Communicator, from: number, tag: number): Promise<unknown> {
  const { data: count } = await communicator.recv<Value>(from, tag);
  if (typeof count !== "number") throw badMessage("an invalid result");
  const { data: bytes } = await communicator.recv<TypedArray>(from, tag);
  if (!(bytes instanceof Uint8Array)) throw badMessage("an invalid result");
  const text = new TextDecoder().decode(bytes);
  const arrays: TypedArray[] = [];
  while (arrays.length < count) arrays.push((await communicator.recv<TypedArray>(from, tag)).data);
  return JSON.parse(text, (_, value: unknown) => {
    if (typeof value !== "object" || value === null) return value;
    if (arrayKey in value) return arrays[Number(value[arrayKey])];
    return numberKey in value ? Number(value[numberKey]) : value;
  });
}
