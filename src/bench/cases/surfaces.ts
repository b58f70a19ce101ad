import { noJob } from "../../core/job.ts";
import { surfaceArea } from "../../core/mesh-measures.ts";
import type { GpuContext } from "../../gpu/device/context.ts";
import { createGridTables } from "../../gpu/fields/grid-tables.ts";
import { uploadField } from "../../gpu/fields/upload.ts";
import { createCutExtractor } from "../../gpu/surfaces/cut/cut.ts";
import type { SurfaceExtractor } from "../../gpu/surfaces/extractor.ts";
import { IsosurfaceExtractor } from "../../gpu/surfaces/isosurface/extractor.ts";
import { createSliceExtractor } from "../../gpu/surfaces/slice/slice.ts";
import type { SurfaceBase } from "../../gpu/surfaces/surface-source.ts";
import { createThresholdExtractor } from "../../gpu/surfaces/threshold/threshold.ts";
import type { BenchCase } from "../case.ts";
import { timePass } from "../measure.ts";
import { tangleField, uniformGrid } from "./fields.ts";

const side = 6;

interface SurfaceCase<Source extends SurfaceBase, Request> {
  readonly name: string;
  readonly n: number;
  create(gpu: GpuContext): Promise<SurfaceExtractor<Source, Request>>;
  source(base: Required<Pick<SurfaceBase, "tables" | "color">>, grid: ReturnType<typeof uniformGrid>): Source;
  readonly request: Request;
  /** Of the surface, to a thousandth. */
  readonly area: number;
}

/** The GPU's part of a step of a drag on n³ nodes of the tangle. */
function surfaceCase<Source extends SurfaceBase, Request>(of: SurfaceCase<Source, Request>): BenchCase {
  return {
    name: `${of.name}/${of.n}`,
    async run({ gpu, isQuick, n = isQuick ? 33 : of.n }) {
      const grid = uniformGrid([n, n, n], -side / 2, side);
      const color = await uploadField(gpu, grid, tangleField(grid), noJob);
      const tables = createGridTables(gpu, grid, "node");
      const extractor = await of.create(gpu);
      try {
        await extractor.setSource(of.source({ tables, color }, grid));
        extractor.extract(of.request);
        const { vertices, triangles } = await extractor.counts();
        const ms = await timePass(gpu, (pass) => extractor.record(pass));
        const area = surfaceArea(await extractor.readMesh());
        const verified = Math.abs(area / of.area - 1) < 1e-3;
        return { n: n ** 3, ms, bytes: 32 * vertices + 12 * triangles, verified };
      } finally {
        extractor.dispose();
        color.buffer.release();
        tables.buffer.release();
      }
    },
  };
}

const slice = (n: number) =>
  surfaceCase({
    name: "slice",
    n,
    create: createSliceExtractor,
    source: (base, grid) => ({ ...base, grid }),
    request: { axis: 2, position: 0.123 },
    area: side * side,
  });

const planeCut = (n: number) =>
  surfaceCase({
    name: "cut/plane",
    n,
    create: createCutExtractor,
    source: (base) => base,
    request: { kind: "plane", plane: { origin: [0, 0, 0], normal: [1, 1, 1] } },
    area: (3 * Math.sqrt(3) * side ** 2) / 4,
  });

/** All of the field is kept, so that every block is looked at. */
const threshold = (n: number) =>
  surfaceCase({
    name: "threshold",
    n,
    create: createThresholdExtractor,
    source: (base) => ({ ...base, field: base.color }),
    request: [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY],
    area: 6 * side ** 2,
  });

/** The clip alone, of the tangle's isosurface by a plane through its middle, on whose sides it has equal parts. */
const clip = (n: number): BenchCase => ({
  name: `clip/${n}`,
  async run({ gpu, isQuick, n: points = isQuick ? 33 : n }) {
    const grid = uniformGrid([points, points, points], -side / 2, side);
    const field = await uploadField(gpu, grid, tangleField(grid), noJob);
    const tables = createGridTables(gpu, grid, "node");
    const extractor = await IsosurfaceExtractor.create(gpu);
    try {
      await extractor.setSource({ tables, field });
      extractor.extract(0.25);
      const whole = surfaceArea(await extractor.readMesh());
      extractor.setClip({ origin: [0, 0, 0], normal: [1, 0.3, -0.2] });
      const { vertices, triangles } = await extractor.counts();
      const ms = await timePass(gpu, (pass) => extractor.recordClip(pass));
      const kept = surfaceArea(await extractor.readMesh());
      const verified = Math.abs((2 * kept) / whole - 1) < 1e-3;
      return { n: points ** 3, ms, bytes: 32 * vertices + 12 * triangles, verified };
    } finally {
      extractor.dispose();
      field.buffer.release();
      tables.buffer.release();
    }
  },
});

/** Cuts, thresholds, slices and clips. */
export const surfaceCases: readonly BenchCase[] = [
  planeCut(256),
  planeCut(512),
  threshold(256),
  threshold(512),
  slice(256),
  slice(512),
  clip(256),
  clip(512),
];
