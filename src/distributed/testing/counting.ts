import type { RankCommunicator } from "../api.ts";

/** A communicator that counts the words that its rank sends to others, and messages from rank to rank. */
export function counting(
  communicator: RankCommunicator,
): RankCommunicator & { sent: number; messages: number } {
  const counted = {
    ...communicator,
    sent: 0,
    messages: 0,
    send: ((to, data, tag) => {
      counted.messages++;
      if (data instanceof Uint32Array) counted.sent += data.length;
      return communicator.send(to, data, tag);
    }) as RankCommunicator["send"],
    allgather: ((data) => {
      counted.messages += communicator.size - 1;
      if (data instanceof Uint32Array) counted.sent += data.length;
      return communicator.allgather(data);
    }) as RankCommunicator["allgather"],
    alltoall: ((parts) => {
      counted.messages += communicator.size - 1;
      for (const [rank, part] of parts.entries()) {
        if (rank !== communicator.rank && part instanceof Uint32Array) counted.sent += part.length;
      }
      return communicator.alltoall(parts);
    }) as RankCommunicator["alltoall"],
  };
  return counted;
}
