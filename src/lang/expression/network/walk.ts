import type { NodeId } from "./network.ts";

/**
 * The given nodes and all that `inputs` leads to from them, each once, inputs before their users: the order of a
 * recursive walk, without its depth, which long texts would take beyond what the stack holds.
 */
export function inputsFirst(roots: Iterable<NodeId>, inputs: (id: NodeId) => readonly NodeId[]): NodeId[] {
  const seen = new Set<NodeId>();
  const order: NodeId[] = [];
  const path: { readonly id: NodeId; readonly rest: NodeId[] }[] = [];
  const enter = (id: NodeId) => {
    if (seen.has(id)) return;
    seen.add(id);
    path.push({ id, rest: [...inputs(id)].reverse() });
  };
  for (const root of roots) {
    enter(root);
    for (let top = path.at(-1); top; top = path.at(-1)) {
      const input = top.rest.pop();
      if (input !== undefined) enter(input);
      else {
        order.push(top.id);
        path.pop();
      }
    }
  }
  return order;
}
