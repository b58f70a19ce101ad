import type { Communicator, Value } from "../../communicator/communicator.ts";
import { areSame, type Case, isSame, nameOf, operandOf, ranksOf, rootsOf, type Shape } from "./case.ts";

/**
 * Nobody leaves a barrier before the last rank arrives: the last rank arrives when the first, already in
 * the barrier, lets it.
 */
const barrier: Case = {
  name: "barrier",
  async run(communicator) {
    const { rank, size } = communicator;
    const last = size - 1;
    if (rank === last && last > 0) await communicator.recv(0, 1);
    let isOver = false;
    const over = communicator.barrier().then(() => {
      isOver = true;
    });
    let wasEarly = false;
    if (rank === 0 && last > 0) {
      // Round trips through the others give the barrier time to end early.
      for (let k = 0; k < 10; k++) await communicator.sendrecv(0, k, 0, { send: 2, recv: 2 });
      wasEarly = isOver;
      await communicator.send(last, null, 1);
    }
    await over;
    return !wasEarly;
  },
};

const bcast = (shape: Shape, root: number): Case => ({
  name: `bcast from ${root}, ${nameOf(shape)}`,
  async run(communicator) {
    const own = communicator.rank === root ? operandOf(shape, root) : undefined;
    return isSame(await communicator.bcast(own, root), operandOf(shape, root));
  },
});

const gather = (shape: Shape, root: number): Case => ({
  name: `gather to ${root}, ${nameOf(shape)}`,
  async run(communicator) {
    const got = await communicator.gather(operandOf(shape, communicator.rank), root);
    return areSame(got, communicator.rank === root ? allGiven(communicator, shape) : undefined);
  },
});

const scatter = (shape: Shape, root: number): Case => ({
  name: `scatter from ${root}, ${nameOf(shape)}`,
  async run(communicator) {
    const parts = communicator.rank === root ? allGiven(communicator, shape) : undefined;
    return isSame(await communicator.scatter(parts, root), operandOf(shape, communicator.rank));
  },
});

const allgather = (shape: Shape): Case => ({
  name: `allgather, ${nameOf(shape)}`,
  async run(communicator) {
    const got = await communicator.allgather(operandOf(shape, communicator.rank));
    return areSame(got, allGiven(communicator, shape));
  },
});

const alltoall = (shape: Shape): Case => ({
  name: `alltoall, ${nameOf(shape)}`,
  async run(communicator) {
    const { rank, size } = communicator;
    const ranks = ranksOf(communicator);
    const got = await communicator.alltoall(ranks.map((to) => operandOf(shape, rank * size + to)));
    return areSame(
      got,
      ranks.map((from) => operandOf(shape, from * size + rank)),
    );
  },
});

/** Lengths that differ between ranks: MPI's calls with a v. */
const uneven = ({ dtype, length }: Shape): readonly Case[] => {
  const shapeOf = (k: number): Shape => ({ dtype, length: k % 3 === 1 ? 0 : Math.ceil(length / (1 + k)) });
  const part = (rank: number) => operandOf(shapeOf(rank), rank);
  const name = nameOf({ dtype, length });
  return [
    {
      name: `allgather of uneven lengths, up to ${name}`,
      run: async (communicator) =>
        areSame(await communicator.allgather(part(communicator.rank)), ranksOf(communicator).map(part)),
    },
    {
      name: `gather and scatter of uneven lengths, up to ${name}`,
      async run(communicator) {
        const all = await communicator.gather(part(communicator.rank), 0);
        const isGathered = areSame(
          all,
          communicator.rank === 0 ? ranksOf(communicator).map(part) : undefined,
        );
        return isSame(await communicator.scatter(all, 0), part(communicator.rank)) && isGathered;
      },
    },
    {
      name: `alltoall of uneven lengths, up to ${name}`,
      async run(communicator) {
        const { rank } = communicator;
        const ranks = ranksOf(communicator);
        const between = (from: number, to: number) => operandOf(shapeOf(from + 2 * to), from);
        const got = await communicator.alltoall(ranks.map((to) => between(rank, to)));
        return areSame(
          got,
          ranks.map((from) => between(from, rank)),
        );
      },
    },
  ];
};

const values: Case = {
  name: "allgather and alltoall of small values",
  async run(communicator) {
    const { rank } = communicator;
    const said = (from: number, to: number): Value => ({ from, to: [to, "ü".repeat(from)], isHalf: 0.5 });
    const ranks = ranksOf(communicator);
    const [all, mine] = await Promise.all([
      communicator.allgather(said(rank, rank)),
      communicator.alltoall(ranks.map((to) => said(rank, to))),
    ]);
    return (
      areSame(
        all,
        ranks.map((from) => said(from, from)),
      ) &&
      areSame(
        mine,
        ranks.map((from) => said(from, rank)),
      )
    );
  },
};

const allGiven = (communicator: Communicator, shape: Shape) =>
  ranksOf(communicator).map((rank) => operandOf(shape, rank));

/** Collectives that move data: the first of the arrays from and to several roots, the others with one. */
export const movementCases = (
  size: number,
  shapes: readonly Shape[],
  ofEveryType: readonly Shape[],
): readonly Case[] => [
  barrier,
  ...shapes.flatMap((shape, k) =>
    (k === 0 ? rootsOf(size) : [size - 1]).flatMap((root) => [
      bcast(shape, root),
      gather(shape, root),
      scatter(shape, root),
    ]),
  ),
  ...shapes.flatMap((shape) => [allgather(shape), alltoall(shape), ...uneven(shape)]),
  ...ofEveryType.flatMap((shape) => [bcast(shape, 0), alltoall(shape)]),
  values,
];
