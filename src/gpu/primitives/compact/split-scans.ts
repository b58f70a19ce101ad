/** Threads of the split's workgroups. */
export const threads = 256;

const bySubgroups = /* wgsl */ `
var<workgroup> shares: array<u32, 64>;
var<workgroup> shares_max: array<u32, 64>;
var<workgroup> shares_min: array<u32, 64>;
fn sum_before(own: u32, thread: u32, lane: u32, size: u32) -> Sums {
  let before_lane = subgroupExclusiveAdd(own);
  let share = thread / size;
  if (lane == size - 1u) { shares[share] = before_lane + own; }
  workgroupBarrier();
  var before = 0u;
  var all = 0u;
  for (var k = 0u; k < ${threads}u / size; k++) {
    if (k == share) { before = all; }
    all += shares[k];
  }
  return Sums(before + before_lane, all);
}
fn ends_around(max_own: u32, min_own: u32, thread: u32, lane: u32, size: u32) -> Ends {
  var most = max_own;
  var least = min_own;
  for (var d = 1u; d < size; d *= 2u) {
    let earlier = subgroupShuffleUp(most, d);
    let later = subgroupShuffleDown(least, d);
    if (lane >= d) { most = max(most, earlier); }
    if (lane + d < size) { least = min(least, later); }
  }
  let share = thread / size;
  if (lane == size - 1u) { shares_max[share] = most; }
  if (lane == 0u) { shares_min[share] = least; }
  let max_before = subgroupShuffleUp(most, 1u);
  let min_after = subgroupShuffleDown(least, 1u);
  workgroupBarrier();
  var ends = Ends(select(0u, max_before, lane > 0u), select(none, min_after, lane + 1u < size), 0u, none);
  for (var k = 0u; k < ${threads}u / size; k++) {
    if (k < share) { ends.before = max(ends.before, shares_max[k]); }
    if (k > share) { ends.after = min(ends.after, shares_min[k]); }
    ends.last = max(ends.last, shares_max[k]);
    ends.first = min(ends.first, shares_min[k]);
  }
  return ends;
}`;

const byWorkgroup = /* wgsl */ `
var<workgroup> lanes: array<u32, ${threads}>;
fn sum_before(own: u32, thread: u32, lane: u32, size: u32) -> Sums {
  var sum = own;
  lanes[thread] = sum;
  workgroupBarrier();
  for (var d = 1u; d < ${threads}u; d *= 2u) {
    if (thread >= d) { sum += lanes[thread - d]; }
    workgroupBarrier();
    lanes[thread] = sum;
    workgroupBarrier();
  }
  let sums = Sums(sum - own, lanes[${threads - 1}u]);
  workgroupBarrier();
  return sums;
}
fn ends_around(max_own: u32, min_own: u32, thread: u32, lane: u32, size: u32) -> Ends {
  var most = max_own;
  lanes[thread] = most;
  workgroupBarrier();
  for (var d = 1u; d < ${threads}u; d *= 2u) {
    if (thread >= d) { most = max(most, lanes[thread - d]); }
    workgroupBarrier();
    lanes[thread] = most;
    workgroupBarrier();
  }
  var ends = Ends(0u, none, lanes[${threads - 1}u], none);
  if (thread > 0u) { ends.before = lanes[thread - 1u]; }
  workgroupBarrier();
  var least = min_own;
  lanes[thread] = least;
  workgroupBarrier();
  for (var d = 1u; d < ${threads}u; d *= 2u) {
    if (thread + d < ${threads}u) { least = min(least, lanes[thread + d]); }
    workgroupBarrier();
    lanes[thread] = least;
    workgroupBarrier();
  }
  ends.first = lanes[0];
  if (thread + 1u < ${threads}u) { ends.after = lanes[thread + 1u]; }
  return ends;
}`;

/** Scans of one u32 a thread over the workgroup: sums, and what lies at the ends of segments. */
export const tileScans = (subgroups: boolean): string => /* wgsl */ `
struct Sums { before: u32, all: u32 }
/** At the last head before and in the tile, and at the first one after and in it. */
struct Ends { before: u32, after: u32, last: u32, first: u32 }
${subgroups ? bySubgroups : byWorkgroup}`;
