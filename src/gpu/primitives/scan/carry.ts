import { keysDiffer } from "../base/keys-differ.ts";
import { isSegmented, type ScanKernel } from "./options.ts";

/** Words of a carry: the value, the key or flag of the element that it was left by, and whether there was one. */
export const carryWords = 3;

/** Whether the first element begins a segment, or all: nothing is carried into it. */
function beginsCode({ segments, reverse }: ScanKernel): string {
  if (segments === undefined) return "";
  if (segments === "heads") return `|| ${reverse ? "carried[1]" : "key_word(0u, n)"} != 0u`;
  return `|| ${keysDiffer(segments, "key_word(0u, n)", "carried[1]", "u32")}`;
}

/** Bindings 6 and 7 of a scan that goes on: what is carried into it, and what is carried out of it. */
export const carryCode = (kernel: ScanKernel): string => /* wgsl */ `
@group(0) @binding(6) var<storage, read> carried: array<u32>;
@group(0) @binding(7) var<storage, read_write> carry: array<u32>;

fn with_carry(v: ${kernel.type}, goes_on: bool) -> ${kernel.type} {
  if (goes_on) { return combine(bitcast<${kernel.type}>(carried[0]), v); }
  return v;
}`;

/**
 * Body that scans a Quad, as the writer's of a whole scan, into `y`. What is carried is joined to what comes before the
 * first head, as it is written; the first element is no head here. Leaves the carry where the last element is.
 */
export function carriedQuad(kernel: ScanKernel): string {
  const { type, exclusive } = kernel;
  const segmented = isSegmented(kernel);
  const isHead = (k: number) => (segmented ? `(q.heads & ${1 << k}u) != 0u` : "false");
  const each = ["x", "y", "z", "w"].map((part, k) => {
    const joined = `combine(v, q.x.${part})`;
    const step = segmented ? `select(${joined}, q.x.${part}, ${isHead(k)})` : joined;
    const first = k === 0 ? "if (!has) { v = q.x.x; } else " : "";
    const before = `begun(with_carry(v, goes_on), ${isHead(k)})`;
    const put = !exclusive
      ? ""
      : k === 0
        ? `if (has) { y.x = ${before}; } else { y.x = begun(bitcast<${type}>(carried[0]), begins); }`
        : `y.${part} = ${before};`;
    return /* wgsl */ `${put}
  ${first}{ v = ${step}; }
  ${segmented ? `goes_on &= !(${isHead(k)});` : ""}
  through.${part} = with_carry(v, goes_on);`;
  });
  return /* wgsl */ `let begins = carried[2] == 0u ${beginsCode(kernel)};
  var goes_on = !begins${segmented ? " && (!has || heads_of(prefix) == 0u)" : ""};
  var through = vec4<${type}>();
  ${each.join("\n  ")}
  ${exclusive ? "" : "y = through;"}
  if (e < n && n - e <= 4u) {
    carry[0] = bitcast<u32>(through[n - e - 1u]);
    carry[1] = ${kernel.segments === undefined ? "0u" : "key_word(n - 1u, n)"};
    carry[2] = 1u;
  }`;
}
