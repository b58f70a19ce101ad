import { linearGroup } from "../../shader/dispatch.ts";
import { linkFragments } from "../../shader/fragment.ts";

export const scatterThreads = 256;

/** Which of a run's values is kept: its first, or its last (what an inclusive scan by key leaves there). */
export type KeptValue = "first" | "last" | "none";

/**
 * Writes each run's key, and one of its values, to the run's place, and the number of runs. `places` has the number
 * of runs that begin at or before an element. Entry point scatter_runs.
 */
export function scatterCode(keyType: string, kept: KeptValue): string {
  const value = /* wgsl */ `values_out[parameters.values_out_lead + places[i] - 1u] = values[parameters.values_lead + i];`;
  return /* wgsl */ `
${linkFragments(linearGroup)}
struct Parameters {
  count_word: u32,
  count_most: u32,
  keys_lead: u32,
  values_lead: u32,
  keys_out_lead: u32,
  values_out_lead: u32,
  runs_lead: u32,
}
@group(0) @binding(0) var<uniform> parameters: Parameters;
@group(0) @binding(1) var<storage, read> count_words: array<u32>;
@group(0) @binding(2) var<storage, read> keys: array<${keyType}>;
@group(0) @binding(3) var<storage, read> places: array<u32>;
@group(0) @binding(4) var<storage, read_write> keys_out: array<${keyType}>;
@group(0) @binding(5) var<storage, read_write> runs: array<u32>;
${
  kept === "none"
    ? ""
    : /* wgsl */ `
@group(0) @binding(6) var<storage, read> values: array<u32>;
@group(0) @binding(7) var<storage, read_write> values_out: array<u32>;`
}

@compute @workgroup_size(${scatterThreads})
fn scatter_runs(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) thread: u32,
) {
  let n = min(count_words[parameters.count_word], parameters.count_most);
  let i = linear_group(group, groups) * ${scatterThreads}u + thread;
  if (n == 0u && i == 0u) { runs[parameters.runs_lead] = 0u; }
  if (i >= n) { return; }
  let place = places[i];
  if (i == 0u || places[i - 1u] != place) {
    keys_out[parameters.keys_out_lead + place - 1u] = keys[parameters.keys_lead + i];
    ${kept === "first" ? value : ""}
  }
  if (i + 1u == n) { runs[parameters.runs_lead] = place; }
  ${kept === "last" ? `if (i + 1u == n || places[i + 1u] != place) { ${value} }` : ""}
}
`;
}
