import { type Box, boxCount } from "../../core/box.ts";
import { CrinkleError } from "../../core/errors.ts";
import type { JobContext } from "../../core/job.ts";
import { withPauses } from "../../core/steps.ts";
import type { DrawableSurface } from "../../gpu/surfaces/surface.ts";
import type { KeptSurface, MadeSurface, PartCounts } from "../kept-surface.ts";
import type { SurfaceRequest } from "../surface-mesh.ts";
import { surfaceMargin, valuesAround } from "./block-values.ts";
import { bordersOf, joinBlocks, type MeshPart } from "./mesh-parts.ts";
import type { RankedData } from "./ranked-data.ts";
import { halvesOf } from "./sub-blocks.ts";

/** A rank's part of a surface as it is made, until the next one is. */
export interface MadePart {
  /** What to draw from, where all of it is on the GPU: others once `counts` has found the former ones too small. */
  readonly drawables: readonly DrawableSurface[] | undefined;
  /** Waits for the GPU. Throws OutOfMemory, DeviceLost, Cancelled. */
  counts(): Promise<PartCounts>;
  /** In physical units, with shared vertices and what `bordersOf` says of them. Throws as `counts`. */
  readMesh(): Promise<MeshPart>;
}

/** A part in host memory. */
export const partAsMade = (mesh: MeshPart): MadePart => ({
  drawables: undefined,
  counts: async () => ({ triangles: mesh.indices.length / 3, vertices: mesh.positions.length / 3 }),
  readMesh: async () => mesh,
});

/** What surfaces of a block's cells are made from. */
export interface OpenBlock {
  readonly surface: KeptSurface;
  close(): Promise<void>;
}

interface Block extends OpenBlock {
  readonly cells: Box;
}

interface MadeBlock {
  readonly block: Block;
  readonly made: MadeSurface;
}

interface CountedBlock extends MadeBlock {
  readonly counts: PartCounts;
}

type PartRequest = Omit<SurfaceRequest, "soup" | "cells">;

/** Blocks of so few cells are not halved for want of memory: what is missing then is not theirs. */
const fewCells = 2 ** 12;

/**
 * Makes surfaces of a rank's cells, one after the other, in as many blocks as its device needs: a block whose surface is larger than
 * what the device binds is halved, and where there is no memory for all blocks together, each is made, read back and let go of
 * in turn.
 */
export class CutSurface {
  readonly #data: Pick<RankedData, "grid" | "cells">;
  readonly #open: (cells: Box) => Promise<OpenBlock>;
  /** What is made at a time. */
  #cells: readonly Box[];
  /** Those of them that are on the device. */
  readonly #blocks = new Set<Block>();
  /** Blocks that were halved: until the next surface is made, a picture may be under way that is drawn from them. */
  readonly #halved = new Set<Block>();
  #isInTurn = false;
  /** Called where something else is to be drawn from; the former buffers are destroyed when it returns. */
  onBuffers: (() => void) | undefined;

  /** `cells` are the blocks to begin with; `open` is given one of them, or a part of one. */
  constructor(
    data: Pick<RankedData, "grid" | "cells">,
    cells: readonly Box[],
    open: (cells: Box) => Promise<OpenBlock>,
  ) {
    this.#data = data;
    this.#cells = cells;
    this.#open = open;
  }

  /** On the GPU the surface is submitted, and little is waited for. Throws what `KeptSurface.make` throws. */
  async make(request: PartRequest, job: JobContext): Promise<MadePart> {
    await this.#close(this.#halved);
    let whole: MeshPart | undefined;
    const inTurn = async () => (whole ??= await this.#readInTurn(request, job));
    let made = await this.#held(() => this.#makeAll(this.#cells, request, job));
    if (made) this.#cells = made.map(({ block }) => block.cells);
    else await inTurn();
    const counted = async () => {
      const counts = made && (await this.#held(() => this.#count(made ?? [], request, job)));
      if (counts) this.#cells = counts.map(({ block }) => block.cells);
      made = counts;
      return counts;
    };
    return {
      get drawables() {
        const drawn = made?.flatMap(({ made: { drawable } }) => drawable ?? []);
        return drawn?.length === made?.length ? drawn : undefined;
      },
      async counts() {
        const blocks = await counted();
        if (!blocks) return partAsMade(await inTurn()).counts();
        const sum = (what: keyof PartCounts) => blocks.reduce((to, { counts }) => to + counts[what], 0);
        return { triangles: sum("triangles"), vertices: sum("vertices") };
      },
      readMesh: async () => {
        const blocks = await counted();
        const read = blocks && (await this.#held(() => this.#read(blocks, job)));
        return read ?? inTurn();
      },
    };
  }

  /** Frees what stays on the device. */
  async dispose(): Promise<void> {
    await this.#close(this.#blocks);
    await this.#close(this.#halved);
  }

  /** What is made while all blocks are on the device; undefined where that has no memory for them, or had none before. */
  async #held<T>(work: () => Promise<T>): Promise<T | undefined> {
    if (this.#isInTurn) return undefined;
    try {
      return await work();
    } catch (error) {
      if (!isTagged(error, "OutOfMemory")) throw error;
      this.#isInTurn = true;
      await this.dispose();
      return undefined;
    }
  }

  async #makeAll(
    cells: readonly Box[],
    request: PartRequest,
    job: JobContext,
  ): Promise<readonly MadeBlock[]> {
    const made: MadeBlock[] = [];
    for (const each of cells) made.push(...(await this.#makeOne(each, request, job)));
    return made;
  }

  async #makeOne(cells: Box, request: PartRequest, job: JobContext): Promise<readonly MadeBlock[]> {
    const open = async () => {
      const block = { ...(await this.#open(cells)), cells };
      block.surface.onBuffers = () => this.onBuffers?.();
      this.#blocks.add(block);
      return block;
    };
    const block = [...this.#blocks].find((each) => each.cells === cells) ?? (await open());
    try {
      return [{ block, made: await block.surface.make(request, job) }];
    } catch (error) {
      return this.#makeAll(this.#halve(block, error), request, job);
    }
  }

  /** All blocks with their counts, those that are too large in halves. */
  async #count(
    made: readonly MadeBlock[],
    request: PartRequest,
    job: JobContext,
  ): Promise<readonly CountedBlock[]> {
    const counts = await Promise.allSettled(made.map((each) => each.made.counts()));
    const counted: CountedBlock[] = [];
    for (const [k, found] of counts.entries()) {
      const { block, made: surface } = made[k];
      if (found.status === "fulfilled") counted.push({ block, made: surface, counts: found.value });
      else {
        const halves = await this.#makeAll(this.#halve(block, found.reason), request, job);
        counted.push(...(await this.#count(halves, request, job)));
      }
    }
    return counted;
  }

  /** The halves of a block whose surface the device cannot bind; throws the error where that is something else. */
  #halve(block: Block, error: unknown): readonly Box[] {
    const halves = isTagged(error, "TooLarge") ? halvesOf(block.cells) : undefined;
    if (!halves) throw error;
    this.#blocks.delete(block);
    this.#halved.add(block);
    return halves;
  }

  async #read(blocks: readonly MadeBlock[], job: JobContext): Promise<MeshPart> {
    const parts: MeshPart[] = [];
    for (const { block, made } of blocks) parts.push(await this.#withBorders(block.cells, made, job));
    return this.#joined(parts, job);
  }

  async #readInTurn(request: PartRequest, job: JobContext): Promise<MeshPart> {
    const read: { readonly cells: Box; readonly part: MeshPart }[] = [];
    const waiting = this.#cells.toReversed();
    for (let cells = waiting.pop(); cells; cells = waiting.pop()) {
      const block = await this.#open(cells);
      try {
        const made = await block.surface.make(request, job);
        await made.counts();
        read.push({ cells, part: await this.#withBorders(cells, made, job) });
      } catch (error) {
        const mayHalve =
          isTagged(error, "TooLarge") || (isTagged(error, "OutOfMemory") && boxCount(cells) > fewCells);
        const halves = mayHalve ? halvesOf(cells) : undefined;
        if (!halves) throw error;
        waiting.push(...halves.toReversed());
      } finally {
        await block.close();
      }
    }
    this.#cells = read.map(({ cells }) => cells);
    return this.#joined(
      read.map(({ part }) => part),
      job,
    );
  }

  async #withBorders(cells: Box, made: MadeSurface, job: JobContext): Promise<MeshPart> {
    const { grid } = this.#data;
    const { edges, ...mesh } = await made.readMesh();
    const nodes = valuesAround(grid, cells, surfaceMargin);
    const borders = await withPauses(bordersOf({ ...mesh, edges }, grid, cells, nodes), job, "The surface");
    return { ...mesh, borders };
  }

  async #joined(parts: readonly MeshPart[], job: JobContext): Promise<MeshPart> {
    if (parts.length === 1) return parts[0];
    const { grid, cells } = this.#data;
    return withPauses(joinBlocks(parts, grid, this.#cells, cells), job, "The surface");
  }

  async #close(blocks: Set<Block>): Promise<void> {
    const all = [...blocks];
    blocks.clear();
    for (const block of all) await block.close();
  }
}

const isTagged = (error: unknown, tag: CrinkleError["tag"]): boolean =>
  error instanceof CrinkleError && error.tag === tag;
