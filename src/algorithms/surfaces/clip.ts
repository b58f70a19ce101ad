import type { Triple } from "../../core/grid.ts";
import type { Plane } from "../../core/layers.ts";
import { around, own } from "../../core/primitives/access.ts";
import { badArgument } from "../../core/primitives/checks.ts";
import { defineKernel } from "../../core/primitives/kernel.ts";
import type { Primitives } from "../../core/primitives/primitives.ts";
import type { Vector } from "../../core/primitives/vector.ts";
import { type Vectors, withVectors } from "../vectors.ts";
import { enumerate } from "./enumerate.ts";
import { handOut, holdAll, type Surface } from "./surface.ts";
import { weldEdges } from "./weld-edges.ts";

/** How far vertices are beyond a plane, in units of the largest component of its normal. */
const measure = defineKernel({
  name: "distances from a plane",
  inputs: { positions: { type: "f32", components: 3, access: own } },
  constants: { origin: { type: "f32", components: 3 }, factors: { type: "f32", components: 3 } },
  outputs: { distances: { type: "f32" } },
  text: `
    let terms = (positions() - constants.origin) * constants.factors;
    out.distances = (terms.x + terms.y) + terms.z;`,
});

/** Distances of a triangle's corners. */
const ofCorners = around(0, 2, 3);

/** The corners of a triangle, of its edges those whose ends are on either side. */
const corners = `
fn distances_of(first: u32) -> vec3f {
  return vec3f(distances(first), distances(first + 1u), distances(first + 2u));
}
fn crossings_of(d: vec3f) -> vec3<bool> {
  let beyond = d > vec3f(0.0);
  let below = d < vec3f(0.0);
  return (beyond & below.yzx) | (below & beyond.yzx);
}
`;

/** How many vertices each triangle leaves: 0, 3 or 6. */
const classify = defineKernel({
  name: "classify triangles",
  inputs: { distances: { type: "f32", access: ofCorners } },
  constants: {},
  outputs: { vertices: { type: "u32" } },
  text: `
    let d = distances_of(3u * element);
    let below = dot(vec3u(d < vec3f(0.0)), vec3u(1u));
    let crossed = dot(vec3u(crossings_of(d)), vec3u(1u));
    if (below == 0u) {
      out.vertices = 3u;
    } else if (any(d > vec3f(0.0))) {
      out.vertices = 3u * (crossed + 1u - below);
    }`,
  functions: corners,
});

/**
 * For each vertex that is left, at its triangle: the vertex that it is, or the two on either side of the plane
 * that it lies between and its share of the way. From below to beyond, so that both triangles of an edge agree to the bit.
 */
const locate = defineKernel({
  name: "locate on triangles",
  inputs: {
    distances: { type: "f32", access: ofCorners },
    firsts: { type: "u32", access: own },
  },
  constants: {},
  outputs: { lows: { type: "u32" }, highs: { type: "u32" }, shares: { type: "f32" } },
  text: `
    let d = distances_of(3u * element);
    let crossings = crossings_of(d);
    let visit = place - firsts();
    var left = i32(select(visit - 2u, visit % 3u, visit < 4u));
    for (var corner = 0u; corner < 3u; corner++) {
      let next = (corner + 1u) % 3u;
      if (!(d[corner] < 0.0)) {
        if (left == 0) {
          out.lows = 3u * element + corner;
          out.highs = 3u * element + corner;
        }
        left--;
      }
      if (crossings[corner]) {
        if (left == 0) {
          let is_up = d[corner] < 0.0;
          let low = select(next, corner, is_up);
          let high = select(corner, next, is_up);
          out.lows = 3u * element + low;
          out.highs = 3u * element + high;
          out.shares = clamp(d[low] / (d[low] - d[high]), 0.0, 1.0);
        }
        left--;
      }
    }`,
  functions: corners,
});

/** What vertices have of so many components, between two of a triangle's: normalized where it is a direction. */
const betweenOf = (components: 1 | 2 | 3 | 4, isDirection = false) =>
  defineKernel({
    name: isDirection ? "direction between" : `value between ${components}`,
    inputs: {
      highs: { type: "u32", access: own },
      shares: { type: "f32", access: own },
      values: { type: "f32", components, access: around(2, 2) },
    },
    constants: {},
    outputs: { results: { type: "f32", components } },
    text: `
    let low = values(element);
    out.results = low;
    if (element == highs()) { return; }
    let between = low + shares() * (values(highs()) - low);
    ${isDirection ? "if (dot(between, between) > 0.0) { out.results = normalize(between); }" : "out.results = between;"}`,
  });

const between = [1, 2, 3, 4].map((components) => betweenOf(components as 1 | 2 | 3 | 4));
const directionBetween = betweenOf(3, true);

export interface ClipRequest {
  /** One vertex for each vertex that is kept and for each edge that is cut: of surfaces with indices. */
  readonly isWelded?: boolean;
}

/**
 * The part of a surface on a plane's positive side, three vertices a triangle unless it is to be welded; `center` is what
 * positions are relative to. Triangles that only touch the plane from there stay as they are. Composed of primitives as
 * `composedIsosurface` is. Throws BadArgument.
 */
export async function composedClip(
  p: Primitives,
  surface: Surface,
  { origin, normal }: Plane,
  center: Triple,
  { isWelded = false }: ClipRequest = {},
): Promise<Surface> {
  const largest = Math.max(...normal.map(Math.abs));
  const constants = {
    origin: origin.map((x, axis) => x - center[axis]),
    factors: normal.map((x) => x / largest),
  };
  if (![...constants.origin, ...constants.factors].every(Number.isFinite)) {
    throw badArgument(
      `There is no plane through (${origin.join(", ")}) across (${normal.join(", ")}).`,
      "Choose finite numbers, and a normal other than zero.",
    );
  }
  if (isWelded && !surface.indices) {
    throw badArgument(
      "A surface without indices was to be clipped into a welded one.",
      "Weld the surface before it is clipped.",
    );
  }
  return withVectors(async (vectors) => {
    const { positions, normals, fields, cells } = await soupOf(p, vectors, surface);
    const measured = p.forEach(positions.length, measure, { inputs: { positions }, constants });
    const { distances } = await holdAll(vectors, measured);
    const triangles = positions.length / 3;
    const classified = p.forEach(triangles, classify, { inputs: { distances }, constants: {} });
    const { vertices } = await holdAll(vectors, classified);
    const { total, elements, starts, firsts } = await enumerate(p, vectors, vertices);
    const located = await holdAll(
      vectors,
      p.forEach(total, locate, { inputs: { distances, firsts }, constants: {}, at: elements }),
    );
    vectors.drop([starts]);
    const welded =
      isWelded && surface.indices ? await weldEdges(p, vectors, located, surface.indices) : undefined;
    const { lows, highs, shares } = welded ?? located;
    const move = async (values: Vector<"f32">, kernel = between[values.components - 1]) => {
      const inputs = { highs, shares, values };
      const { results } = await p.forEach(lows.length, kernel, { inputs, constants: {}, at: lows });
      return vectors.hold(results);
    };
    const moved = [];
    for (const field of fields) moved.push(await move(field));
    const sources = p.permuted(elements, p.counting("u32", total / 3, 0, 3));
    return handOut(vectors, {
      positions: await move(positions),
      normals: await move(normals, directionBetween),
      fields: moved,
      ids: undefined,
      indices: welded?.indices,
      cells: cells && (await vectors.hold(p.gather(sources, cells))),
    });
  });
}

/** A surface with three vertices a triangle. */
async function soupOf(p: Primitives, vectors: Vectors, surface: Surface): Promise<Omit<Surface, "release">> {
  const { indices } = surface;
  if (!indices) return surface;
  const gathered = async (vector: Vector<"f32">) => vectors.hold(p.gather(indices, vector));
  const fields = [];
  for (const field of surface.fields) fields.push(await gathered(field));
  const [positions, normals] = [await gathered(surface.positions), await gathered(surface.normals)];
  return { ...surface, positions, normals, fields };
}
