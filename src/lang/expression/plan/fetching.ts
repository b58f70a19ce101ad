import type { Network, NetworkNode, NodeId } from "../network/network.ts";
import { inputsFirst } from "../network/walk.ts";
import { componentsOf } from "../types.ts";
import { inputsOf, readsNeighbors } from "./stages.ts";

/**
 * A stencil may recompute an element-wise value at each neighbour instead of reading it from a temporary, which would
 * cost 8 bytes of traffic per component and the memory. Beyond these costs the temporary is cheaper.
 */
const maxLoads = 6;
const maxOperations = 16;

/** Whether the value may be had at any neighbour without being stored first. */
export function canFetch(
  network: Network,
  id: NodeId,
  temporaries: ReadonlySet<NodeId>,
  reader: NetworkNode,
): boolean {
  let loads = 0;
  let operations = 0;
  const isLoaded = (at: NodeId) => temporaries.has(at) || network.nodes[at].kind === "source";
  for (const at of inputsFirst([id], (at) => (isLoaded(at) ? [] : inputsOf(network.nodes[at])))) {
    const node = network.nodes[at];
    if (isLoaded(at)) loads += componentsOf(node.type.value);
    else if (readsNeighbors(node)) return false;
    else if (node.kind === "element" && !isStructure(node)) operations++;
  }
  const isPlain = operations === 0;
  // Derivatives read a few neighbours, smoothing filters up to 33.
  // A move reads one place alone.
  if (reader.kind === "stencil" && reader.filter.move) return true;
  if (reader.kind === "stencil" && !reader.filter.isDerivative) return isPlain;
  return isPlain || (loads <= maxLoads && operations <= maxOperations);
}

/** Takes values apart or puts them together without computing: {a, b, c}, v[i]. */
function isStructure(node: NetworkNode): boolean {
  return node.kind === "element" && (node.overload.isAccess === true || node.filter.name === "compose");
}

/** Whether the value is read from memory, or made of such values without computing. */
export function isLoaded(network: Network, id: NodeId, temporaries: ReadonlySet<NodeId>): boolean {
  const node = network.nodes[id];
  if (temporaries.has(id) || node.kind === "source" || node.kind === "constant") return true;
  return isStructure(node) && inputsOf(node).every((input) => isLoaded(network, input, temporaries));
}

/** Whether differences of the value are differences of stored numbers, which need no offset added. */
export function isStored(network: Network, id: NodeId, temporaries: ReadonlySet<NodeId>): boolean {
  const node = network.nodes[id];
  if (temporaries.has(id) || node.kind === "source" || node.kind === "mesh") return true;
  return isStructure(node) && inputsOf(node).every((input) => isStored(network, input, temporaries));
}
