import { typeNameOf } from "./filter-types.ts";
import type { Network, NetworkNode, NodeId } from "./network.ts";
import { inputPorts } from "./ports.ts";
import { inputsOf } from "./prune.ts";

/**
 * The calls of `createNetwork` that rebuild a network, as JavaScript: run where `createNetwork` and the data set's
 * `fields` are in scope, it leaves in `network` what builds an equal one.
 */
export function toScript(network: Network): string {
  const names = nodeNames(network);
  const lines = network.nodes.flatMap((node, id) => creation(node, names[id], (input) => names[input]));
  const sinks = network.outputs.map(
    ({ name, node }) => `network.addSink(${quote(name)}, ${quote(names[node])});`,
  );
  return ["const network = createNetwork(fields);", ...lines, ...sinks, ""].join("\n");
}

function creation(node: NetworkNode, name: string, nameOf: (input: NodeId) => string): string[] {
  const own = quote(name);
  switch (node.kind) {
    case "source":
      return [sourceCall(node.field, node.component, name)];
    case "constant":
      return [`network.addConstant(${constantText(node)}, ${own});`];
    default: {
      const ports = inputPorts(node);
      const connections = inputsOf(node).map(
        (input, k) => `network.connect(${quote(nameOf(input))}, ${own}, ${quote(`:${ports[k]}`)});`,
      );
      return [`network.addFilter(${quote(typeNameOf(node) ?? "")}, ${own});`, ...connections];
    }
  }
}

function sourceCall(field: string, component: number | undefined, name: string): string {
  const options = [
    ...(component === undefined ? [] : [`component: ${component}`]),
    ...(name === field ? [] : [`name: ${quote(name)}`]),
  ];
  return `network.addSource(${quote(field)}${options.length > 0 ? `, { ${options.join(", ")} }` : ""});`;
}

function constantText({ type, values }: NetworkNode & { kind: "constant" }): string {
  if (type.value === "bool") return String(values[0] !== 0);
  const texts = values.map((value) => (Object.is(value, -0) ? "-0" : String(value)));
  return texts.length === 1 ? texts[0] : `[${texts.join(", ")}]`;
}

/** A name for each node: its output's, its field's, or its type's with its number. */
function nodeNames({ nodes, outputs }: Network): readonly string[] {
  const ofOutputs = new Map([...outputs].reverse().map(({ name, node }) => [node, name]));
  const taken = new Set(ofOutputs.values());
  return nodes.map((node, id) => {
    const output = ofOutputs.get(id);
    if (output !== undefined) return output;
    const generic = `${(typeNameOf(node) ?? node.kind).replace(/\W+/g, "_")}_${id}`;
    let name = node.kind === "source" && node.component === undefined ? node.field : generic;
    while (taken.has(name)) name = name === generic ? `${name}_` : generic;
    taken.add(name);
    return name;
  });
}

function quote(name: string): string {
  return JSON.stringify(name);
}
