import type { Fragment } from "../../shader/fragment.ts";

/** `enable` lines of kernels that use `setBits` or other functions of subgroups. */
export const enables = (subgroups: boolean): string =>
  subgroups ? "enable subgroups;\ndiagnostic(off, subgroup_uniformity);" : "";

/** Arguments of entry points: without subgroups, every thread is one of its own. */
export const entryArguments = (subgroups: boolean): string => /* wgsl */ `
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) thread: u32,
  ${subgroups ? "@builtin(subgroup_size) size: u32,\n  @builtin(subgroup_invocation_id) lane: u32," : ""}`;

/**
 * `set_bits(at, place, flag, lane, size)` for all threads at once: sets the place's bit where the flag is set. Lanes of
 * a subgroup have neighbouring places, the first one's a multiple of their number. `words` is an array of atomics in
 * workgroup memory, `at` its first word that counts.
 */
export const setBits = (words: string, subgroups: boolean): Fragment => ({
  name: "set bits",
  code: subgroups
    ? /* wgsl */ `
fn set_bits(at: u32, place: u32, flag: bool, lane: u32, size: u32) {
  let ballot = subgroupBallot(flag);
  if (size <= 32u) {
    if (lane == 0u) { atomicOr(&${words}[at + place / 32u], ballot.x << (place % 32u)); }
  } else if (lane % 32u == 0u) {
    atomicOr(&${words}[at + place / 32u], ballot[lane / 32u]);
  }
}
`
    : /* wgsl */ `
fn set_bits(at: u32, place: u32, flag: bool, lane: u32, size: u32) {
  if (flag) { atomicOr(&${words}[at + place / 32u], 1u << (place % 32u)); }
}
`,
});
