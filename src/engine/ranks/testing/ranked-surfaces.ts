import { gridCenter } from "../../../core/grid.ts";
import { noJob } from "../../../core/job.ts";
import type { Plane, SurfaceShape } from "../../../core/layers.ts";
import type { TriangleMesh } from "../../../core/mesh.ts";
import {
  dataSetOf,
  randomGrid,
  sampledField,
  uniformGrid,
} from "../../../lang/expression/execute/testing/data-sets.ts";
import { openEngineDevice } from "../../device.ts";
import { shapeField } from "../../layers/shape-surface.ts";
import { Session } from "../../session.ts";
import { surfaceMesh } from "../../surface-mesh.ts";
import type { RankedSurface } from "../ranked-surface.ts";
import { type SurfaceForm, surfaceJob, surfaceRequest } from "../surface-job.ts";
import { engineWith, onRanks, testSource } from "./on-ranks.ts";

const uneven = randomGrid([13, 12, 15], 3, [-4, 2, 7]);
const even = uniformGrid([17, 17, 17], 2);
export const rings = dataSetOf(
  uneven,
  sampledField(uneven, "f", "node", (x, y, z) => Math.sin(9 * x) + Math.cos(8 * y) * Math.sin(7 * z)),
  sampledField(uneven, "c", "cell", (x, y, z) => x * y - z),
);
/** Values equal the isovalue on whole planes and at nodes. */
export const steps = dataSetOf(
  even,
  sampledField(even, "f", "node", (x, y, z) => Math.round(8 * z) + (Math.round(8 * (x + y)) % 3) - 8),
);

export const isosurfaceOf = (field: string, ...isovalues: readonly number[]): SurfaceShape => ({
  kind: "isosurface",
  field,
  isovalues,
  normals: "smooth",
  topology: "table",
});

export interface Wanted {
  readonly shape: SurfaceShape;
  readonly text?: string;
  readonly colorBy?: string;
  readonly clip?: Plane;
  readonly form?: SurfaceForm;
  readonly blocks?: readonly number[];
}

export const requestOf = ({ shape, text = shapeField(shape), ...options }: Wanted) =>
  surfaceRequest(testSource, shape, { text, ...options });

/** The surfaces that ranks make one after the other. */
export async function onRanksOf(
  ranks: number,
  dataSet: typeof rings,
  ...wanted: readonly Wanted[]
): Promise<RankedSurface[]> {
  const [found] = await onRanks(ranks, async (communicator) => {
    const engine = engineWith(dataSet, communicator.rank);
    const made = [];
    for (const one of wanted)
      made.push(await surfaceJob.run({ communicator, engine, context: noJob }, requestOf(one)));
    await engine.kept.clear();
    return made;
  });
  return found.map((surface) => {
    if (!surface) throw new Error("Rank 0 has no surface.");
    return surface;
  });
}

/** What one rank makes without others. */
export async function alone(dataSet: typeof rings, { shape, colorBy, clip }: Wanted): Promise<TriangleMesh> {
  const session = new Session(await openEngineDevice("cpu", undefined));
  await session.setDataSet(dataSet);
  return (await surfaceMesh(session, { shape, colorBy, clip })).mesh;
}

const wide = sampledField(uneven, "p", "node", (x, y, z) => Math.sin(9 * x) + Math.cos(8 * y) * z);
/** Doubles that vary little around a value whose own digits nearly fill f32, more so towards one end. */
export const pressures = dataSetOf(uneven, {
  ...wide,
  dtype: "f64",
  data: Float64Array.from(wide.data as Float32Array, (value) => 101325 + 0.01 * value),
});
export const pressureSurfaces: readonly Wanted[] = [
  { shape: isosurfaceOf("p", 101325.001, 101325.002) },
  { shape: { kind: "threshold", field: "p", range: [101324.96, 101325.04] } },
  { shape: { kind: "slice", axis: 2, position: gridCenter(uneven)[2] } },
];

const middle = gridCenter(uneven);
const plane: Plane = { origin: middle, normal: [1, 2, 3] };
const trilinear = { ...isosurfaceOf("f", 0.25), topology: "trilinear" } as SurfaceShape;
const threshold: SurfaceShape = { kind: "threshold", field: "f", range: [-0.3, 0.9] };
const zs = uneven.kind === "rectilinear" ? uneven.axes[2] : [];

/** Surfaces of the rings; some lie on planes of nodes, where layers of ranks end. */
export const surfaces: Readonly<Record<string, Omit<Wanted, "form">>> = {
  isosurfaces: { shape: isosurfaceOf("f", -0.5, 0.25) },
  "trilinear isosurface": { shape: trilinear },
  "flat isosurface": { shape: { ...isosurfaceOf("f", 0.25), normals: "flat" } as SurfaceShape },
  "plane cut": { shape: { kind: "cut", by: { kind: "plane", plane } } },
  "cut along a plane of nodes": {
    shape: { kind: "cut", by: { kind: "plane", plane: { origin: [0, 0, zs[6]], normal: [0, 0, 1] } } },
  },
  "sphere cut": { shape: { kind: "cut", by: { kind: "sphere", center: middle, radius: 0.4 } } },
  "cut by an expression": {
    shape: { kind: "cut", by: { kind: "expression", text: "f + x - y", value: -6 } },
  },
  "slice across x": { shape: { kind: "slice", axis: 0, position: middle[0] } },
  "slice across z": { shape: { kind: "slice", axis: 2, position: middle[2] } },
  "slice on a plane of nodes": { shape: { kind: "slice", axis: 2, position: zs[5] } },
  "slice at the top": { shape: { kind: "slice", axis: 2, position: zs[zs.length - 1] } },
  threshold: { shape: threshold },
  "clipped isosurfaces": { shape: isosurfaceOf("f", -0.5, 0.25), clip: plane },
  "trilinear isosurface clipped on a plane of nodes": {
    shape: trilinear,
    clip: { origin: [0, 0, zs[7]], normal: [0, 0, -2] },
  },
  "clipped slice": { shape: { kind: "slice", axis: 1, position: middle[1] }, clip: plane },
  "clipped threshold": { shape: threshold, clip: plane },
  "threshold clipped on a plane of nodes": {
    shape: threshold,
    clip: { origin: [0, 0, zs[4]], normal: [0, 0, 1] },
  },
};
