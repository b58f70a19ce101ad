import { tangleField, uniformGrid } from "../../../src/bench/cases/fields.ts";
import type { Box } from "../../../src/core/box.ts";
import type { Triple } from "../../../src/core/grid.ts";
import { IsosurfaceExtractor } from "../../../src/gpu/surfaces/isosurface/extractor.ts";
import { isovalue } from "../inputs.ts";
import { type FieldBlock, RankField } from "./fused-blocks.ts";
import type { GpuRank, Timed } from "./rank-case.ts";
import { timeWarm, together } from "./timing.ts";

/**
 * An isosurface of the tangle, made by each rank of its layers: the passes on the GPU alone, and from barrier to barrier with what
 * ranks tell each other: the counts of vertices and indices, by which each knows where its part begins, and for a new field
 * ghosts before.
 */
export async function fusedIsosurface(
  rank: GpuRank,
  dims: Triple,
): Promise<{ "": Timed; ", end to end": Timed; ", end to end, new field": Timed }> {
  const { gpu, communicator } = rank;
  const field = await RankField.sample(rank, uniformGrid(dims, -3, 6), 1, tangleField);
  const extractors: IsosurfaceExtractor[] = [];
  const extract = async () => {
    for (const extractor of extractors) extractor.extract(isovalue);
    const counts = await Promise.all(extractors.map((extractor) => extractor.counts()));
    const sum = (of: "vertices" | "triangles") => counts.reduce((total, each) => total + each[of], 0);
    await communicator.allgather(Float64Array.of(sum("vertices"), sum("triangles")));
    return undefined;
  };
  const extractNew = async () => {
    await field.exchangeGhosts();
    for (const [k, { tables, field: source }] of field.blocks.entries())
      await extractors[k].setSource({ tables, field: source });
    return extract();
  };
  try {
    for (const block of field.blocks) {
      const extractor = await IsosurfaceExtractor.create(gpu, {}, "table", ownCells(block, dims));
      extractors.push(extractor);
      await extractor.setSource(block);
    }
    await extract();
    return {
      "": await timeWarm(rank, (pass) => {
        for (const extractor of extractors) extractor.record(pass);
      }),
      ", end to end": await together(rank, extract),
      ", end to end, new field": await together(rank, extractNew),
    };
  } finally {
    for (const extractor of extractors) extractor.dispose();
    field.release();
  }
}

/** The block's own cells, as a box in it; undefined where it is the whole grid. */
function ownCells({ layers, planes }: FieldBlock, [nx, ny, nz]: Triple): Box | undefined {
  const [first, end] = layers.map((layer) => layer - planes[0]);
  return planes[1] - planes[0] === nz ? undefined : { first: [0, 0, first], end: [nx - 1, ny - 1, end] };
}
