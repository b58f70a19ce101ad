import { NearestCandidates } from "../../../algorithms/kd-tree/nearest-candidates.ts";
import { WithinCandidates } from "../../../algorithms/kd-tree/within-candidates.ts";
import { checkCancelled, type JobContext } from "../../../core/job.ts";
import { squareToBoxes } from "./boxes.ts";
import { type NeighborLists, NeighborListsBuilder } from "./neighbor-lists.ts";
import { type AskingCommunicator, askRanks, Questions, type Round, type Search } from "./questions.ts";
import type { RankedTree } from "./ranked-tree.ts";

/** Which points are wanted. */
export interface Wanted {
  /** So many at most; all within the radius where it is undefined. */
  readonly k: number | undefined;
  /** ∞ for points at any distance. */
  readonly radius: number;
}

/** Queries [from, to) of this rank, which are asked at once. */
interface Batch {
  readonly places: Float32Array;
  readonly from: number;
  readonly to: number;
}

/** Few enough that ranks hear of a cancel between two batches, and many for a message. */
const queriesAtOnce = 1 << 12;

/**
 * The points of a tree of all ranks that are near this rank's own places, of as many coordinates as the tree's points: what a search
 * in one rank's tree finds. A collective call; ranks may have any numbers of places, also none. The k nearest are sought on the
 * rank whose subtrees are nearest, then on those whose subtrees come as near as the kth that was found there; all points
 * within a radius on the ranks that it reaches. Throws Cancelled.
 */
export async function findNeighbors(
  communicator: AskingCommunicator,
  tree: RankedTree,
  places: Float32Array,
  { k, radius }: Wanted,
  job: JobContext,
): Promise<NeighborLists> {
  const count = places.length / tree.dimensions;
  const counts = await communicator.allgather<Uint32Array>(Uint32Array.of(count));
  const batches = Math.ceil(Math.max(...counts.map(([each]) => each)) / queriesAtOnce);
  const limit = radius ** 2;
  const search = k === undefined ? new WithinCandidates() : new NearestCandidates(k);
  const lists = new NeighborListsBuilder(count);
  for (let b = 0; b < batches; b++) {
    checkCancelled(job, "Finding neighbours");
    const [from, to] = [b, b + 1].map((at) => Math.min(count, at * queriesAtOnce));
    const batch = { places, from, to };
    const first = k === undefined ? questionsWithin(tree, batch, limit) : firstQuestions(tree, batch, limit);
    const rounds = [await askRanks(communicator, tree, search, places, first)];
    if (k !== undefined) {
      const second = secondQuestions(tree, batch, rounds[0], k, limit);
      rounds.push(await askRanks(communicator, tree, search, places, second));
    }
    merge(batch, rounds, search, limit, lists);
    job.progress((b + 1) / batches, "Finding neighbours");
  }
  return lists.done();
}

const placeIn = ({ places }: Batch, { dimensions }: RankedTree, query: number) =>
  places.subarray(dimensions * query, dimensions * (query + 1));

function questionsWithin(tree: RankedTree, batch: Batch, limit: number): readonly Questions[] {
  const questions = tree.boxes.map(() => new Questions());
  for (let query = batch.from; query < batch.to; query++) {
    const place = placeIn(batch, tree, query);
    for (const [rank, boxes] of tree.boxes.entries())
      if (squareToBoxes(boxes, place) <= limit) questions[rank].add(query, limit);
  }
  return questions;
}

/** Asks of each query one rank: that of the nearest subtree. */
function firstQuestions(tree: RankedTree, batch: Batch, limit: number): readonly Questions[] {
  const questions = tree.boxes.map(() => new Questions());
  for (let query = batch.from; query < batch.to; query++) {
    const place = placeIn(batch, tree, query);
    let [nearest, square] = [0, Infinity];
    for (const [rank, boxes] of tree.boxes.entries()) {
      const own = squareToBoxes(boxes, place);
      if (own < square) [nearest, square] = [rank, own];
    }
    questions[nearest].add(query, limit);
  }
  return questions;
}

/** Asks the ranks besides whose subtrees come as near as the kth of the points that the first one has found. */
function secondQuestions(
  tree: RankedTree,
  batch: Batch,
  { questions: first, answers }: Round,
  k: number,
  limit: number,
): readonly Questions[] {
  const questions = tree.boxes.map(() => new Questions());
  const next = first.map(() => 0);
  for (let query = batch.from; query < batch.to; query++) {
    const asked = first.findIndex(({ queries }, rank) => queries[next[rank]] === query);
    const { starts, squares } = answers[asked];
    const [from, to] = starts.subarray(next[asked]++);
    const bound = to - from === k ? squares[to - 1] : limit;
    const place = placeIn(batch, tree, query);
    for (const [rank, boxes] of tree.boxes.entries())
      if (rank !== asked && squareToBoxes(boxes, place) <= bound) questions[rank].add(query, bound);
  }
  return questions;
}

/** Adds the list of each query in the batch: what ranks answered to it. */
function merge(
  { from, to }: Batch,
  rounds: readonly Round[],
  search: Search,
  limit: number,
  lists: NeighborListsBuilder,
): void {
  const answered = rounds.flatMap(({ questions, answers }) =>
    questions.map(({ queries }, rank) => ({ queries, ...answers[rank], next: 0 })),
  );
  for (let query = from; query < to; query++) {
    search.restart(limit);
    for (const each of answered) {
      if (each.queries[each.next] !== query) continue;
      const end = each.starts[each.next + 1];
      for (let at = each.starts[each.next]; at < end; at++) search.offer(each.ids[at], each.squares[at]);
      each.next++;
    }
    lists.add(search);
  }
}
