import { describe, expect, it } from "vitest";
import type { DataflowNetwork, NamedFieldShape } from "./api.ts";
import { createNetwork, derive, prepare } from "./crinkle.ts";

const grid = { dims: [4, 3, 2], spacing: [0.5, 1, 2] };
const velocity = Float32Array.from({ length: 72 }, (_, i) => Math.sin(3 * i));
const data = { grid, fields: { velocity } };
const shapes: NamedFieldShape[] = [{ name: "velocity", components: 3, centering: "node" }];
const onCpu = { device: "cpu" } as const;
/** Untyped, as a host program in JavaScript calls it. */
const loosely = createNetwork as (fields: unknown) => DataflowNetwork;

function spin(fields = shapes): DataflowNetwork {
  const network = createNetwork(fields);
  network.addSource("velocity");
  network.addFilter("curl", "w");
  network.addFilter("magnitude", "speed");
  network.addFilter("maximum", "most");
  network.connect("velocity", "w", ":v");
  network.connect("w", "speed", 0);
  network.connect("speed", "most", 0);
  network.addSink("spin", "speed");
  network.addSink("most", "most");
  return network;
}

describe("a network made by hand", () => {
  it("runs in place of a text, and gives the same", async () => {
    const text = "spin = magnitude(curl(velocity))\nmost = max(magnitude(curl(velocity)))";
    const { fields, numbers } = await derive(spin(), data, onCpu);
    const expected = await derive(text, data, { ...onCpu, outputs: ["spin", "most"] });
    expect([fields, numbers]).toEqual([expected.fields, expected.numbers]);
    expect(Object.keys((await derive(spin(), data, { ...onCpu, outputs: ["spin"] })).numbers)).toEqual([]);
  });

  it("prints what rebuilds it", async () => {
    const script = new Function("createNetwork", "fields", `${spin().toScript()}return network;`);
    const again = await derive(script(createNetwork, shapes), data, onCpu);
    expect(again.fields).toEqual((await derive(spin(), data, onCpu)).fields);
    expect(spin().toDot()).toMatch(/^digraph network \{.*magnitude/s);
  });

  it("is prepared once for many steps", async () => {
    const loop = await prepare(spin(), data, { ...onCpu, outputs: ["spin"] });
    const { fields } = await loop.run({ velocity: velocity.map((v) => 2 * v) });
    const { fields: expected } = await derive("2 * magnitude(curl(velocity))", data, onCpu);
    expect(fields.spin.data).toEqual(expected.result.data);
    loop.release();
  });

  it.each([
    [() => spin(), { grid, fields: { speed: velocity } }, /reads the field “velocity”, which the data lack/],
    [
      () => spin(),
      { grid, fields: { velocity: { data: new Float32Array(18), centering: "cell" as const } } },
      /“velocity” of 3 components at the nodes; the data have one of 3 components in the cells/,
    ],
    [() => createNetwork(shapes), data, /has no sink/],
  ])("is refused where it does not fit the data", async (make, given, message) => {
    await expect(derive(make(), given, onCpu)).rejects.toThrow(message);
  });

  it("refuses what are no fields and no values", () => {
    expect(() => loosely({ velocity: 3 })).toThrow(/Give an array/);
    expect(() => loosely([{ name: "u", components: 0, centering: "node" }])).toThrow(/“u” has 0 components/);
    expect(() => loosely([{ name: "u", components: 1, centering: "nodes" }])).toThrow(/Did you mean “node”/);
    expect(() => spin().addConstant([1, 2, 3, 4])).toThrow(/A constant of 4 numbers/);
  });
});
