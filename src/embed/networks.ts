import { nearestName } from "../core/names.ts";
import {
  createNetwork as createDataflow,
  type DataflowNetwork,
} from "../lang/expression/network/dataflow.ts";
import type { FieldSignature, Network } from "../lang/expression/network/network.ts";
import type { CreateNetwork } from "./api.ts";
import { badArgument, requireChoice, requireObject, shown } from "./refusal.ts";

export const createNetwork: CreateNetwork = (fields: unknown) => {
  if (!Array.isArray(fields)) {
    throw badArgument(`The network's fields are ${shown(fields)}.`, "Give an array of them.");
  }
  return createDataflow(fields.map(signatureOf));
};

function signatureOf(given: unknown): FieldSignature {
  const keys = ["name", "components", "centering"];
  const { name, components, centering } = requireObject(given, "A field of the network", keys);
  if (typeof name !== "string") {
    throw badArgument(`The name of a field is ${shown(name)}.`, "Give a text.");
  }
  if (typeof components !== "number" || !Number.isInteger(components) || components < 1) {
    throw badArgument(`The field “${name}” has ${shown(components)} components.`, "Give a positive integer.");
  }
  return {
    name,
    components,
    centering: requireChoice(centering, `The field “${name}”: centering`, ["node", "cell"]),
  };
}

/** Throws BadArgument where the data lack a field that the network reads, or have one of another shape. */
export function requireSources(
  { fields: made }: DataflowNetwork,
  network: Network,
  given: readonly FieldSignature[],
): void {
  const read = new Set(network.nodes.flatMap((node) => (node.kind === "source" ? [node.field] : [])));
  for (const expected of made.filter(({ name }) => read.has(name))) {
    const found = given.find(({ name }) => name === expected.name);
    if (!found) {
      const close = nearestName(
        expected.name,
        given.map(({ name }) => name),
      );
      throw badArgument(
        `The network reads the field “${expected.name}”, which the data lack.`,
        close ? `They have “${close}”.` : "Give it among the fields.",
      );
    }
    if (shapeOf(found) === shapeOf(expected)) continue;
    throw badArgument(
      `The network was made for a field “${expected.name}” ${shapeOf(expected)}; the data have one ${shapeOf(found)}.`,
      "Make the network for the fields that it is to read.",
    );
  }
}

function shapeOf({ components, centering }: FieldSignature): string {
  return `of ${components} ${components === 1 ? "component" : "components"} ${centering === "node" ? "at the nodes" : "in the cells"}`;
}
