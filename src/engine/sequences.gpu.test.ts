import { beforeEach, expect, test } from "vitest";
import { noJob } from "../core/job.ts";
import type { Layer, LayerShape } from "../core/layers.ts";
import { writeVti } from "../data/write/vtk-xml.ts";
import { isSweep } from "../gpu/testing/sweep.ts";
import type { EngineEvent, LayerAdjustment, OpenRequest } from "./api.ts";
import { Engine } from "./engine.ts";
import { ballData } from "./testing/data.ts";
import { openedDevices } from "./testing/opened-devices.ts";

const viewport = { width: 100, height: 80, pixelRatio: 1 };

const faults: string[] = [];
const devices = openedDevices((device) => {
  device.addEventListener("uncapturederror", ({ error }) => faults.push(error.message));
});

beforeEach(() => {
  faults.length = 0;
});

/** Numbers in [0, 1) that a seed makes: Marsaglia's xorshift of 32 bits. */
function numbersOf(seed: number): () => number {
  let state = Math.imul(seed, 0x9e3779b1) | 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
}

const plane = { origin: [0, 0.2, 0.5], normal: [1, 1, 1] } as const;
const isosurface = { kind: "isosurface", normals: "smooth" } as const;
const shapes: readonly LayerShape[] = [
  { ...isosurface, field: "r", isovalues: [0.5, 1], topology: "table" },
  { ...isosurface, field: "d", isovalues: [0.8], topology: "table" },
  { ...isosurface, field: "r * r", isovalues: [0.8], topology: "trilinear" },
  { kind: "cut", by: { kind: "plane", plane } },
  { kind: "cut", by: { kind: "expression", text: "d * d", value: 0.8 } },
  { kind: "slice", axis: 2, position: 0.6 },
  { kind: "threshold", field: "r", range: [0.5, 1.2] },
  { kind: "points", size: 20 },
];
const adjustments: readonly LayerAdjustment[] = [
  { isovalues: [0.7] },
  { position: 0.1 },
  { range: [0.4, 0.9] },
  { isVisible: false },
  { isVisible: true },
  { clip: plane },
  { clip: null },
];
const colors = [undefined, "magnitude(v)", "d", "r + 1", "density", "mass"];
const texts = ["d = r", "d = r + 0.4", "d = 2 * d", "e = d * r", "s = max(r)", "d = mass", "nonsense("];

class Player {
  readonly engine = new Engine();
  readonly events: EngineEvent[] = [];
  readonly #random: () => number;
  readonly #files: readonly OpenRequest[];
  readonly #answers: Promise<unknown>[] = [];
  readonly log: string[] = [];

  constructor(random: () => number, files: readonly OpenRequest[]) {
    this.#random = random;
    this.#files = files;
  }

  async start(): Promise<void> {
    await this.engine.start({ device: "auto" }, (event) => this.events.push(event));
    await this.engine.attachCanvas(new OffscreenCanvas(viewport.width, viewport.height), viewport);
  }

  /** Waits for all that has been asked for, which may be refused with a sentence. */
  async answered(): Promise<void> {
    for (const answer of this.#answers.splice(0)) {
      const error = await answer.then(
        () => undefined,
        (error: unknown) => error,
      );
      if (error !== undefined) expect(error, this.log.join("\n")).toHaveProperty("tag");
      if (error !== undefined)
        expect((error as { tag: string }).tag, this.log.join("\n")).not.toBe("Internal");
    }
  }

  async act(): Promise<void> {
    const { engine } = this;
    const id = `layer ${this.#below(3)}`;
    const action = this.#of([
      ["open", 1],
      ["compute", 3],
      ["set", 5],
      ["adjust", 3],
      ["remove", 2],
      ["order", 1],
      ["removeDerived", 1],
      ["histogram", 1],
      ["probe", 2],
      ["export", 1],
      ["cancel", 0.5],
      ["wait", 2],
      ["frame", 2],
      ["lose", 0.3],
    ]);
    this.log.push(action);
    if (action === "open") this.#ask(engine.open(this.#one(this.#files)));
    if (action === "compute") this.#ask(engine.compute(this.#one(texts)));
    if (action === "set") this.#ask(engine.setLayer(this.#layer(id)));
    if (action === "adjust") engine.adjustLayer(id, this.#one(adjustments));
    if (action === "remove") engine.removeLayer(id);
    if (action === "order") engine.orderLayers(["layer 2", "layer 0"]);
    if (action === "removeDerived") this.#ask(engine.removeDerived(this.#one(["d", "e", "s"])));
    if (action === "histogram") this.#ask(engine.histogram(this.#one(["r", "d", "r * r"])));
    if (action === "probe") this.#ask(engine.probe(100 * this.#random(), 80 * this.#random()));
    if (action === "export")
      this.#ask(engine.exportMesh("vtp", this.#one([undefined, id]), { withFields: this.#below(2) === 0 }));
    if (action === "cancel") engine.cancel();
    if (action === "wait") await this.answered();
    if (action === "frame") await new Promise((resolve) => setTimeout(resolve, 40 * this.#random()));
    if (action === "lose") devices.at(-1)?.destroy();
  }

  #layer(id: string): Layer {
    const shape = this.#one(shapes);
    const paint = {
      solid: "#3080d0",
      map: "viridis",
      reversed: false,
      range: this.#one([undefined, "surface" as const]),
      nanColor: "#b0b0b0",
      opacity: 1,
    };
    const colorBy = this.#one(colors);
    const clip = this.#one([undefined, undefined, plane]);
    this.log.push(`  ${id} ${shape.kind} ${colorBy}`);
    return { id, title: undefined, isVisible: true, shape, colorBy, paint, clip };
  }

  #ask(answer: Promise<unknown>): void {
    answer.catch(() => {});
    this.#answers.push(answer);
  }

  #below(n: number): number {
    return Math.floor(n * this.#random());
  }

  #one<T>(things: readonly T[]): T {
    return things[this.#below(things.length)];
  }

  #of<T>(weighted: readonly (readonly [T, number])[]): T {
    let left = this.#random() * weighted.reduce((sum, [, weight]) => sum + weight, 0);
    for (const [thing, weight] of weighted) {
      left -= weight;
      if (left < 0) return thing;
    }
    return weighted[0][0];
  }
}

const seeds = Array.from({ length: isSweep ? 24 : 1 }, (_, i) => i + 1);

test.each(seeds)(
  "whatever is asked for, and however fast, is answered and leaves no byte behind: %i",
  async (seed) => {
    const rows = ["x,y,z,mass", "0,0,0,1", "1,0,0,2", "0,1,0,4", "0,0,1,8"];
    const ball: OpenRequest = {
      kind: "file",
      file: new File(await writeVti(ballData([9, 8, 7]), noJob), "ball.vti"),
    };
    const files: readonly OpenRequest[] = [
      ball,
      { kind: "file", file: new File([rows.join("\n")], "four.csv") },
      { kind: "file", file: new File(["nonsense"], "bad.vtk") },
    ];
    const player = new Player(numbersOf(seed), files);
    const { engine } = player;
    await player.start();
    await engine.open(ball);
    const before = await engine.settled();
    for (let turn = 0; turn < 40; turn++) await player.act();
    await player.answered();
    await engine.settled();
    await engine.open(ball);
    const after = await engine.settled();
    const log = player.log.join("\n");
    expect(faults, log).toEqual([]);
    expect([after.triangles, after.gpuBytes], log).toEqual([0, before.gpuBytes]);
    const errors = player.events.filter((event) => event.kind === "error");
    expect(
      errors.filter(({ error }) => error.tag !== "DeviceLost"),
      log,
    ).toEqual([]);
  },
  120_000,
);
