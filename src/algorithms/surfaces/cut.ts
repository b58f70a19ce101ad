import { nodeCoordinates, type Triple } from "../../core/grid.ts";
import type { Implicit } from "../../core/layers.ts";
import { all, own } from "../../core/primitives/access.ts";
import { badArgument } from "../../core/primitives/checks.ts";
import { defineKernel } from "../../core/primitives/kernel.ts";
import type { Primitives } from "../../core/primitives/primitives.ts";
import { withVectors } from "../vectors.ts";
import { composedIsosurface, type IsosurfaceRequest } from "./isosurface.ts";
import type { Surface } from "./surface.ts";
import { gridConstants, indicesOf, type SurfaceGrid } from "./surface-grid.ts";

/** A plane, whose surface faces against its normal, or a sphere, which faces outwards. */
export type Cutter = Exclude<Implicit, { readonly kind: "expression" }>;

type CutRequest = Pick<IsosurfaceRequest, "fields" | "isWelded" | "hasCells">;

/** The sum of a term of each coordinate. */
const evaluateImplicit = defineKernel({
  name: "implicit function",
  inputs: { terms: { type: "f32", access: all } },
  constants: gridConstants,
  outputs: { values: { type: "f32" } },
  text: `
    let node = indices_of(element);
    let dims = constants.dims;
    out.values = (terms(node.x) + terms(dims.x + node.y)) + terms(dims.x + dims.y + node.z);`,
  functions: indicesOf,
});

/** Outwards from a center. */
const sphereNormals = defineKernel({
  name: "outward normals",
  inputs: { positions: { type: "f32", components: 3, access: own } },
  constants: { center: { type: "f32", components: 3 } },
  outputs: { normals: { type: "f32", components: 3 } },
  text: "out.normals = normalize(positions() - constants.center);",
});

const planeNormal = defineKernel({
  name: "one normal",
  inputs: {},
  constants: { normal: { type: "f32", components: 3 } },
  outputs: { normals: { type: "f32", components: 3 } },
  text: "out.normals = constants.normal;",
});

/**
 * Where a plane or a sphere cuts a grid: the isosurface at 0 of its implicit function on the nodes (as PISTON's cut),
 * with the cutter's own normals. The function rises along a plane's normal and towards a sphere's center. Another implicit function is cut by as an isosurface of its values. A node on the
 * cutter does not count as beyond it. Throws BadArgument, TooLarge.
 */
export async function composedCut(
  p: Primitives,
  grid: SurfaceGrid,
  cutter: Cutter,
  request: CutRequest = {},
): Promise<Surface> {
  const terms = termsOf(grid, cutter);
  return withVectors(async (vectors) => {
    const { values } = await p.forEach(
      grid.constants.dims.reduce((a, b) => a * b),
      evaluateImplicit,
      {
        inputs: { terms: await vectors.hold(p.fromHost("f32", terms)) },
        constants: grid.constants,
      },
    );
    await vectors.hold(values);
    const surface = await composedIsosurface(p, grid, values, { ...request, isovalues: [0] });
    const { positions } = surface;
    surface.normals.release();
    try {
      const { normals } = await (cutter.kind === "sphere"
        ? p.forEach(positions.length, sphereNormals, {
            inputs: { positions },
            constants: { center: cutter.center.map((c, axis) => c - grid.center[axis]) },
          })
        : p.forEach(positions.length, planeNormal, {
            inputs: {},
            constants: { normal: unit(cutter.plane.normal).map((c) => 0 - c) },
          }));
      return {
        ...surface,
        normals,
        release: () => {
          surface.release();
          normals.release();
        },
      };
    } catch (error) {
      surface.release();
      throw error;
    }
  });
}

/** The terms of a cutter's function, of magnitudes about those of the grid's indices. */
function termsOf({ grid }: SurfaceGrid, cutter: Cutter): Float32Array {
  let term: (x: number, axis: number) => number;
  if (cutter.kind === "plane") {
    const { origin, normal } = cutter.plane;
    const largest = Math.max(...normal.map(Math.abs));
    term = (x, axis) => (x - origin[axis]) * (normal[axis] / largest);
  } else {
    const { center, radius } = cutter;
    term = (x, axis) => (axis === 2 ? 1 : 0) - ((x - center[axis]) / radius) ** 2;
    if (!(radius > 0)) throw noCutter(`a sphere of radius ${radius}`);
  }
  const terms = [0, 1, 2].flatMap((axis) => Array.from(nodeCoordinates(grid, axis), (x) => term(x, axis)));
  if (!terms.every(Number.isFinite)) throw noCutter(`a ${cutter.kind} whose coordinates exceed f32`);
  return Float32Array.from(terms);
}

const noCutter = (what: string) =>
  badArgument(
    `A grid was to be cut by ${what}.`,
    "Choose finite numbers, a normal other than 0 and a positive radius.",
  );

function unit(v: Triple): readonly number[] {
  const largest = Math.max(...v.map(Math.abs));
  const length = Math.hypot(...v.map((c) => c / largest));
  return v.map((c) => c / largest / length);
}
