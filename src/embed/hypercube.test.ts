import { describe, expect, it } from "vitest";
import { hypercube } from "./crinkle.ts";

const cpu = { device: "cpu" } as const;

describe("hypercube", () => {
  it("applies a map to arrays of the host", async () => {
    const map = hypercube.map("[2,4,float32]", "shift(x, 1) | flip(y)");
    expect([map.formula, map.indexFormula]).toEqual([
      "out[y, x] = in[1 − y, (x − 1) mod 4]",
      "out[k] = in[4 + (((k mod 4) − 1) mod 4) − 4·⌊k / 4⌋]",
    ]);
    const { data, report } = await hypercube.apply(map, Float32Array.of(0, 1, 2, 3, 4, 5, 6, 7), cpu);
    expect(data).toEqual(Float32Array.of(7, 4, 5, 6, 3, 0, 1, 2));
    expect(report).toMatchObject({ device: "cpu", description: "CPU" });
    expect([...data.keys()].map((k) => map.sourceIndex(k))).toEqual([...data]);
    const back = await hypercube.apply(map.inverse(), data, cpu);
    expect(back.data).toEqual(Float32Array.of(0, 1, 2, 3, 4, 5, 6, 7));
  });

  it("composes maps, and keeps the values of an element together", async () => {
    const first = hypercube.map("[3,2]", "transpose(x, y)");
    const map = hypercube.compose(first, hypercube.map(first.to, "pad(x, 0, 1)"));
    expect(map.to).toEqual({ lengths: [4, 2] });
    const { data } = await hypercube.apply(
      map,
      Uint16Array.from({ length: 18 }, (_, i) => i + 1),
      { ...cpu, components: 3 },
    );
    const [a, b, c, d, e, f] = [0, 1, 2, 3, 4, 5].map((k) => [3 * k + 1, 3 * k + 2, 3 * k + 3]);
    expect([...data]).toEqual([a, c, e, [0, 0, 0], b, d, f, [0, 0, 0]].flat());
    expect(map.isBijection).toBe(false);
    expect(() => map.inverse()).toThrow("has no inverse");
    expect(() => first.followedBy(first)).toThrow("A map of [3,2] cannot follow one that makes [2,3].");
  });

  it("works in place where elements are exchanged in pairs", async () => {
    const data = BigInt64Array.of(1n, 2n, 3n);
    const flip = hypercube.map("[3]", "flip(x)");
    const shift = hypercube.map("[3]", "shift(x, 1)");
    expect([flip.isInPlace, shift.isInPlace]).toEqual([true, false]);
    expect((await hypercube.apply(flip, data, { ...cpu, out: data })).data).toBe(data);
    expect(data).toEqual(BigInt64Array.of(3n, 2n, 1n));
    await expect(hypercube.apply(shift, data, { ...cpu, out: data })).rejects.toThrow(
      "cannot be done in place",
    );
  });

  it("knows shapes, indices, neighbours and bits", () => {
    const shape = hypercube.parseShape("[4,8,int32]");
    expect(hypercube.printShape(shape)).toBe("[4,8,int32]");
    expect(hypercube.strides(shape)).toEqual([1, 8]);
    expect(hypercube.toIndex(shape, [3, 2])).toBe(19);
    expect(hypercube.toCoordinates(shape, 19)).toEqual([3, 2]);
    expect([hypercube.neighbor(shape, 0, 1, -1), hypercube.neighbor(shape, 0, 1, -1, "fixed")]).toEqual([
      24,
      undefined,
    ]);
    expect(hypercube.bits(shape).masks).toEqual([7, 24]);
    const [slow, fast] = hypercube.decompose(shape, 1);
    expect(hypercube.product(slow, fast)).toEqual(shape);
  });

  it.each([
    [() => hypercube.map("[4]", "flip(y)"), "There is no axis 1 in [4] (line 1, column 1)."],
    [() => hypercube.map({ lengths: "4" } as never, "flip(x)"), "A shape has the lengths “4”."],
  ])("refuses %s", (call, message) => {
    expect(call).toThrow(message);
  });

  it.each([
    [{ device: "tpu" }, "The option device is “tpu”."],
    [{ components: 0 }, "The option components is 0."],
    [{ out: new Uint8Array(4) }, "The option out is a value of type Uint8Array. Give a Float32Array."],
    [{ components: 2, device: "cpu" }, "The array has 16 bytes where [4] takes 32."],
  ])("refuses the options %j", async (options, message) => {
    const map = hypercube.map("[4]", "flip(x)");
    await expect(hypercube.apply(map, new Float32Array(4), options as never)).rejects.toThrow(message);
  });

  it("prepares maps for a device of the caller's alone", async () => {
    const map = hypercube.map("[4]", "flip(x)");
    const refused = (options: object) => hypercube.prepare(map, options as never);
    await expect(refused({ device: "cpu", elementBytes: 4 })).rejects.toThrow(
      "Give the GPUDevice that the buffers are of.",
    );
    await expect(refused({ device: "cpu", elementBytes: 3 })).rejects.toThrow(
      "The option elementBytes is 3. It is one of 1, 2, 4, 8, 16.",
    );
  });
});
