/** Reductions, for the texts that have any: most have none, and the first picture too. */
import type { Quantity } from "../../../core/quantity.ts";
import type { ScalarValues } from "../filters/filter.ts";
import { foldElement, foldStencil } from "../network/folding.ts";
import type { Network, NetworkNode, NodeId, ReductionNode } from "../network/network.ts";
import { inputsFirst } from "../network/walk.ts";
import { located } from "../syntax/located.ts";
import { chosenOutputs } from "./outputs.ts";
import type { Measure, Part, Resolved } from "./reductions.ts";
import { inputsOf } from "./stages.ts";

/** What `resolveReductions` gives of networks that have reductions. */
export function measureReductions(
  network: Network,
  outputs: readonly string[],
  measure: Measure,
): Promise<Resolved> {
  return resolve(network, outputs, (part, reductions) =>
    measure(part, (values) =>
      Promise.all(reductions.map((each) => reduced(each, values.get(each.of) as ScalarValues))),
    ),
  );
}

/** What `partsOf` gives of networks that have reductions. */
export async function partsWithReductions(
  network: Network,
  outputs: readonly string[],
): Promise<readonly Part[]> {
  const parts: Part[] = [];
  const { fields } = await resolve(network, outputs, async (part, reductions) => {
    parts.push(part);
    return reductions.map(({ node }) => standInFor(node));
  });
  return [...parts, fields];
}

/** A reduction whose parameters are known, of an output of a part. */
interface Reduction {
  readonly node: ReductionNode;
  readonly of: string;
  readonly parameters: readonly number[];
}

type Reduce = (part: Part, reductions: readonly Reduction[]) => Promise<readonly Quantity[]>;

async function resolve(network: Network, outputs: readonly string[], reduce: Reduce): Promise<Resolved> {
  const chosen = chosenOutputs(network, outputs);
  const roots = chosen.map(({ node }) => node);
  const nodes = [...network.nodes];
  const tables = new Map<NodeId, Quantity>();
  for (;;) {
    const order = inputsFirst(roots, (id) => inputsOf(nodes[id]));
    for (const id of order) nodes[id] = await folded(nodes, id);
    const ready = readyReductions(nodes, order, tables);
    if (ready.length === 0) break;
    const named = [...new Set(ready.map((id) => inputsOf(nodes[id])[0]))].map((node) => ({
      name: `reduced value ${node}`,
      node,
    }));
    const part = {
      network: { nodes: [...nodes], outputs: named, notes: [] },
      names: named.map(({ name }) => name),
    };
    const reductions = ready.map((id): Reduction => {
      const node = nodes[id] as ReductionNode;
      const [input, ...parameters] = node.inputs;
      const values = parameters.map((parameter) => constantOf(nodes[parameter]) as readonly number[]);
      return { node, of: `reduced value ${input}`, parameters: values.flat() };
    });
    const found = await reduce(part, reductions);
    for (const [k, id] of ready.entries()) {
      const quantity = found[k];
      if (quantity.kind === "histogram") tables.set(id, quantity);
      else nodes[id] = reducedNode(reductions[k].node, quantity.components);
    }
  }
  const quantities = new Map<string, Quantity>();
  const names: string[] = [];
  for (const { name, node } of chosen) {
    const components = constantOf(nodes[node]);
    const quantity = components ? ({ kind: "number", components } as const) : tables.get(node);
    if (quantity) quantities.set(name, quantity);
    else names.push(name);
  }
  const isSame = nodes.every((node, id) => node === network.nodes[id]);
  return { fields: { network: isSame ? network : { ...network, nodes }, names }, quantities };
}

async function reduced({ node, parameters }: Reduction, values: ScalarValues): Promise<Quantity> {
  const { filter, span } = node;
  const fault = filter.fault?.(parameters);
  if (fault) {
    const { signature, example } = filter.doc;
    throw located("TypeError", span, `“${signature}” ${fault}`, `For example: ${example}.`);
  }
  return filter.reduce(values, parameters);
}

/** Reductions that have no result yet, and whose inputs need no other reduction. */
function readyReductions(
  nodes: readonly NetworkNode[],
  order: readonly NodeId[],
  done: ReadonlyMap<NodeId, Quantity>,
): NodeId[] {
  const waits = new Set<NodeId>();
  const ready: NodeId[] = [];
  for (const id of order) {
    const isOpen = inputsOf(nodes[id]).some((input) => waits.has(input));
    const isReduction = nodes[id].kind === "reduction" && !done.has(id);
    if (isReduction && !isOpen) ready.push(id);
    if (isReduction || isOpen) waits.add(id);
  }
  return ready;
}

/** The node itself, or the constant that it has become now that its inputs are constants. */
async function folded(nodes: readonly NetworkNode[], id: NodeId): Promise<NetworkNode> {
  const node = nodes[id];
  const inputs = inputsOf(node).map((input) => nodes[input]);
  switch (node.kind) {
    case "element": {
      const isKnown = node.type.placement === "constant" && inputs.every(({ kind }) => kind === "constant");
      if (!isKnown) return node;
      const { elementLoop } = await import("../filters/element-loops.ts");
      const values = foldElement(node.overload, inputs, elementLoop);
      return values ? reducedNode(node, values) : node;
    }
    case "stencil": {
      const values = foldStencil(node.filter, node.overload, inputs[0]);
      return values ? reducedNode(node, values) : node;
    }
    case "reduction": {
      const values = node.filter.keepsNumbers ? constantOf(inputs[0]) : undefined;
      return values ? reducedNode(node, values) : node;
    }
    default:
      return node;
  }
}

function reducedNode(
  { filter, type, span }: NetworkNode & { kind: "element" | "stencil" | "reduction" },
  values: readonly number[],
): NetworkNode {
  return { kind: "constant", values, reducedBy: filter.name, type, span };
}

function constantOf(node: NetworkNode): readonly number[] | undefined {
  return node.kind === "constant" ? node.values : undefined;
}

function standInFor({ type }: ReductionNode): Quantity {
  switch (type.value) {
    case "histogram":
      return { kind: "histogram", histogram: { edges: [0, 1], counts: [0] } };
    case "vec3":
      return { kind: "number", components: [0, 0, 0] };
    default:
      return { kind: "number", components: [0.5] };
  }
}
