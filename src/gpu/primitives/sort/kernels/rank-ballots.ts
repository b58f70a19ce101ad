import type { Fragment } from "../../../shader/fragment.ts";
import { eachItem, type TileShape, threads } from "../shape.ts";

/** WGSL of ballots of up to 32 lanes, and of up to 128. */
const oneWord = {
  type: "u32",
  all: "subgroupBallot(true).x",
  below: "(1u << lane) - 1u",
  vote: (bit: string) => `subgroupBallot(${bit} != 0u).x ^ (${bit} - 1u)`,
  count: (mask: string) => `countOneBits(${mask})`,
  first: "firstTrailingBit(peers)",
};

const fourWords = {
  type: "vec4u",
  all: "subgroupBallot(true)",
  below: `select(
    select(vec4u(0u), vec4u(0xffffffffu), vec4u(lane / 32u) > vec4u(0u, 1u, 2u, 3u)),
    vec4u((1u << (lane % 32u)) - 1u),
    vec4u(lane / 32u) == vec4u(0u, 1u, 2u, 3u),
  )`,
  vote: (bit: string) => `subgroupBallot(${bit} != 0u) ^ vec4u(${bit} - 1u)`,
  count: (mask: string) => `dot(countOneBits(${mask}), vec4u(1u))`,
  first: "first_lane(peers)",
};

/** How ballots of so many words are written. */
export const ballotOf = (words: 1 | 4): typeof oneWord => (words === 1 ? oneWord : fourWords);

export const firstLane: Fragment = {
  name: "first lane",
  code: /* wgsl */ `
fn first_lane(peers: vec4u) -> u32 {
  let words = vec4u(firstTrailingBit(peers.x), firstTrailingBit(peers.y), firstTrailingBit(peers.z), firstTrailingBit(peers.w));
  return select(
    select(select(96u + words.w, 64u + words.z, peers.z != 0u), 32u + words.y, peers.y != 0u),
    words.x,
    peers.x != 0u,
  );
}
`,
};

/**
 * Ranks of a tile's items by their digits, stable, by ballots: lanes with the same digit find each other bit by bit,
 * and the first of them adds their number to its subgroup's count of the digit. Where subgroups are many, some share
 * a row of counts and take turns. A subgroup of s lanes holds s · items neighbouring keys.
 */
export function rankByBallots(shape: TileShape): Fragment {
  const ballot = ballotOf(shape.ballotWords);
  const rankItem = (k: number) => `
      {
        let digit = digit_of(key[${k}]);
        var peers = everyone;
        for (var b = 0u; b < 8u; b++) {
          let bit = (digit >> b) & 1u;
          peers &= ${ballot.vote("bit")};
        }
        let place = ${ballot.count("peers & below")};
        var before = 0u;
        if (place == 0u) {
          before = atomicAdd(&row_counts[row + digit], ${ballot.count("peers")});
        }
        position[${k}] = place + subgroupShuffle(before, ${ballot.first});
      }`;
  return {
    name: "rank by ballots",
    requires: [firstLane],
    code: /* wgsl */ `
var<workgroup> row_counts: array<atomic<u32>, ${shape.rows * threads}>;
var<workgroup> row_sharers: u32;

fn item_index(thread: u32, item: u32) -> u32 {
  return (thread - lane) * ${shape.items}u + item * lanes + lane;
}

/** Sets each item's position in the sorted tile; returns the start and the number of the thread's own digit. */
fn rank_items(thread: u32) -> vec2u {
  for (var row = 0u; row < ${shape.rows}u; row++) {
    atomicStore(&row_counts[row * ${threads}u + thread], 0u);
  }
  if (thread == 0u) {
    row_sharers = (${threads}u / lanes + ${shape.rows - 1}u) / ${shape.rows}u;
  }
  let sharers = workgroupUniformLoad(&row_sharers);
  let subgroup = thread / lanes;
  let row = (subgroup / sharers) * ${threads}u;
  let everyone = ${ballot.all};
  let below = ${ballot.below};
  for (var turn = 0u; turn < sharers; turn++) {
    if (subgroup % sharers == turn) {${eachItem(shape, rankItem)}
    }
    workgroupBarrier();
  }
  var number = 0u;
  for (var r = 0u; r < ${shape.rows}u; r++) {
    number += atomicLoad(&row_counts[r * ${threads}u + thread]);
  }
  let start = block_scan(thread, number).x;
  var running = start;
  for (var r = 0u; r < ${shape.rows}u; r++) {
    let of_row = atomicLoad(&row_counts[r * ${threads}u + thread]);
    atomicStore(&row_counts[r * ${threads}u + thread], running);
    running += of_row;
  }
  workgroupBarrier();
${eachItem(shape, (k) => `  position[${k}] += atomicLoad(&row_counts[row + digit_of(key[${k}])]);`)}
  return vec2u(start, number);
}
`,
  };
}
