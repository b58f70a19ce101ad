import type { RankCommunicator } from "../api.ts";

/** A communicator that counts the words that its rank sends to others. */
export function counting(communicator: RankCommunicator): RankCommunicator & { sent: number } {
  const counted = {
    ...communicator,
    sent: 0,
    allgather: ((data) => {
      if (data instanceof Uint32Array) counted.sent += data.length;
      return communicator.allgather(data);
    }) as RankCommunicator["allgather"],
    alltoall: ((parts) => {
      for (const [rank, part] of parts.entries()) {
        if (rank !== communicator.rank && part instanceof Uint32Array) counted.sent += part.length;
      }
      return communicator.alltoall(parts);
    }) as RankCommunicator["alltoall"],
  };
  return counted;
}
