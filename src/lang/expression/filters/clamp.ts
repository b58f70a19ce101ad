import type { CompositeFilter } from "./filter.ts";

export const clamp: CompositeFilter = {
  kind: "composite",
  name: "clamp",
  doc: {
    signature: "clamp(a, low, high)",
    summary: "The value, limited to the range from low to high.",
    formula: "min(max(a, low), high)",
    example: "clamp(p, 0, 1)",
    group: "Mathematics",
  },
  overloads: [
    {
      inputs: ["scalar", "scalar", "scalar"],
      output: "scalar",
      expand: (network, [a, low, high], span) =>
        network.apply("min", [network.apply("max", [a, low], span), high], span),
    },
  ],
};
