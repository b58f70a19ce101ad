import { clamp } from "./clamp.ts";
import { derivatives } from "./derivatives.ts";
import type { Filter } from "./filter.ts";
import { logic } from "./logic.ts";
import { mathematics } from "./mathematics.ts";
import { mesh } from "./mesh.ts";
import { movedBy, movedFamily } from "./moved.ts";
import { operators } from "./operators.ts";
import { variantOf } from "./parameters.ts";
import { random } from "./random.ts";
import { reductions } from "./reductions.ts";
import { smoothing } from "./smoothing.ts";
import { tensors } from "./tensors.ts";
import { vectors } from "./vectors.ts";
import { vortices } from "./vortices.ts";

/** Every filter, in the order of the reference. `internal` ones stand behind operators and composites. */
export const allFilters: readonly Filter[] = [
  ...operators,
  ...logic,
  ...mathematics,
  clamp,
  ...random,
  ...vectors,
  ...tensors,
  ...derivatives,
  ...vortices,
  ...smoothing,
  ...reductions,
  ...mesh,
];

/** The filters that operators stand for. `v[i]` is `component_i`, `{a, b, c}` is `compose`, `if … then … else` is `if`. */
export const operatorFilters: Readonly<Record<string, string>> = {
  "+": "add",
  "-": "subtract",
  "*": "multiply",
  "/": "divide",
  "%": "mod",
  "^": "pow",
  "<": "lt",
  "<=": "le",
  ">": "gt",
  ">=": "ge",
  "==": "eq",
  "!=": "ne",
  and: "and",
  or: "or",
  not: "not",
};

/** The filter of unary minus. */
export const negationFilter = "negate";

const byName = new Map<string, Filter>();
for (const filter of allFilters) {
  for (const name of [filter.name, ...(filter.aliases ?? [])]) {
    if (byName.has(name)) throw new Error(`two filters are called ${name}`);
    byName.set(name, filter);
  }
}

/** The filter of a name or an alias, or the stencil that a parameter chooses: `laplacian:2`, `moved:x-1,y,z`. */
export function findFilter(name: string): Filter | undefined {
  const known = byName.get(name);
  if (known) return known;
  const variant = name.startsWith(`${movedFamily}:`)
    ? movedBy(name.slice(movedFamily.length + 1))
    : variantOf(name, (family) => {
        const filter = byName.get(family);
        return filter?.kind === "stencil" ? filter : undefined;
      });
  if (variant) byName.set(name, variant);
  return variant;
}
