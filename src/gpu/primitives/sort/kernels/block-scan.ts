import type { Fragment } from "../../../shader/fragment.ts";
import { threads } from "../shape.ts";

/** `block_scan(thread, value)`: the sum of the values of earlier threads, and the sum of all in `block_total`. */
export const blockScan = (subgroups: boolean): Fragment => (subgroups ? bySubgroups : byWorkgroup);

const byWorkgroup: Fragment = {
  name: "block scan",
  code: /* wgsl */ `
var<workgroup> block_sums: array<u32, ${threads}>;

fn block_scan(thread: u32, value: u32) -> vec2u {
  var sum = value;
  block_sums[thread] = sum;
  workgroupBarrier();
  for (var step = 1u; step < ${threads}u; step *= 2u) {
    var earlier = 0u;
    if (thread >= step) {
      earlier = block_sums[thread - step];
    }
    workgroupBarrier();
    sum += earlier;
    block_sums[thread] = sum;
    workgroupBarrier();
  }
  let total = block_sums[${threads - 1}];
  workgroupBarrier();
  return vec2u(sum - value, total);
}
`,
};

const bySubgroups: Fragment = {
  name: "block scan with subgroups",
  code: /* wgsl */ `
var<workgroup> block_sums: array<u32, 64>;
var<private> lane: u32;
var<private> lanes: u32;

fn block_scan(thread: u32, value: u32) -> vec2u {
  let within = subgroupInclusiveAdd(value);
  if (lane == lanes - 1u) {
    block_sums[thread / lanes] = within;
  }
  workgroupBarrier();
  let mine = thread / lanes;
  var before = 0u;
  var total = 0u;
  for (var k = 0u; k < ${threads}u / lanes; k++) {
    let sum = block_sums[k];
    before += select(0u, sum, k < mine);
    total += sum;
  }
  workgroupBarrier();
  return vec2u(before + within - value, total);
}
`,
};
