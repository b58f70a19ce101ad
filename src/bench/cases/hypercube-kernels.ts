/** Transforms as a person writes them by hand for one shape of f32, to hold the generated kernels against. */

/** Threads of a workgroup along x and y: a thread moves one element, as in seed 002's kernels. */
export const handTile = [32, 8] as const;

/** The source's index of element (x, y, z) of an array of nx · ny · nz elements, by the transforms' names. */
const indices: Readonly<Record<string, string>> = {
  flip_x: "(nx - 1u - x) + nx * (y + ny * z)",
  flip_y: "x + nx * ((ny - 1u - y) + ny * z)",
  shift_x: "select(x - 3u, x + nx - 3u, x < 3u) + nx * (y + ny * z)",
  shift_y: "x + nx * (select(y - 3u, y + ny - 3u, y < 3u) + ny * z)",
  crinkle_x: "select((x - nx / 2u) * 2u + 1u, x * 2u, x < nx / 2u) + nx * (y + ny * z)",
  crinkle_y: "x + nx * (select((y - ny / 2u) * 2u + 1u, y * 2u, y < ny / 2u) + ny * z)",
  composition:
    "select((nx - 1u - x) - 3u, (nx - 1u - x) + nx - 3u, (nx - 1u - x) < 3u) + nx * (select((y - ny / 2u) * 2u + 1u, y * 2u, y < ny / 2u) + ny * z)",
};

const head = /* wgsl */ `
override nx: u32;
override ny: u32;
override nz: u32;
@group(0) @binding(0) var<storage, read> source: array<f32>;
@group(0) @binding(1) var<storage, read_write> result: array<f32>;
`;

/** A thread an element; without a kernel of its own for Morton order, whose index is a loop over bits. */
const direct = (index: string): string => /* wgsl */ `${head}
@compute @workgroup_size(${handTile[0]}, ${handTile[1]})
fn main(@builtin(global_invocation_id) id: vec3u) {
  let x = id.x;
  let y = id.y;
  let z = id.z;
  if (x >= nx || y >= ny) { return; }
  result[x + nx * (y + ny * z)] = source[${index}];
}
`;

/** Through a tile in workgroup memory, so that reads and writes are both of neighbours: x and y change places. */
const transpose = /* wgsl */ `${head}
var<workgroup> tile: array<array<f32, 33>, 32>;
@compute @workgroup_size(32, 8)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_id) local: vec3u) {
  let plane = nx * ny * group.z;
  for (var row = local.y; row < 32u; row += 8u) {
    let x = 32u * group.x + local.x;
    let y = 32u * group.y + row;
    if (x < nx && y < ny) { tile[row][local.x] = source[plane + x + nx * y]; }
  }
  workgroupBarrier();
  for (var row = local.y; row < 32u; row += 8u) {
    let x = 32u * group.y + local.x;
    let y = 32u * group.x + row;
    if (x < ny && y < nx) { result[plane + x + ny * y] = tile[local.x][row]; }
  }
}
`;

/** The kernel of a transform, and the workgroups of a plane of nx · ny elements; undefined where none is written by hand. */
export function handKernel(name: string): { readonly code: string; readonly rows: number } | undefined {
  if (name === "transpose") return { code: transpose, rows: 32 };
  const index = indices[name];
  return index === undefined ? undefined : { code: direct(index), rows: handTile[1] };
}
