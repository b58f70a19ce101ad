import {
  checkIndices,
  checkSameElements,
  checkSameLength,
  checkSelection,
  overlappingVectors,
  unwritableVector,
} from "../../../core/primitives/checks.ts";
import type { Segments, Selection } from "../../../core/primitives/primitives.ts";
import type { ScalarType, Vector } from "../../../core/primitives/vector.ts";
import type { CompactKernel } from "../compact/options.ts";
import type { Ticket } from "./call-sequencer.ts";
import { type Chunk, windowOf } from "./chunks.ts";
import { keyOf } from "./kernels.ts";
import { GpuRuns } from "./runs.ts";
import { gatherOf } from "./sources.ts";
import { blocksOf, type GpuVector } from "./vector.ts";
import { memoryOf } from "./vectors.ts";

interface Scattering {
  readonly source: Vector;
  readonly map: Vector<"u32">;
  readonly target: Vector;
  readonly stencil?: Vector<"u32">;
}

/** What moves elements: by selection, by segment, through maps. */
export class GpuDataMovement extends GpuRuns {
  async copyIf<T extends ScalarType>(vector: Vector<T>, selection: Selection): Promise<Vector<T>> {
    const { moved, selected } = await this.#compact("copyIf", vector, selection, "selected");
    return this.shortened(moved, selected);
  }

  async removeIf<T extends ScalarType>(vector: Vector<T>, selection: Selection): Promise<Vector<T>> {
    const { moved, selected } = await this.#compact("removeIf", vector, selection, "rejected");
    return this.shortened(moved, selected);
  }

  async partition<T extends ScalarType>(
    vector: Vector<T>,
    selection: Selection,
  ): Promise<{ readonly vector: Vector<T>; readonly selected: number }> {
    const { moved, selected } = await this.#compact("partition", vector, selection, "both");
    return { vector: moved, selected };
  }

  async segmentedSplit<T extends ScalarType>(
    vector: Vector<T>,
    flags: Vector<"u32">,
    segments: Segments,
  ): Promise<Vector<T>> {
    const what = "segmentedSplit";
    const of = this.read(what, "vector", vector);
    const flagged = this.indices(what, "flags", flags);
    checkSameLength(what, { vector, flags });
    const [descriptor, kind] = this.segmentDescriptorOf(what, segments, "vector", vector);
    const { session } = this;
    const kernel = { words: of.components, segments: kind };
    return this.using([of, flagged, descriptor], async (ticket) => {
      const [split, [input, by, within]] = await ticket.ready(
        Promise.all([
          session.compiled(keyOf(what, kernel), async () => {
            const { createSegmentedSplit } = await import("../compact/segmented-split.ts");
            return createSegmentedSplit(session.gpu, kernel, await session.strategy());
          }),
          this.readers(of, flagged, descriptor),
        ]),
      );
      return this.produce(of, (output) =>
        split.record(session.recorder, { input: input(), flags: by(), segments: within(), output }),
      );
    });
  }

  async gather<T extends ScalarType>(
    map: Vector<"u32">,
    source: Vector<T>,
    checked = false,
  ): Promise<Vector<T>> {
    const of = this.read("gather", "source", source);
    const through = this.indices("gather", "map", map);
    this.checkMemory("gather", map.length, of.components);
    const maps = checked ? [{ what: "gather", map: through, length: of.length }] : [];
    return this.using([of, through], (ticket) => this.#gather(ticket, of, through), maps);
  }

  async scatter<T extends ScalarType>(
    source: Vector<T>,
    map: Vector<"u32">,
    target: Vector<T>,
    checked = false,
  ): Promise<void> {
    return this.#scatter("scatter", { source, map, target }, checked);
  }

  async gatherIf<T extends ScalarType>(
    map: Vector<"u32">,
    stencil: Vector<"u32">,
    source: Vector<T>,
    fallback: Vector<T>,
    checked = false,
  ): Promise<Vector<T>> {
    const what = "gatherIf";
    const of = this.read(what, "source", source);
    const other = this.read(what, "fallback", fallback);
    const [through, chosen] = [this.indices(what, "map", map), this.indices(what, "stencil", stencil)];
    checkSameLength(what, { map, stencil, fallback });
    checkSameElements(what, { source, fallback });
    const maps = checked ? [{ what, map: through, length: of.length, stencil: chosen }] : [];
    return this.using(
      [of, other, through, chosen],
      (ticket) => this.#gather(ticket, of, through, [chosen, other]),
      maps,
    );
  }

  async scatterIf<T extends ScalarType>(
    source: Vector<T>,
    map: Vector<"u32">,
    stencil: Vector<"u32">,
    target: Vector<T>,
    checked = false,
  ): Promise<void> {
    return this.#scatter("scatterIf", { source, map, target, stencil }, checked);
  }

  /** A map, a stencil, flags: single words of u32. */
  protected indices(what: string, name: string, vector: Vector<"u32">): GpuVector<"u32"> {
    const read = this.read(what, name, vector);
    checkIndices(what, name, vector);
    return read;
  }

  async #gather<T extends ScalarType>(
    ticket: Ticket,
    of: GpuVector<T>,
    through: GpuVector<"u32">,
    others: readonly GpuVector[] = [],
  ): Promise<GpuVector<T>> {
    const { type, components } = of;
    const chunks = this.chunks([through, ...others], components);
    const [gather, inputs] = await ticket.ready(
      Promise.all([
        gatherOf(this.session, of, others.length > 0),
        this.chunkReaders(chunks, [through, ...others]),
      ]),
    );
    const shape = { type, components, length: through.length };
    return this.produce(shape, (output) =>
      gather(
        chunks.map((chunk, k) => () => {
          const [map, stencil, fallback] = inputs[k].map((input) => input());
          return { map, stencil, fallback, output: windowOf(output, chunk, components) };
        }),
      ),
    );
  }

  async #scatter(what: string, vectors: Scattering, checked: boolean): Promise<void> {
    const { source, map, target, stencil } = vectors;
    const to = this.read(what, "target", target);
    if (to.content.kind !== "memory") throw unwritableVector(what, "target");
    const { block } = to.content;
    const from = this.read(what, "source", source);
    const through = this.indices(what, "map", map);
    const chosen = stencil && this.indices(what, "stencil", stencil);
    checkSameLength(what, stencil ? { source, map, stencil } : { source, map });
    checkSameElements(what, { source, target });
    for (const [name, vector] of Object.entries({ source: from, map: through, stencil: chosen })) {
      if (vector && blocksOf(vector).includes(block)) throw overlappingVectors(what, name);
    }
    const inputs = chosen ? [from, through, chosen] : [from, through];
    const { session } = this;
    const maps = checked ? [{ what, map: through, length: to.length, stencil: chosen }] : [];
    const scattered = async (ticket: Ticket) => {
      const { components } = to;
      const [chunks, parts] = [this.chunks(inputs), this.chunks([to])];
      const [hasStencil, isPart] = [chosen !== undefined, parts.length > 1];
      const [scatter, read] = await ticket.ready(
        Promise.all([
          session.compiled(keyOf("scatter", components, hasStencil, isPart), async () => {
            const { createScatter } = await import("../gather/gather.ts");
            return createScatter(session.gpu, components, hasStencil, isPart);
          }),
          this.chunkReaders(chunks, inputs),
        ]),
      );
      session.record(
        () =>
          this.encodeChunks(chunks, (_, k) => {
            const [source, map, stencil] = read[k].map((input) => input());
            for (const part of parts) {
              const target = windowOf(memoryOf(to), part, components);
              scatter.record(session.recorder, { source, map, stencil, target, first: part.from });
            }
          }),
        [block],
      );
    };
    await this.using([to, ...inputs], scattered, maps);
  }

  /** What each chunk kept at its beginning, and all that it has after that where `both` are wanted; takes the vector. */
  #joined<T extends ScalarType>(
    vector: GpuVector<T>,
    chunks: readonly Chunk[],
    totals: Uint32Array,
    both: boolean,
  ): GpuVector<T> {
    const { type, components } = vector;
    const kept = chunks.map(({ from }, k): Part => ({ from, length: totals[k] }));
    const left = chunks.map(({ from, to }, k): Part => {
      const rest = from + totals[k];
      return { from: rest, length: to - rest };
    });
    const parts = both ? [...kept, ...left] : kept;
    const length = parts.reduce((sum, part) => sum + part.length, 0);
    try {
      return this.produce({ type, components, length }, (output) => {
        let place = 0;
        for (const part of parts) {
          const to = place + part.length;
          const from = { from: part.from, to: part.from + part.length };
          const [source, target] = [
            windowOf(memoryOf(vector), from, components),
            windowOf(output, { from: place, to }, components),
          ];
          this.copyWords(source, target, components);
          place = to;
        }
      });
    } finally {
      vector.release();
    }
  }

  async #compact<T extends ScalarType>(
    what: string,
    vector: Vector<T>,
    selection: Selection,
    keeps: CompactKernel["keeps"],
  ) {
    const of = this.read(what, "vector", vector);
    const chosen = "stencil" in selection ? this.read(what, "stencil", selection.stencil) : undefined;
    checkSelection(what, vector, selection);
    const { type, components } = of;
    const { session } = this;
    const selected = "where" in selection ? selection : "stencil";
    const kernel: CompactKernel = { type, words: components, selection: selected, keeps };
    const key =
      "where" in selection
        ? keyOf("compact", type, selection.where.text, keeps)
        : keyOf("compact", components, keeps);
    const inputs = chosen ? [of, chosen] : [of];
    return this.using(inputs, async (ticket) => {
      const chunks = this.chunks(inputs, components);
      const [compact, read] = await ticket.ready(
        Promise.all([
          session.compiled(key, async () => {
            const { createCompact } = await import("../compact/compact.ts");
            return createCompact(session.gpu, kernel, await session.strategy());
          }),
          this.chunkReaders(chunks, inputs),
        ]),
      );
      const { vectors, totals } = await ticket.recorded(
        this.produceChunks([of], chunks.length, ([output], kept) =>
          this.encodeChunks(chunks, (chunk, k) => {
            const [input, stencil] = read[k].map((reader) => reader());
            compact.record(session.recorder, {
              input,
              stencil,
              output: windowOf(output, chunk, components),
              kept: { ...kept, offset: k, length: 1 },
            });
          }),
        ),
      );
      const selected = totals.reduce((sum, total) => sum + total, 0);
      if (chunks.length === 1) return { moved: vectors[0], selected };
      return { moved: this.#joined(vectors[0], chunks, totals, keeps === "both"), selected };
    });
  }
}

/** Parts that follow each other: where they are, and how many elements each has. */
interface Part {
  readonly from: number;
  readonly length: number;
}
