import { expect, it } from "vitest";
import { compile } from "../../compile.ts";
import { chosenOutputs } from "../../plan/outputs.ts";
import { roundtrip } from "../../plan/per-filter.ts";
import { hostResidency } from "../../plan/residency.ts";
import { stepsOf } from "../../plan/steps.ts";
import { componentsOf } from "../../types.ts";
import { HostPlanes } from "./host-planes.ts";

const count = 4;

/** What a roundtrip of a text does to its planes: each value's are filled with its number. */
function walk(text: string, names: readonly string[]) {
  const network = compile(text, [{ name: "u", components: 1, centering: "node" }]);
  const outputs = chosenOutputs(network, names);
  const layout = () => ({ components: 1, offsets: [0] });
  const kernels = roundtrip.plan(network, outputs, layout, { storageBuffers: 8 });
  const steps = stepsOf(kernels, hostResidency.roundtrip);
  const planes = new HostPlanes(network, steps, outputs);
  const made = new Set<Float32Array>();
  let values = 0;
  for (const [k, { sent, returned }] of steps.entries()) {
    for (const name of sent) {
      if (name.kind !== "value") continue;
      const { type } = network.nodes[name.node];
      expect(planes.of(name.node, count).length).toBe(count * componentsOf(type.value));
    }
    for (const { node } of returned) {
      const array = planes.make(node, count * componentsOf(network.nodes[node].type.value));
      for (let i = 0; i < array.length; i++) array[i] = 100 * node + Math.floor(i / count);
      made.add(array);
      values++;
    }
    planes.settle(k);
  }
  return { network, outputs, planes, arrays: made.size, values };
}

it("makes room for what comes back of what is sent no more", () => {
  const { planes, outputs, arrays, values } = walk("a = sin(u); b = cos(a); c = sqrt(b); d = exp(c)", ["d"]);
  expect([values, arrays]).toEqual([4, 2]);
  expect(planes.give(outputs[0].node, count)).toEqual(new Float32Array(count).fill(100 * outputs[0].node));
});

it("keeps outputs, and values whose parts are sent later", () => {
  const { planes, outputs, network } = walk("g = gradient(u); a = sin(u); b = cos(a); r = g[1] + b; s = a", [
    "r",
    "s",
    "g",
  ]);
  for (const { node } of outputs) {
    const components = componentsOf(network.nodes[node].type.value);
    const expected = Array.from({ length: count * components }, (_, i) => 100 * node + Math.floor(i / count));
    expect([...planes.of(node, count)]).toEqual(expected);
  }
  const [{ node }] = outputs;
  const first = planes.give(node, count);
  expect(planes.give(node, count)).not.toBe(first);
});
