import { anySource, anyTag, type Communicator } from "../../communicator/communicator.ts";
import { type Case, isSame, nameOf, operandOf, ranksOf, type Shape, shapeOf } from "./case.ts";

const sendRecv = (shape: Shape): Case => ({
  name: `send and recv, ${nameOf(shape)}`,
  async run(communicator) {
    const { rank, left, right } = neighbours(communicator);
    const sent = communicator.send(right, operandOf(shape, rank), 7);
    const { data, source, tag } = await communicator.recv(left, 7);
    await sent;
    return isSame(data, operandOf(shape, left)) && source === left && tag === 7;
  },
});

/** Messages of one array from each rank to the next, cyclically. */
const around = (shape: Shape): readonly Case[] => [
  sendRecv(shape),
  {
    name: `isend and recvInto, ${nameOf(shape)}`,
    async run(communicator) {
      const { rank, left, right } = neighbours(communicator);
      const into = operandOf({ ...shape, length: shape.length + 3 }, rank);
      const sending = communicator.isend(right, operandOf(shape, rank), 8);
      const { count } = await communicator.recvInto(into, left, 8);
      await sending.done;
      return count === shape.length && isSame(into.slice(0, count), operandOf(shape, left));
    },
  },
  {
    name: `sendrecv, ${nameOf(shape)}`,
    async run(communicator) {
      const { rank, left, right } = neighbours(communicator);
      const { data, source } = await communicator.sendrecv(left, operandOf(shape, rank), right);
      return isSame(data, operandOf(shape, right)) && source === right;
    },
  },
];

const inOrder: Case = {
  name: "messages of one tag in order, others apart",
  async run(communicator) {
    const { rank, left, right } = neighbours(communicator);
    const shapes = [3, 90_000, 0, 70_001, 12].map((bytes) => shapeOf("u8", bytes));
    const last = communicator.irecv(left, 2);
    const sends = [...shapes.map((shape) => communicator.isend(right, operandOf(shape, rank), 1))];
    sends.push(communicator.isend(right, { said: rank }, 2));
    const isInOrder: boolean[] = [];
    for (const shape of shapes) {
      isInOrder.push(isSame((await communicator.recv(left, 1)).data, operandOf(shape, left)));
    }
    isInOrder.push(isSame((await last.done).data, { said: left }));
    await Promise.all(sends.map(({ done }) => done));
    return isInOrder.every(Boolean);
  },
};

const fromAny: Case = {
  name: "receives from any source, with any tag",
  async run(communicator) {
    const { rank, size } = communicator;
    if (rank > 0) {
      await communicator.send(0, [rank, "há"], rank);
      return true;
    }
    const seen = new Set<number>();
    for (let k = 1; k < size; k++) {
      const { source, tag, data } = await communicator.recv(anySource, anyTag);
      if (tag === source && isSame(data, [source, "há"])) seen.add(source);
    }
    return seen.size === size - 1 && communicator.iprobe() === undefined;
  },
};

const takenBack: Case = {
  name: "a cancelled receive",
  async run(communicator) {
    const request = communicator.irecv(communicator.rank, 5);
    const end = request.done.then(
      () => "received",
      (error: { readonly tag?: string }) => error.tag,
    );
    return request.cancel() && (await end) === "Cancelled" && request.isDone;
  },
};

/** Point-to-point calls. `ofEveryType`: short arrays of every type. */
export const messageCases = (shapes: readonly Shape[], ofEveryType: readonly Shape[]): readonly Case[] => [
  ...shapes.flatMap(around),
  ...ofEveryType.map(sendRecv),
  inOrder,
  fromAny,
  takenBack,
];

function neighbours(communicator: Communicator) {
  const { rank, size } = communicator;
  const ranks = ranksOf(communicator);
  return { rank, left: ranks[(rank + size - 1) % size], right: ranks[(rank + 1) % size] };
}
