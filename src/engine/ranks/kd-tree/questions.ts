import type { NearestCandidates } from "../../../algorithms/kd-tree/nearest-candidates.ts";
import { searchTree } from "../../../algorithms/kd-tree/search.ts";
import type { WithinCandidates } from "../../../algorithms/kd-tree/within-candidates.ts";
import type { Communicator } from "../../../cluster/communicator/communicator.ts";
import type { Packing } from "../../../distributed/api.ts";
import { packed } from "../../../distributed/exchange.ts";
import { squareToBox } from "./boxes.ts";
import { type NeighborLists, NeighborListsBuilder } from "./neighbor-lists.ts";
import type { RankedTree } from "./ranked-tree.ts";

/** What searches need of a communicator. */
export type AskingCommunicator = Pick<Communicator, "rank" | "size" | "allgather" | "alltoall"> & Packing;

/** What a search fills: the k nearest, or all within a bound. */
export type Search = NearestCandidates | WithinCandidates;

/** What one rank is asked: the points near places, which are known by their numbers, ascending. */
export class Questions {
  readonly queries: number[] = [];
  /** Squared distances. */
  readonly bounds: number[] = [];

  add(query: number, bound: number): void {
    this.queries.push(query);
    this.bounds.push(bound);
  }
}

/** What this rank asks each rank, and what they answer. */
export interface Round {
  readonly questions: readonly Questions[];
  readonly answers: readonly NeighborLists[];
}

/** Asks all ranks at once, and answers them: one exchange of places, and one of what is near them. */
export async function askRanks(
  communicator: AskingCommunicator,
  tree: RankedTree,
  search: Search,
  places: Float32Array,
  questions: readonly Questions[],
): Promise<Round> {
  const { dimensions } = tree;
  const words = packed(communicator, () => questions.map((each) => wordsOf(each, places, dimensions)));
  const asked = await communicator.alltoall(words);
  const lists = asked.map((words) => answersTo(tree, communicator.rank, search, words));
  const starts = await communicator.alltoall(lists.map((each) => each.starts));
  const ids = await communicator.alltoall(lists.map((each) => each.ids));
  const squares = await communicator.alltoall(lists.map((each) => each.squares));
  const answers = starts.map((_, rank) => ({ starts: starts[rank], ids: ids[rank], squares: squares[rank] }));
  return { questions, answers };
}

/** Of each question the place and the bound. */
function wordsOf({ queries, bounds }: Questions, places: Float32Array, dimensions: number) {
  const words = new Float64Array((dimensions + 1) * queries.length);
  for (let at = 0; at < queries.length; at++) {
    const [from, place] = [(dimensions + 1) * at, dimensions * queries[at]];
    for (let axis = 0; axis < dimensions; axis++) words[from + axis] = places[place + axis];
    words[from + dimensions] = bounds[at];
  }
  return words;
}

function answersTo(tree: RankedTree, rank: number, search: Search, words: Float64Array): NeighborLists {
  const width = tree.dimensions + 1;
  const lists = new NeighborListsBuilder(words.length / width);
  const toSubtrees = new Float64Array(tree.subtrees.length);
  for (let at = 0; at < words.length; at += width) {
    search.restart(words[at + tree.dimensions]);
    searchSubtrees(tree, tree.boxes[rank], words.subarray(at, at + tree.dimensions), search, toSubtrees);
    lists.add(search);
  }
  return lists.done();
}

/** Searches the nearest of this rank's subtrees first, then those that come as near as the bound which that leaves. */
function searchSubtrees(
  { subtrees, dimensions }: RankedTree,
  boxes: Float32Array,
  place: Float64Array,
  search: Search,
  squares: Float64Array,
): void {
  let nearest = 0;
  for (let t = 0; t < subtrees.length; t++) {
    squares[t] = squareToBox(boxes, 2 * dimensions * t, place);
    if (squares[t] < squares[nearest]) nearest = t;
  }
  if (squares[nearest] <= search.bound) searchTree(subtrees[nearest].tree, place, search);
  for (let t = 0; t < subtrees.length; t++)
    if (t !== nearest && squares[t] <= search.bound) searchTree(subtrees[t].tree, place, search);
}
