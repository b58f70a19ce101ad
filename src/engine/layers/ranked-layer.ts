import { hostValues } from "../../algorithms/statistics/host.ts";
import { trimmedRange } from "../../algorithms/statistics/trimmed-range.ts";
import { CrinkleError, cancelled, isCancelled } from "../../core/errors.ts";
import { gridCenter, type Triple } from "../../core/grid.ts";
import { type JobContext, noJob } from "../../core/job.ts";
import type { Layer } from "../../core/layers.ts";
import { emptyMesh, type TriangleMesh } from "../../core/mesh.ts";
import type { ScalarBar } from "../../core/view.ts";
import { createCpuEach } from "../../cpu/primitives/each-primitives.ts";
import type { GpuContext } from "../../gpu/device/context.ts";
import { MeshBuffers } from "../../gpu/surfaces/mesh-buffers.ts";
import { checkPlane } from "../../gpu/surfaces/plane.ts";
import type { Hit, Surface, Viewer } from "../../viewer/viewer.ts";
import type { LayerSummary, ProbeReport } from "../api.ts";
import type { RankedSurface } from "../ranks/surface-job.ts";
import type { RankTeam } from "../ranks/team.ts";
import type { Session } from "../session.ts";
import type { Adjusted } from "./adjust.ts";
import type { LayerView, LayerViewEvents, PaintedMesh } from "./layer-view.ts";
import { type ColorSource, checkPaint, colorRange, scalarBar, solidColors, valueColors } from "./paint.ts";
import { isovaluesOf } from "./shape-surface.ts";
import { surfacePaint } from "./surface-paint.ts";
import { rangeTail } from "./surface-range.ts";

const primitives = createCpuEach();

/** What is drawn: the ranks' surface, clipped, and the number of the rank that made each vertex. */
interface Shown {
  readonly made: RankedSurface;
  readonly mesh: TriangleMesh;
  readonly ranks: Float32Array;
  readonly range: readonly [number, number] | undefined;
}

/** A layer of triangles that the ranks of a room make, each in its part of the grid, and this page draws. */
export class RankedLayer implements LayerView {
  readonly isRanked = true;
  readonly #viewer: Viewer;
  readonly #surface: Surface;
  readonly #buffers: MeshBuffers;
  readonly #team: () => RankTeam | undefined;
  readonly #events: LayerViewEvents;
  #layer: Layer;
  #center: Triple = [0, 0, 0];
  #shown: Shown | undefined;
  /** The making of the surface: one at a time, and again where the layer has changed meanwhile. */
  #making: Promise<void> | undefined;
  #isDue = false;
  #isDisposed = false;

  constructor(
    gpu: GpuContext,
    viewer: Viewer,
    layer: Layer,
    team: () => RankTeam | undefined,
    events: LayerViewEvents,
  ) {
    this.#viewer = viewer;
    this.#layer = layer;
    this.#team = team;
    this.#events = events;
    this.#surface = viewer.addSurface();
    this.#buffers = new MeshBuffers(gpu, "surface of the ranks");
  }

  get layer(): Layer {
    return this.#layer;
  }

  get bar(): ScalarBar | undefined {
    const colored = this.#colored;
    return colored && scalarBar(colored.paint, colored.source, colored.range);
  }

  fits({ shape }: Layer): boolean {
    return shape.kind !== "points";
  }

  /** `made` is the layer's surface; where it is left out, the ranks are asked for it, and nobody waits. */
  async set(session: Session, layer: Layer, _: JobContext, made?: RankedSurface): Promise<LayerSummary> {
    checkPaint(layer.paint);
    if (layer.clip) checkPlane(layer.clip);
    this.#layer = layer;
    this.#center = gridCenter(session.data.dataSet.grid);
    this.#surface.setVisible(layer.isVisible);
    if (made) await this.#show(made);
    else this.#make();
    if (this.#isDisposed) throw cancelled("The layer");
    return { field: made?.field, color: made?.color, notes: made?.notes ?? [] };
  }

  adjust({ layer, isReshaped }: Adjusted): void {
    const former = this.#layer;
    if (layer.paint !== former.paint) checkPaint(layer.paint);
    this.#layer = layer;
    if (layer.isVisible !== former.isVisible) {
      this.#surface.setVisible(layer.isVisible);
      this.#events.barsChanged();
    }
    this.#paint();
    if (isReshaped || layer.clip !== former.clip || layer.paint.range !== former.paint.range) this.#make();
  }

  /** Colours the surface by rank, or no longer. */
  retint(): void {
    this.#make();
  }

  setPlace(place: number): void {
    this.#surface.setPlace(place);
  }

  prepareFrame(): void {}

  suspend(): void {}

  resume(): void {}

  async triangles(): Promise<number> {
    while (this.#making) await this.#making;
    return this.#layer.isVisible && this.#shown ? this.#shown.mesh.indices.length / 3 : 0;
  }

  async readMesh(): Promise<PaintedMesh | undefined> {
    while (this.#making) await this.#making;
    if (!this.#shown) return undefined;
    const { mesh } = this.#shown;
    const colored = this.#colored;
    const colors = colored
      ? valueColors(colored.values, colored.paint, colored.range)
      : solidColors(mesh.positions.length / 3, this.#layer.paint);
    return { mesh, colors };
  }

  draws(drawable: Hit["drawable"]): boolean {
    return drawable === this.#surface;
  }

  async report(session: Session, hit: Hit): Promise<ProbeReport> {
    const { surfaceReport } = await import("../probe/surface-report.ts");
    if (this.#isDisposed) throw cancelled("The layer");
    return surfaceReport(session, this.#layer, undefined, this.#center, hit);
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#surface.remove();
    this.#buffers.dispose();
    this.#shown = undefined;
  }

  #make(): void {
    this.#isDue = true;
    this.#making ??= this.#makeWhileDue().finally(() => {
      this.#making = undefined;
    });
  }

  async #makeWhileDue(): Promise<void> {
    while (this.#isDue && !this.#isDisposed) {
      this.#isDue = false;
      try {
        const made = await this.#required().surface(this.#layer);
        if (!this.#isDisposed) await this.#show(made);
      } catch (error) {
        if (!this.#isDisposed && !isCancelled(error)) this.#events.failed(error);
      }
    }
  }

  #required(): RankTeam {
    const team = this.#team();
    if (team) return team;
    throw new CrinkleError({
      tag: "Cancelled",
      problem: "The ranks that made a layer are gone.",
      remedy: "This page makes it.",
    });
  }

  async #show(made: RankedSurface): Promise<void> {
    const { clip, paint } = this.#layer;
    const whole = withRanks(made);
    const { mesh, ranks } = clip ? await clipped(whole, clip) : whole;
    const scalars = mesh.scalars && hostValues(primitives, mesh.scalars, 1);
    const range = scalars && paint.range === "surface" ? await trimmedRange(scalars, rangeTail) : undefined;
    if (this.#isDisposed) return;
    this.#shown = { made, mesh, ranks, range };
    const drawn = { ...mesh, scalars: this.#colored?.values };
    await this.#buffers.set(drawn, this.#center, ({ vertices, indices, draw }) => {
      if (!this.#isDisposed) this.#surface.setBuffers({ vertices, indices, indirect: draw });
    });
    if (this.#isDisposed) {
      this.#buffers.dispose();
      return;
    }
    this.#paint();
    this.#viewer.invalidate();
    const triangles = mesh.indices.length / 3;
    const counts = { triangles, vertices: mesh.positions.length / 3, isTruncated: false };
    const [isovalue] = isovaluesOf(this.#layer.shape);
    this.#events.counted(this.#layer, { ...counts, isovalue }, undefined);
    this.#events.madeByRanks?.(this.#layer, made.ranks);
  }

  #paint(): void {
    const colored = this.#colored;
    const layer = colored ? { ...this.#layer, paint: colored.paint } : this.#layer;
    this.#surface.setPaint(surfacePaint(layer, colored?.range, 0, this.#center));
    this.#events.barsChanged();
  }

  /** What the colours stand for; undefined where the layer has a single one. */
  get #colored() {
    const { paint, colorBy } = this.#layer;
    if (!this.#shown) return undefined;
    const { made, mesh, ranks, range } = this.#shown;
    if (this.#team()?.tints) {
      const last = made.ranks.length - 1;
      const statistics = { ...made.field, min: 0, max: last, nan: 0, infinite: 0 };
      const source: ColorSource = { text: "rank", statistics };
      const tint = { ...paint, map: "turbo", reversed: false };
      return { source, paint: tint, range: [0, last] as const, values: ranks };
    }
    if (colorBy === undefined || !made.color || !mesh.scalars) return undefined;
    const source: ColorSource = { text: colorBy, statistics: made.color };
    return { source, paint, range: colorRange(paint, made.color, range), values: mesh.scalars };
  }
}

/** The rank of each vertex. */
function withRanks({ mesh, ends }: RankedSurface): Pick<Shown, "mesh" | "ranks"> {
  const ranks = new Float32Array(mesh.positions.length / 3);
  for (const [rank, end] of ends.entries()) ranks.fill(rank, ends[rank - 1] ?? 0, end);
  return { mesh, ranks };
}

/** Clips the mesh twice: once with its scalars, once with its ranks in their place, which gives the same vertices. */
async function clipped(
  { mesh, ranks }: Pick<Shown, "mesh" | "ranks">,
  plane: NonNullable<Layer["clip"]>,
): Promise<Pick<Shown, "mesh" | "ranks">> {
  if (mesh.indices.length === 0) return { mesh: emptyMesh, ranks };
  const { clippedMesh } = await import("../composed-mesh.ts");
  const kept = await clippedMesh(mesh, plane, noJob);
  const ofRanks = await clippedMesh({ ...mesh, scalars: ranks }, plane, noJob);
  return { mesh: kept, ranks: (ofRanks.scalars ?? new Float32Array(0)).map(Math.round) };
}
