import type { Centering } from "../../../core/grid.ts";
import { overload } from "./elementwise.ts";
import type { CompositeFilter, ElementFilter, Filter, MeshFilter, RecenterFilter } from "./filter.ts";
import { forEachElement } from "./neighborhood.ts";

const group = "Mesh";

export const coordinates: MeshFilter = {
  kind: "mesh",
  name: "coords",
  output: "vec3",
  reads: "positions",
  doc: {
    signature: "coords()",
    summary: "Position of each value in the grid's physical units; x, y and z are its components.",
    example: "magnitude(coords() - {0.5, 0.5, 0.5})",
    group,
  },
  text: "out.value = vec3f(coordinate_x(at.x), coordinate_y(at.y), coordinate_z(at.z));",
  cpu({ dims, coordinates: axes }, first, count, out) {
    forEachElement(dims, first, count, (_, index, e) => {
      for (let axis = 0; axis < 3; axis++) out[3 * e + axis] = axes[axis][index[axis]];
    });
  },
};

const indices: MeshFilter = {
  kind: "mesh",
  name: "indices",
  aliases: ["ijk"],
  output: "vec3",
  doc: {
    signature: "indices()",
    summary: "Indices of each node or cell in the grid, counted from 0 along x, y and z.",
    example: "indices()[2] % 2 == 0",
    group,
  },
  text: "out.value = vec3f(vec3i(at) + constants.first);",
  cpu({ dims, part }, first, count, out) {
    forEachElement(dims, first, count, (_, index, e) => {
      for (let axis = 0; axis < 3; axis++) out[3 * e + axis] = index[axis] + part.first[axis];
    });
  },
};

const numbers = (name: string, aliases: readonly string[], only: Centering): MeshFilter => ({
  kind: "mesh",
  name,
  aliases,
  output: "scalar",
  only,
  doc: {
    signature: `${name}()`,
    summary: `Number of each ${only}, counted from 0, x fastest; exact up to 16,777,216 in 32-bit floating point.`,
    formula: "i + nx * (j + ny * k)",
    example: `${name}() % 2`,
    group,
  },
  text: `let here = vec3i(at) + constants.first;
let along = ${only === "node" ? "constants.whole" : "max(constants.whole - 1, vec3i(1))"};
out.value = f32(u32(here.x + along.x * (here.y + along.y * here.z)));`,
  cpu({ dims, part }, first, count, out) {
    const [nx, ny] = part.dims.map((n) => (only === "node" ? n : Math.max(n - 1, 1)));
    const [i, j, k] = part.first;
    forEachElement(dims, first, count, (_, index, e) => {
      out[e] = index[0] + i + nx * (index[1] + j + ny * (index[2] + k));
    });
  },
});

const cellSize: MeshFilter = {
  kind: "mesh",
  name: "cell_size",
  output: "vec3",
  only: "cell",
  reads: "steps",
  doc: {
    signature: "cell_size()",
    summary: "Extents of each cell along x, y and z; 0 along flat directions.",
    example: "max(abs(velocity[0]) / cell_size()[0], 1e-6)",
    group,
  },
  text: `let inverse = vec3f(inverse_step_x(at.x), inverse_step_y(at.y), inverse_step_z(at.z));
out.value = select(1.0 / inverse, vec3f(0.0), inverse == vec3f(0.0));`,
  cpu({ dims, nodes }, first, count, out) {
    forEachElement(dims, first, count, (_, index, e) => {
      for (let axis = 0; axis < 3; axis++) {
        const x = nodes[axis];
        out[3 * e + axis] = x.length > 1 ? x[index[axis] + 1] - x[index[axis]] : 0;
      }
    });
  },
};

const corner = (name: string, which: "smallest" | "largest", bound: "low" | "high"): MeshFilter => ({
  kind: "mesh",
  name,
  output: "vec3",
  doc: {
    signature: `${name}()`,
    summary: `The grid's ${which} coordinates along x, y and z, the same at every value.`,
    example: "(coords() - min_coord())[0] / (max_coord() - min_coord())[0]",
    group,
  },
  text: `out.value = constants.${bound};`,
  cpu({ part: { bounds } }, _, count, out) {
    for (let i = 0; i < 3 * count; i++) out[i] = bounds[2 * (i % 3) + (bound === "low" ? 0 : 1)];
  },
});

const volumeOfSize: ElementFilter = {
  kind: "element",
  name: "volume_of_size",
  internal: true,
  doc: {
    signature: "volume_of_size(s)",
    summary: "Volume of a box.",
    example: "volume_of_size(cell_size())",
    group,
  },
  overloads: [overload(["vec3"], "scalar", "a.x * a.y * a.z")],
};

const areaOfSize: ElementFilter = {
  kind: "element",
  name: "area_of_size",
  internal: true,
  doc: {
    signature: "area_of_size(s)",
    summary: "Area of a rectangle, or of the surface of a box.",
    example: "area_of_size(cell_size())",
    group,
  },
  overloads: [
    overload(
      ["vec3"],
      "scalar",
      "select(1.0, 2.0, all(a != vec3<real>(0.0))) * (a.x * a.y + a.y * a.z + a.z * a.x)",
    ),
  ],
};

const ofSize = (part: string): CompositeFilter["overloads"] => [
  {
    inputs: [],
    output: "scalar",
    expand: (network, _, span) => network.apply(part, [network.apply("cell_size", [], span)], span),
  },
];

const volume: CompositeFilter = {
  kind: "composite",
  name: "cell_volume",
  aliases: ["volume"],
  doc: {
    signature: "cell_volume()",
    summary: "Volume of each cell; 0 on flat grids, whose cells have an area().",
    example: "cell_volume() * recenter(rho)",
    group,
  },
  overloads: ofSize("volume_of_size"),
};

const area: CompositeFilter = {
  kind: "composite",
  name: "area",
  aliases: ["cell_area"],
  doc: {
    signature: "area()",
    summary: "Area of each cell of a flat grid; in three dimensions, the total area of the cell's six faces.",
    example: "area() * recenter(rho)",
    group,
  },
  overloads: ofSize("area_of_size"),
};

const rank: CompositeFilter = {
  kind: "composite",
  name: "rank",
  aliases: ["procid"],
  doc: {
    signature: "rank()",
    summary: "Number of the rank that computes the value: 0, because one rank computes all of them.",
    example: "rank()",
    group,
  },
  overloads: [{ inputs: [], output: "scalar", expand: (network) => network.constant([0]) }],
};

const recenter: RecenterFilter = {
  kind: "recenter",
  name: "recenter",
  doc: {
    signature: "recenter(f)",
    summary:
      "Moves values from nodes to cells or back: each result is the mean of the values at the cell's corners, or of the cells around the node.",
    example: "recenter(pressure)",
    group,
  },
};

export const mesh: readonly Filter[] = [
  coordinates,
  recenter,
  cellSize,
  volume,
  area,
  corner("min_coord", "smallest", "low"),
  corner("max_coord", "largest", "high"),
  indices,
  numbers("node_id", ["nodeid"], "node"),
  numbers("zone_id", ["zoneid", "cell_id"], "cell"),
  rank,
  volumeOfSize,
  areaOfSize,
];
