import type { Filter } from "../filters/filter.ts";
import { keywords } from "../syntax/quoting.ts";
import type { NetworkNode } from "./network.ts";

/** Numbers of inputs that a filter may have. */
export function aritiesOf(filter: Filter): ReadonlySet<number> {
  switch (filter.kind) {
    case "mesh":
      return new Set([0]);
    case "recenter":
      return new Set([1]);
    case "stencil":
      return new Set(filter.parameter ? [1, 2] : [1]);
    default:
      return new Set(filter.overloads.map(({ inputs }) => inputs.length));
  }
}

/** Names of a filter's inputs, in their order, as its documentation writes them: f and radius of `laplacian(f, radius)`. */
export function portsOf(filter: Filter): readonly string[] {
  const count = Math.max(...aritiesOf(filter));
  const written = [...filter.doc.signature.matchAll(/[a-z]\w*(?![\w(])/g)].map(([name]) => name);
  const names = [...new Set([...written.filter((name) => !keywords.has(name)), ..."abcdefghi"])];
  return names.slice(0, count);
}

/** Names of the ports of a node's inputs. */
export function inputPorts(node: NetworkNode): readonly string[] {
  if (node.kind === "recenter") return ["f"];
  return "filter" in node ? portsOf(node.filter) : [];
}
