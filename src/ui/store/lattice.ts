import type {
  LatticeModelSummary,
  LatticeNews,
  LatticePoint,
  LatticeRequest,
  LatticeState,
  LatticeVariation,
} from "../../engine/api.ts";
import type { Context } from "./context.ts";
import type { DataActions } from "./data.ts";
import type { Jobs } from "./jobs.ts";
import { LatticeHistory } from "./lattice-series.ts";

/** How a pointer that drags over the picture changes the lattice. */
export interface Brush {
  /** In sites. */
  readonly radius: number;
  readonly value: number;
}

/** The open lattice, as it was last reported. */
export interface LatticeView {
  readonly state: LatticeState;
  readonly history: LatticeHistory;
  /** Another number whenever the history has grown. */
  readonly version: number;
  /** Undefined while dragging moves the camera. */
  readonly brush: Brush | undefined;
}

export interface LatticeActions {
  /** The models, which are asked for once. */
  models(): Promise<readonly LatticeModelSummary[]>;
  /** Measures a model at several values of a parameter, as a job; `onPoint` hears of each run. Undefined where it failed or was cancelled. */
  vary(
    variation: LatticeVariation,
    onPoint: (point: LatticePoint) => void,
  ): Promise<readonly LatticePoint[] | undefined>;
  /** Opens a lattice in place of the present data, which then runs. */
  open(request: LatticeRequest): Promise<void>;
  setRunning(isRunning: boolean): void;
  setSpeed(sweepsPerPicture: number): void;
  step(sweeps: number): void;
  setParameter(name: string, value: number): void;
  setPlace(at: readonly number[]): void;
  /** Shows the sites along one to three other axes, of which layers begin anew; the lattice goes on as it was. */
  setAxes(axes: readonly number[]): Promise<void>;
  setBrush(brush: Brush | undefined): void;
  /** Draws where the pointer is, in CSS pixels of the view. */
  stroke(place: { readonly x: number; readonly y: number }): void;
  heard(news: LatticeNews): void;
  /** Other data have been opened. */
  adopt(state: LatticeState | undefined): void;
}

export function createLatticeActions(
  context: Context,
  jobs: Jobs,
  data: () => Pick<DataActions, "open">,
): LatticeActions {
  const { engine, store, send } = context;
  let known: Promise<readonly LatticeModelSummary[]> | undefined;
  let version = 0;
  /** Of strokes one is on its way at a time; of those that wait the latest is drawn. */
  let stroking = false;
  let waiting: { readonly x: number; readonly y: number } | undefined;

  const patch = (change: Partial<LatticeView>): void => {
    const { lattice } = store.getState();
    if (lattice) store.setState({ lattice: { ...lattice, ...change } });
  };
  const patchRun = (change: Partial<LatticeState["run"]>): void => {
    const { lattice } = store.getState();
    if (!lattice) return;
    const run = { ...lattice.state.run, ...change };
    patch({ state: { ...lattice.state, run } });
    // What changed alone: the rest of this state may be older than the engine's.
    send("layer", engine.lattice.setRun(change));
  };

  async function strokeNow(place: { readonly x: number; readonly y: number }): Promise<void> {
    const { lattice, data } = store.getState();
    const { brush } = lattice ?? {};
    const { plane, size } = data.dataSet?.lattice ?? {};
    if (!brush || !plane || !size) return;
    const hit = await engine.probe(place.x, place.y);
    if (!hit) return;
    const position = size.map((_, axis) => {
      const shown = plane.axes.indexOf(axis);
      return shown < 0 ? plane.at[axis] : hit.position[shown];
    });
    await engine.lattice.draw({ position, ...brush });
  }

  function stroke(place: { readonly x: number; readonly y: number }): void {
    if (stroking) {
      waiting = place;
      return;
    }
    stroking = true;
    const drawn = strokeNow(place).finally(() => {
      stroking = false;
      const next = waiting;
      waiting = undefined;
      if (next) stroke(next);
    });
    send("layer", drawn);
  }

  return {
    models() {
      known ??= engine.lattice.models().catch((error: unknown) => {
        known = undefined;
        throw error;
      });
      return known;
    },
    async vary(variation, onPoint) {
      try {
        const points = await jobs.track(`Vary ${variation.parameter}`, () =>
          engine.lattice.vary(variation, onPoint),
        );
        context.succeed("compute");
        return points;
      } catch (error) {
        context.fail("compute", error);
        return undefined;
      }
    },
    async open(request) {
      await data().open(request);
      const { lattice } = store.getState();
      if (lattice && store.getState().data.dataSet?.lattice) patchRun({ isRunning: true });
    },
    setRunning: (isRunning) => patchRun({ isRunning }),
    setSpeed: (sweepsPerPicture) => patchRun({ sweepsPerPicture }),
    step: (sweeps) => send("layer", engine.lattice.step(sweeps)),
    setParameter(name, value) {
      const { lattice } = store.getState();
      if (!lattice) return;
      patch({
        state: { ...lattice.state, parameters: { ...lattice.state.parameters, [name]: value } },
      });
      send("layer", engine.lattice.setParameters({ [name]: value }));
    },
    setPlace(at) {
      const { dataSet } = store.getState().data;
      if (!dataSet?.lattice) return;
      const { lattice } = dataSet;
      context.patch("data", {
        dataSet: { ...dataSet, lattice: { ...lattice, plane: { ...lattice.plane, at } } },
      });
      send("layer", engine.lattice.setPlace(at));
    },
    async setAxes(axes) {
      const { lattice, data: before } = store.getState();
      const plane = before.dataSet?.lattice?.plane;
      if (!lattice || !plane) return;
      const { state, history, brush } = lattice;
      // At rest its sweeps are those that are asked for, so that none is run again.
      patchRun({ isRunning: false });
      await data().open({ ...(await engine.lattice.request()), plane: { ...plane, axes } });
      if (!store.getState().data.dataSet?.lattice) return;
      patch({ history, brush, version: ++version });
      patchRun(state.run);
    },
    setBrush: (brush) => patch({ brush }),
    stroke,
    heard({ series, statistics, ...state }) {
      const { lattice, data } = store.getState();
      if (!lattice) return;
      lattice.history.add(series.first, series.quantities);
      // A request that is on its way is not undone by news from before it.
      store.setState({ lattice: { ...lattice, state, version: ++version } });
      if (!statistics || !data.dataSet) return;
      const { dataSet } = data;
      context.patch("data", {
        dataSet: {
          ...dataSet,
          fields: dataSet.fields.map((field) => ({
            ...field,
            statistics: statistics[field.name] ?? field.statistics,
          })),
        },
      });
    },
    adopt(state) {
      store.setState({
        lattice: state && { state, history: new LatticeHistory(), version: ++version, brush: undefined },
      });
    },
  };
}
