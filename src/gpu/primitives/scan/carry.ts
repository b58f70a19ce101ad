import { keysDiffer } from "../base/keys-differ.ts";
import { isSegmented, locates, type ScanKernel } from "./options.ts";
import { joined, resultOf, segmentBegins, valueFrom, valueIn, valueType, wordsOf } from "./values.ts";

/**
 * Words of a carry: the value's first, the key or flag of the element that it was left by, whether there was one, and the
 * value's second.
 */
export const carryWords = 4;
const valuePlaces = [0, 3];

/** Whether the first element begins a segment, or all: nothing is carried into it. */
function beginsCode({ segments, reverse }: ScanKernel): string {
  if (segments === undefined) return "";
  if (segments === "heads") return `|| ${reverse ? "carried[1]" : "key_word(0u, n)"} != 0u`;
  return `|| ${keysDiffer(segments, "key_word(0u, n)", "carried[1]", "u32")}`;
}

const carriedValue = (kernel: ScanKernel): string =>
  valueFrom(
    kernel,
    valuePlaces.map((place) => `carried[${place}]`),
  );

/** Bindings 6 and 7 of a scan that goes on: what is carried into it, and what is carried out of it. */
export const carryCode = (kernel: ScanKernel): string => /* wgsl */ `
@group(0) @binding(6) var<storage, read> carried: array<u32>;
@group(0) @binding(7) var<storage, read_write> carry: array<u32>;

fn with_carry(v: ${valueType(kernel)}, goes_on: bool) -> ${valueType(kernel)} {
  if (goes_on) { return combine(${carriedValue(kernel)}, v); }
  return v;
}`;

/**
 * Body that scans a Quad, as the writer's of a whole scan, into `y`. What is carried is joined to what comes before the
 * first head, as it is written; the first element is no head here. Leaves the carry where the last element is.
 */
export function carriedQuad(kernel: ScanKernel): string {
  const { exclusive } = kernel;
  const segmented = isSegmented(kernel);
  const isVector = !locates(kernel);
  const isHead = (k: number) => segmentBegins(kernel, k) ?? "false";
  const each = ["x", "y", "z", "w"].map((part, k) => {
    const own = valueIn(kernel, k);
    const step = joined(kernel, "v", own, segmentBegins(kernel, k));
    const first = k === 0 ? `if (!has) { v = ${own}; } else ` : "";
    const before = resultOf(kernel, `begun(with_carry(v, goes_on), ${isHead(k)})`);
    const put = !exclusive
      ? ""
      : k === 0
        ? `if (has) { y.x = ${before}; } else { y.x = ${resultOf(kernel, `begun(${carriedValue(kernel)}, begins)`)}; }`
        : `y.${part} = ${before};`;
    return /* wgsl */ `${put}
  ${first}{ v = ${step}; }
  ${segmented ? `goes_on &= !(${isHead(k)});` : ""}
  through${isVector ? `.${part}` : `[${k}]`} = with_carry(v, goes_on);`;
  });
  const results = [0, 1, 2, 3].map((k) => resultOf(kernel, `through[${k}]`));
  const whole = isVector ? "y = through;" : `y = vec4u(${results.join(", ")});`;
  const left = wordsOf(kernel, "through[n - e - 1u]");
  return /* wgsl */ `let begins = carried[2] == 0u ${beginsCode(kernel)};
  var goes_on = !begins${segmented ? " && (!has || heads_of(prefix) == 0u)" : ""};
  var through = ${isVector ? `vec4<${valueType(kernel)}>` : `array<${valueType(kernel)}, 4>`}();
  ${each.join("\n  ")}
  ${exclusive ? "" : whole}
  if (e < n && n - e <= 4u) {
    ${left.map((word, k) => `carry[${valuePlaces[k]}] = ${word};`).join("\n    ")}
    carry[1] = ${kernel.segments === undefined ? "0u" : "key_word(n - 1u, n)"};
    carry[2] = 1u;
  }`;
}
