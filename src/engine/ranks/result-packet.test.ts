import { expect, it } from "vitest";
import { receiveResult, sendResult } from "./result-packet.ts";
import { onRanks } from "./testing/on-ranks.ts";

it("a result arrives as it was sent, also where its text is longer than a value may be", async () => {
  const result = { text: "µ".repeat(2 ** 20), infinite: -Infinity, values: Float32Array.of(1, 2) };
  const [, received] = await onRanks(2, async (communicator) => {
    if (communicator.rank === 1) return receiveResult(communicator, 0, 1);
    return sendResult(communicator, 1, 1, result);
  });
  expect(received).toEqual(result);
});
