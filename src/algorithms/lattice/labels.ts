/** Clusters of sites that bonds join, by primitives. */

import { besideText } from "../../core/lattice/swendsen-wang/text.ts";
import { all, own } from "../../core/primitives/access.ts";
import { defineKernel } from "../../core/primitives/kernel.ts";
import { max } from "../../core/primitives/operators.ts";
import type { Primitives } from "../../core/primitives/primitives.ts";
import type { Vector } from "../../core/primitives/vector.ts";
import { withVectors } from "../vectors.ts";

const word = { type: "u32" } as const;

/** How far a label is followed in a round. */
const jumps = 3;

/**
 * What finds the labels of a lattice's clusters: of each site the least number among the sites that chains of bonds join it to. Bit i of a site's
 * word is the bond to the site above it along axis i.
 *
 * A site's label is always a site of its own cluster that is not above it. In a round each site whose neighbours have a smaller label
 * sends it to the site that its own label names (as in Shiloach and Vishkin's algorithm, J. Algorithms 3, 57, 1982), which of several takes any; then labels are
 * replaced by the labels of the sites that they name. Labels only fall, and where none does, all that are joined are equal.
 */
export function clusterLabels(lengths: readonly number[]) {
  const nearby = lengths
    .map(
      (
        _,
        axis,
      ) => `if ((bonds(element) & ${1 << axis}u) != 0u) { least = min(least, labels(above_${axis}(element))); }
let below_${axis}_here = below_${axis}(element);
if ((bonds(below_${axis}_here) & ${1 << axis}u) != 0u) { least = min(least, labels(below_${axis}_here)); }`,
    )
    .join("\n");
  const propose = defineKernel({
    name: "clusters: least labels around",
    inputs: { labels: { ...word, access: all }, bonds: { ...word, access: all } },
    outputs: { least: word, is_less: word },
    constants: {},
    text: `let mine = labels(element);
var least = mine;
${nearby}
out.least = least;
out.is_less = u32(least < mine);`,
    functions: besideText(lengths),
  });
  const jump = defineKernel({
    name: "clusters: labels of labels",
    inputs: {
      labels: { ...word, access: all },
      sent: { ...word, access: all },
      least: { ...word, access: own },
    },
    outputs: { label: word, is_changed: word },
    constants: {},
    text: `var label = min(least(), sent(element));
${Array.from({ length: jumps }, () => "label = min(labels(label), sent(label));").join("\n")}
out.label = label;
out.is_changed = u32(label != labels(element));`,
  });
  return async (p: Primitives, bonds: Vector<"u32">): Promise<Vector<"u32">> =>
    withVectors(async (vectors) => {
      let labels = await vectors.hold(p.sequence("u32", bonds.length));
      for (;;) {
        const { least, is_less } = await p.forEach(bonds.length, propose, {
          inputs: { labels, bonds },
          constants: {},
        });
        await Promise.all([vectors.hold(least), vectors.hold(is_less)]);
        const sent = await vectors.hold(p.copy(labels));
        await p.scatterIf(least, labels, is_less, sent);
        const { label, is_changed } = await p.forEach(bonds.length, jump, {
          inputs: { labels, sent, least },
          constants: {},
        });
        await Promise.all([vectors.hold(label), vectors.hold(is_changed)]);
        const isDone = (await p.reduce(is_changed, max)) === 0;
        vectors.drop([labels, least, is_less, sent, is_changed]);
        labels = label;
        if (isDone) return vectors.handOut(labels);
      }
    });
}
