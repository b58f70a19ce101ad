import {
  checkIndices,
  checkSameElements,
  checkSameLength,
  checkSelection,
  overlappingVectors,
  unwritableVector,
} from "../../core/primitives/checks.ts";
import type { Segments, Selection } from "../../core/primitives/primitives.ts";
import type { ScalarType, Vector } from "../../core/primitives/vector.ts";
import { test } from "./functions.ts";
import { checkIndexRange, gatheredWords, scatterWords, selectedPositions } from "./move.ts";
import { CpuScans } from "./scans.ts";
import { eachSegment } from "./segments.ts";
import { type CpuVector, newWords } from "./vector.ts";

/** What moves elements: by selection, by segment, through maps. */
export class CpuDataMovement extends CpuScans {
  async copyIf<T extends ScalarType>(vector: Vector<T>, selection: Selection): Promise<Vector<T>> {
    const { of, selects } = this.#select("copyIf", vector, selection);
    return this.#through(selectedPositions(of.length, selects).map, of);
  }

  async removeIf<T extends ScalarType>(vector: Vector<T>, selection: Selection): Promise<Vector<T>> {
    const { of, selects } = this.#select("removeIf", vector, selection);
    return this.#through(selectedPositions(of.length, (i) => !selects(i)).map, of);
  }

  async partition<T extends ScalarType>(
    vector: Vector<T>,
    selection: Selection,
  ): Promise<{ readonly vector: Vector<T>; readonly selected: number }> {
    const { of, selects } = this.#select("partition", vector, selection);
    const { map, selected } = selectedPositions(of.length, selects, true);
    return { vector: this.#through(map, of), selected };
  }

  async segmentedSplit<T extends ScalarType>(
    vector: Vector<T>,
    flags: Vector<"u32">,
    segments: Segments,
  ): Promise<Vector<T>> {
    const what = "segmentedSplit";
    const of = this.read(what, "vector", vector);
    const flagged = this.#indices(what, "flags", flags);
    checkSameLength(what, { vector, flags });
    const isHead = this.heads(what, segments, "vector", vector);
    const map = newWords("u32", of.length);
    eachSegment(of.length, isHead, (from, to) => {
      let next = from;
      for (let i = from; i < to; i++) if (flagged[i] === 0) map[next++] = i;
      for (let i = from; i < to; i++) if (flagged[i] !== 0) map[next++] = i;
    });
    return this.#through(map, of);
  }

  async gather<T extends ScalarType>(
    map: Vector<"u32">,
    source: Vector<T>,
    checked = false,
  ): Promise<Vector<T>> {
    const of = this.read("gather", "source", source);
    const indices = this.#indices("gather", "map", map);
    if (checked) checkIndexRange("gather", indices, of.length);
    return this.#through(indices, of);
  }

  async scatter<T extends ScalarType>(
    source: Vector<T>,
    map: Vector<"u32">,
    target: Vector<T>,
    checked = false,
  ): Promise<void> {
    this.#scatter("scatter", { source, map, target }, checked);
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
    const indices = this.#indices(what, "map", map);
    const chosen = this.#indices(what, "stencil", stencil);
    checkSameLength(what, { map, stencil, fallback });
    checkSameElements(what, { source, fallback });
    if (checked) checkIndexRange(what, indices, of.length, chosen);
    const { type, components } = of;
    const words = gatheredWords(type, indices, of.words(), components);
    const elsewhere = other.words();
    for (let w = 0; w < words.length; w++) {
      if (chosen[Math.floor(w / components)] === 0) words[w] = elsewhere[w];
    }
    return this.own(type, words, components);
  }

  async scatterIf<T extends ScalarType>(
    source: Vector<T>,
    map: Vector<"u32">,
    stencil: Vector<"u32">,
    target: Vector<T>,
    checked = false,
  ): Promise<void> {
    this.#scatter("scatterIf", { source, map, target, stencil }, checked);
  }

  #scatter<T extends ScalarType>(
    what: string,
    vectors: {
      readonly source: Vector<T>;
      readonly map: Vector<"u32">;
      readonly target: Vector<T>;
      readonly stencil?: Vector<"u32">;
    },
    checked: boolean,
  ): void {
    const { source, map, target, stencil } = vectors;
    const to = this.read(what, "target", target);
    if (!to.isWritable) throw unwritableVector(what, "target");
    const from = this.read(what, "source", source);
    const indices = this.#indices(what, "map", map);
    const chosen = stencil && this.#indices(what, "stencil", stencil);
    checkSameLength(what, stencil ? { source, map, stencil } : { source, map });
    checkSameElements(what, { source, target });
    const sources: Readonly<Record<string, Vector | undefined>> = { source, map, stencil };
    for (const [name, vector] of Object.entries(sources)) {
      if (!vector) continue;
      const { memories } = this.read(what, name, vector);
      if (memories.includes(to.memories[0])) throw overlappingVectors(what, name);
    }
    if (checked) checkIndexRange(what, indices, to.length, chosen);
    scatterWords(from.words(), indices, to.words(), to.components, chosen);
  }

  #through<T extends ScalarType>(map: Uint32Array, { type, words, components }: CpuVector<T>): Vector<T> {
    return this.own(type, gatheredWords(type, map, words(), components), components);
  }

  #indices(what: string, name: string, vector: Vector<"u32">): Uint32Array {
    const read = this.read(what, name, vector);
    checkIndices(what, name, vector);
    return read.words();
  }

  #select<T extends ScalarType>(what: string, vector: Vector<T>, selection: Selection) {
    const of = this.read(what, "vector", vector);
    const stencil = "stencil" in selection ? this.read(what, "stencil", selection.stencil) : undefined;
    checkSelection(what, vector, selection);
    if ("where" in selection) {
      const words = of.words();
      const isSelected = test(selection.where, of.type);
      return { of, selects: (i: number) => isSelected(words[i]) };
    }
    const flags = stencil?.words();
    return { of, selects: (i: number) => flags?.[i] !== 0 };
  }
}
