import { beforeEach, describe, expect, it } from "vitest";
import { CrinkleError } from "../../errors.ts";
import type { PrimitivesBackend, VectorOwner } from "../backend.ts";
import { add } from "../operators.ts";
import type { Primitives } from "../primitives.ts";
import type { ScalarType, Vector } from "../vector.ts";
import { checked } from "./checked.ts";

const vector = <T extends ScalarType>(type: T, length: number, components = 1): Vector<T> => ({
  type,
  length,
  components,
  release() {},
});

const three = vector("u32", 3);
const pairs = vector("u32", 3, 2);
const foreign = vector("u32", 3);
const released = vector("u32", 3);
const lost = vector("u32", 3);

const memoryLost = new CrinkleError({ tag: "OutOfMemory", problem: "No room.", remedy: "Release some." });
const deviceLost = new CrinkleError({ tag: "DeviceLost", problem: "It is gone.", remedy: "Open it again." });

/** What the backend was asked to do. */
let asked: string[] = [];
let isLost = false;

const owner: VectorOwner = {
  maxWords: 100,
  checkAlive() {
    if (isLost) throw deviceLost;
  },
  stateOf(of) {
    if (of === lost) throw memoryLost;
    return of === foreign ? "foreign" : of === released ? "released" : "held";
  },
};

/** Notes what it is asked to do, and gives vectors. */
const backend = new Proxy(owner as PrimitivesBackend, {
  get(target, name: string) {
    if (name in target) return Reflect.get(target, name);
    return () => {
      asked.push(name);
      return name === "isWritable" || three;
    };
  },
});
const p = checked("noting", backend);

beforeEach(() => {
  asked = [];
  isLost = false;
});

describe("checked primitives", () => {
  const refused: Readonly<Record<string, (p: Primitives) => Promise<unknown>>> = {
    "a negative length": () => p.fill("u32", -1, 0),
    "more words than a vector has": () => p.sequence("u32", 101),
    "a transform of pairs": () => p.transform(pairs, { name: "same", text: "x" }, "u32"),
    "a zip of nothing": () => p.zip([], { name: "same", text: "x0" }, "u32"),
    "a foreign vector": () => p.reduce(foreign, add),
    "a released one": () => p.inclusiveScan(released, add),
    "foreign keys": () => p.inclusiveScanByKey({ keys: foreign }, three, add),
    "a released stencil": () => p.copyIf(three, { stencil: released }),
    "edges that descend": () => p.histogramRange(three, [2, 1]),
    "a fallback of pairs": () => p.gatherIf(three, three, three, pairs),
    "half a count": () => p.upperBoundCounting(three, 0.5),
    "bits backwards": () => p.sort(three, { bits: [2, 1] }),
  };

  it("refuse bad arguments by rejecting, and ask the backend for nothing", async () => {
    for (const [what, call] of Object.entries(refused)) {
      const result = call(p);
      expect(result, what).toBeInstanceOf(Promise);
      await expect(result, what).rejects.toBeInstanceOf(CrinkleError);
    }
    expect(() => p.view(three, 0, 4)).toThrow(CrinkleError);
    expect(() => p.fromHost("u32", new Uint32Array(3), 2)).toThrow(CrinkleError);
    expect(() => p.permuted(three, pairs)).toThrow(CrinkleError);
    expect(asked).toEqual([]);
  });

  it("pass on what only the backend knows", async () => {
    await expect(p.sort(lost)).rejects.toBe(memoryLost);
    isLost = true;
    await expect(p.copy(three)).rejects.toBe(deviceLost);
    await expect(p.fill("u32", 3, 1)).rejects.toBe(deviceLost);
    expect(() => p.fromHost("u32", new Uint32Array(3))).toThrow(deviceLost);
    expect(asked).toEqual([]);
  });

  it("refuse to write to what the backend cannot write to, or reads", async () => {
    await expect(p.scatter(three, three, vector("u32", 3))).rejects.toThrow(
      "that it also reads as its source",
    );
    expect(asked).toEqual(["isWritable", "readsMemoryOf"]);
  });

  it("need few methods of a backend: others are made of views and of those", async () => {
    await p.fill("u32", 3, 1);
    await p.reverse(three);
    await p.generate("u32", 3, { name: "same", text: "x" });
    expect(await p.none(three, { name: "zero", text: "x == 0" })).toBe(false);
    expect(asked).toEqual(["constant", "copy", "reversed", "copy", "counting", "transform", "any"]);
  });
});
