import fc from "fast-check";
import { expect, test } from "vitest";
import type { Layer } from "../../core/layers.ts";
import type { EngineEvent, LayerAdjustment, OpenRequest } from "../../engine/api.ts";
import type { AsyncEngine } from "../../engine/client.ts";
import { Engine } from "../../engine/engine.ts";
import { adjust } from "../../engine/layers/adjust.ts";
import { LayerList } from "../../engine/layers/layer-list.ts";
import type { LayerKind } from "../../engine/layers/titles.ts";
import { createSession } from "./session.ts";

/** An engine on the CPU that says it has a GPU, and keeps beside it what it would show. */
class ShownEngine extends Engine {
  readonly shown = new LayerList();
  /** How often each layer has been: what is answered late is not put back. */
  readonly #removals = new Map<string, number>();

  override async start(_: unknown, onEvent: (event: EngineEvent) => void) {
    const summary = await super.start({ device: "cpu" }, (event) => {
      if (event.kind === "layerGone") this.#take(event.id);
      onEvent(event);
    });
    return { ...summary, kind: "gpu" } as const;
  }

  override async open(_: OpenRequest) {
    const summary = await super.open({ kind: "sample", sample: "tangle", size: 6 });
    this.shown.clear();
    return summary;
  }

  override async setLayer(layer: Layer) {
    const removals = this.#removals.get(layer.id);
    const summary = await super.setLayer(layer);
    if (removals === this.#removals.get(layer.id)) this.shown.put(layer);
    return summary;
  }

  override adjustLayer(id: string, adjustment: LayerAdjustment): void {
    const former = this.shown.get(id);
    if (former) this.shown.put(adjust(former, adjustment).layer);
  }

  override removeLayer(id: string): void {
    super.removeLayer(id);
    this.#take(id);
  }

  #take(id: string): void {
    this.shown.remove(id);
    this.#removals.set(id, (this.#removals.get(id) ?? 0) + 1);
  }

  override orderLayers(ids: readonly string[]): void {
    super.orderLayers(ids);
    this.shown.order(ids);
  }
}

/** As over a channel: every call arrives later, in order, and answers with a promise. */
function remote(engine: Engine): AsyncEngine {
  // A proxy has its target's type, whose methods answer at once.
  return new Proxy(engine, {
    get:
      (target, name) =>
      async (...args: unknown[]) => {
        await Promise.resolve();
        return (target[name as keyof Engine] as (...args: unknown[]) => unknown).apply(target, args);
      },
  }) as unknown as AsyncEngine;
}

async function begin() {
  const engine = new ShownEngine();
  const session = createSession({ engine: remote(engine) });
  await session.start();
  const settle = async () => {
    for (let i = 0; i < 4; i++) {
      await engine.settled();
      await new Promise((resolve) => setTimeout(resolve, 0));
    }
  };
  await settle();
  const layersNow = () => session.store.getState().layers.list;
  return { engine, session, settle, layersNow };
}

type Stage = Awaited<ReturnType<typeof begin>>;

const kinds: readonly LayerKind[] = ["isosurface", "slice", "threshold", "sphere"];
const texts = ["d = tangle", "d = 2 * tangle", "e = d + 1"];

/** Deeds by number; most are not waited for. */
const actions: readonly ((stage: Stage, n: number) => unknown)[] = [
  ({ session }, n) => session.layers.add(kinds[n % kinds.length]),
  ({ session, layersNow }, n) => {
    const layer = layersNow()[n % Math.max(1, layersNow().length)];
    if (layer) session.layers.remove(layer.id);
  },
  ({ session, layersNow }, n) => {
    const layer = layersNow()[n % Math.max(1, layersNow().length)];
    if (layer)
      void session.layers.change(layer.id, { name: "visibility" }, (l) => ({
        ...l,
        isVisible: !l.isVisible,
      }));
  },
  ({ session, layersNow }, n) => {
    const layer = layersNow()[n % Math.max(1, layersNow().length)];
    if (layer) void session.layers.colorBy(layer.id, n % 2 ? "tangle" : undefined);
  },
  ({ session, layersNow }, n) => {
    const layer = layersNow()[0];
    if (layer) session.layers.move(layer.id, n % layersNow().length);
  },
  ({ session }) => session.history.undo(),
  ({ session }) => session.history.undo(),
  ({ session }) => session.history.redo(),
  ({ session }, n) => {
    session.expressions.setText(texts[n % texts.length]);
    return session.expressions.compute();
  },
  ({ session }) => session.expressions.remove("d"),
  ({ settle }) => settle(),
];

/** An action's number, its argument, and whether it is waited for. */
type Script = [number, number, boolean][];

/** A colour and a removal; a computation and an undo; two layers at once, of which one is moved. */
const examples: Script[] = [
  [
    [3, 0, false],
    [1, 0, false],
  ],
  [
    [8, 0, false],
    [5, 0, false],
  ],
  [
    [0, 0, false],
    [0, 0, true],
    [4, 3, false],
  ],
];

const plain = (layers: readonly Layer[]) => JSON.parse(JSON.stringify(layers)) as Layer[];

test("however fast actions, undo and redo come, the page and the engine agree on the layers", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(fc.nat(actions.length - 1), fc.nat(11), fc.boolean()), { maxLength: 14 }),
      async (script) => {
        const stage = await begin();
        const { engine, session, settle, layersNow } = stage;
        const first = plain(layersNow());
        const answers: unknown[] = [];
        for (const [action, n, waits] of script) {
          const answer = actions[action](stage, n);
          answers.push(answer);
          if (waits) await answer;
        }
        await Promise.all(answers);
        await settle();
        expect(plain(engine.shown.all)).toEqual(plain(layersNow()));
        while (session.store.getState().history.past.length > 0) await session.history.undo();
        await settle();
        expect(plain(engine.shown.all)).toEqual(plain(layersNow()));
        expect(plain(layersNow())).toEqual(first);
      },
    ),
    { seed: 1, numRuns: 50, examples: examples.map((script) => [script]) },
  );
}, 120_000);
