import type { Fragment } from "./fragment.ts";

/** Workgroups along x at most, in every implementation. */
export const maxGroupsPerDimension = 65535;

/** Extents of a two-dimensional dispatch of at least `groups` workgroups, few to spare, which `linear_group` numbers. */
export function dispatchExtents(groups: number): [number, number] {
  const y = Math.ceil(groups / maxGroupsPerDimension);
  return [y === 0 ? 0 : Math.ceil(groups / y), y];
}

/** The workgroup's number in a dispatch of `dispatchExtents`; those beyond the last must leave. */
export const linearGroup: Fragment = {
  name: "linear group",
  code: /* wgsl */ `
fn linear_group(group: vec3u, groups: vec3u) -> u32 {
  return group.x + group.y * groups.x;
}
`,
};
