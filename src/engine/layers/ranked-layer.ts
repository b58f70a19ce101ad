import { hostValues } from "../../algorithms/statistics/host.ts";
import { trimmedRange } from "../../algorithms/statistics/trimmed-range.ts";
import { CrinkleError, cancelled, isCancelled } from "../../core/errors.ts";
import { gridCenter, type Triple } from "../../core/grid.ts";
import { type JobContext, noJob } from "../../core/job.ts";
import type { Layer } from "../../core/layers.ts";
import type { TriangleMesh } from "../../core/mesh.ts";
import type { ScalarBar } from "../../core/view.ts";
import { createCpuEach } from "../../cpu/primitives/each-primitives.ts";
import type { GpuContext } from "../../gpu/device/context.ts";
import { MeshBuffers } from "../../gpu/surfaces/mesh-buffers.ts";
import { checkPlane } from "../../gpu/surfaces/plane.ts";
import type { Hit, Surface, Viewer } from "../../viewer/viewer.ts";
import type { LayerSummary, ProbeReport } from "../api.ts";
import type { AskPlace } from "../probe/surface-report.ts";
import type { RankedSurface } from "../ranks/surface-job.ts";
import type { RankTeam } from "../ranks/team.ts";
import type { Session } from "../session.ts";
import type { Adjusted } from "./adjust.ts";
import type { LayerView, LayerViewEvents, PaintedMesh } from "./layer-view.ts";
import { type ColorSource, checkPaint, colorRange, scalarBar, solidColors, valueColors } from "./paint.ts";
import { rankTint, tinted } from "./rank-tint.ts";
import { isovaluesOf } from "./shape-surface.ts";
import { surfacePaint } from "./surface-paint.ts";
import { rangeTail } from "./surface-range.ts";

const primitives = createCpuEach();

/** The ranks' surface. */
interface Shown {
  readonly made: RankedSurface;
  /** Clipped like the layer. */
  readonly mesh: TriangleMesh;
  /** The colour field's range on it, where the paint asks for that. */
  readonly range: readonly [number, number] | undefined;
  /** How it is coloured where its parts have the colours of their ranks. */
  readonly tint: ReturnType<typeof rankTint> | undefined;
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
    if (this.#shown?.tint) return this.#shown.tint.bar;
    const colored = this.#colored;
    return colored && scalarBar(this.#layer.paint, colored.source, colored.range);
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
    const { paint } = this.#layer;
    const colored = this.#colored;
    const colors =
      colored && mesh.scalars
        ? valueColors(mesh.scalars, paint, colored.range)
        : solidColors(mesh.positions.length / 3, paint);
    return { mesh, colors };
  }

  draws(drawable: Hit["drawable"]): boolean {
    return drawable === this.#surface;
  }

  async report(session: Session, hit: Hit): Promise<ProbeReport> {
    const { surfaceReport } = await import("../probe/surface-report.ts");
    if (this.#isDisposed) throw cancelled("The layer");
    const ask: AskPlace = (...place) => this.#required().probe(session, ...place);
    return surfaceReport(session, this.#layer, undefined, this.#center, hit, ask);
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
    const mesh = await clipped(made.mesh, clip);
    const tint = this.#team()?.tints ? rankTint(made.ranks.length, paint.nanColor) : undefined;
    const drawn = tint ? await clipped(tinted(made.mesh, trianglesUpTo(made)), clip) : mesh;
    const scalars = mesh.scalars && hostValues(primitives, mesh.scalars, 1);
    const range = scalars && paint.range === "surface" ? await trimmedRange(scalars, rangeTail) : undefined;
    if (this.#isDisposed) return;
    this.#shown = { made, mesh, range, tint };
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
    const settings = surfacePaint(this.#layer, this.#colored?.range, 0, this.#center);
    const { table, range } = this.#shown?.tint ?? settings;
    this.#surface.setPaint({ ...settings, table, range });
    this.#events.barsChanged();
  }

  /** What the colours stand for; undefined where the layer has a single one. */
  get #colored(): { readonly source: ColorSource; readonly range: readonly [number, number] } | undefined {
    const { paint, colorBy } = this.#layer;
    const { made, range } = this.#shown ?? {};
    if (colorBy === undefined || !made?.color) return undefined;
    const source = { text: colorBy, statistics: made.color };
    return { source, range: colorRange(paint, made.color, range) };
  }
}

/** The numbers of the triangles that each rank and those before it made. */
function trianglesUpTo({ ranks }: RankedSurface): number[] {
  let sum = 0;
  return ranks.map(({ triangles }) => {
    sum += triangles;
    return sum;
  });
}

async function clipped(mesh: TriangleMesh, plane: Layer["clip"]): Promise<TriangleMesh> {
  if (!plane || mesh.indices.length === 0) return mesh;
  const { clippedMesh } = await import("../composed-mesh.ts");
  return clippedMesh(mesh, plane, noJob);
}
