import { CommunicatorError } from "../../communicator/errors.ts";
import { add } from "../../communicator/operators/elements.ts";
import { type Case, filled, isSame, nameOf, operandOf, ranksOf, type Shape } from "./case.ts";

/** Communicators made from this one, used side by side. */
export const groupCases = (shape: Shape): readonly Case[] => [
  {
    name: `split by parity, in reverse, ${nameOf(shape)}`,
    async run(communicator) {
      const { rank } = communicator;
      const half = await communicator.split(rank % 2, -rank);
      const members = ranksOf(communicator)
        .filter((other) => other % 2 === rank % 2)
        .reverse();
      const sum = filled("u32", shape.length, (i) =>
        members.reduce((before, other) => before + i * other, 0),
      );
      const [got, first] = await Promise.all([
        half?.allreduce(
          filled("u32", shape.length, (i) => i * rank),
          add,
        ),
        half?.bcast(half.rank === 0 ? operandOf(shape, rank) : undefined, 0),
      ]);
      return (
        half?.size === members.length &&
        members[half.rank] === rank &&
        isSame(got, sum) &&
        isSame(first, operandOf(shape, members[0]))
      );
    },
  },
  {
    name: "free, with calls in progress",
    async run(communicator) {
      const { rank, size } = communicator;
      const other = await communicator.dup();
      const sum = other.allreduce(Float64Array.of(rank), add);
      const [[got]] = await Promise.all([sum, other.free()]);
      const late = await other.barrier().then(
        () => "done",
        (error: unknown) => (error instanceof CommunicatorError ? error.mpi : "another error"),
      );
      return got === (size * (size - 1)) / 2 && late === "MPI_ERR_COMM";
    },
  },
  {
    name: "split without a colour",
    async run(communicator) {
      const { rank, size } = communicator;
      const some = await communicator.split(rank === 0 ? undefined : 3);
      return rank === 0 ? some === undefined : some?.size === size - 1 && some.rank === rank - 1;
    },
  },
  {
    name: `dup, whose messages do not mix, ${nameOf(shape)}`,
    async run(communicator) {
      const { rank, size } = communicator;
      const other = await communicator.dup();
      const [left, right] = [(rank + size - 1) % size, (rank + 1) % size];
      const sends = [other.send(right, "other", 3), communicator.send(right, operandOf(shape, rank), 3)];
      const own = await communicator.recv(left, 3);
      const its = await other.recv(left, 3);
      await Promise.all(sends);
      return isSame(own.data, operandOf(shape, left)) && isSame(its.data, "other");
    },
  },
];
