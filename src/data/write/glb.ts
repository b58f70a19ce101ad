import { CrinkleError } from "../../core/errors.ts";
import type { JobContext } from "../../core/job.ts";
import type { TriangleMesh } from "../../core/mesh.ts";
import { bytesOf } from "../bytes/allocate.ts";
import { Yielder } from "../bytes/yielder.ts";
import type { Chunks } from "./chunks.ts";
import type { MeshOptions } from "./mesh-options.ts";

const itemsPerStep = 1 << 16;
const maxBytes = 2 ** 32 - 1;
const componentType = { u16: 5123, u32: 5125, f32: 5126 } as const;
const bufferTarget = { vertices: 34962, indices: 34963 } as const;

interface Part {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly target: number;
  readonly accessor: Record<string, unknown>;
}

/**
 * Writes binary glTF 2.0: one mesh with POSITION, NORMAL, COLOR_0 (linear, as glTF wants it) where colours are asked
 * for, and _SCALAR where there is a scalar whose values are all finite, as glTF wants them; its name lies in the
 * mesh's extras. The node is turned so that z points up. Throws TooLarge beyond 4 GiB.
 */
export async function writeGlb(
  mesh: TriangleMesh,
  job: JobContext,
  { scalarName = "scalar", color }: MeshOptions = {},
): Promise<Chunks> {
  const { positions, normals, scalars, indices } = mesh;
  const asset = { version: "2.0", generator: "Crinkle" };
  if (indices.length === 0) return container({ asset, scene: 0, scenes: [{}] }, []);
  const yielder = new Yielder(job, "Writing the mesh");
  const count = positions.length / 3;
  const floats = { componentType: componentType.f32, count };
  const vertices = bufferTarget.vertices;
  const attributes: Record<string, number> = { POSITION: 0, NORMAL: 1 };
  const parts: Part[] = [
    {
      bytes: asBytes(positions),
      target: vertices,
      accessor: { ...floats, type: "VEC3", ...(await extremes(positions, yielder)) },
    },
    {
      bytes: asBytes(await unitVectors(normals, yielder)),
      target: vertices,
      accessor: { ...floats, type: "VEC3" },
    },
  ];
  const add = (part: Part) => parts.push(part) - 1;
  if (color) {
    attributes.COLOR_0 = add({
      bytes: asBytes(await linearColors(count, color, yielder)),
      target: vertices,
      accessor: { componentType: componentType.u16, normalized: true, count, type: "VEC4" },
    });
  }
  const hasScalar = scalars?.every(Number.isFinite) ?? false;
  if (scalars && hasScalar) {
    attributes._SCALAR = add({
      bytes: asBytes(scalars),
      target: vertices,
      accessor: { ...floats, type: "SCALAR" },
    });
  }
  const corners = add({
    bytes: asBytes(indices),
    target: bufferTarget.indices,
    accessor: { componentType: componentType.u32, count: indices.length, type: "SCALAR" },
  });
  const material = { doubleSided: true, pbrMetallicRoughness: { metallicFactor: 0, roughnessFactor: 0.8 } };
  const root = {
    asset,
    scene: 0,
    scenes: [{ nodes: [0] }],
    nodes: [{ mesh: 0, rotation: [-Math.SQRT1_2, 0, 0, Math.SQRT1_2] }],
    meshes: [
      {
        primitives: [{ attributes, indices: corners, material: 0 }],
        ...(hasScalar ? { extras: { scalar: scalarName } } : {}),
      },
    ],
    materials: [material],
  };
  return container(root, parts);
}

/** The JSON chunk, and the parts one after the other as the binary chunk. All parts are multiples of four bytes. */
function container(root: Record<string, unknown>, parts: readonly Part[]): Chunks {
  let binary = 0;
  const bufferViews = parts.map(({ bytes, target }) => {
    const view = { buffer: 0, byteOffset: binary, byteLength: bytes.length, target };
    binary += bytes.length;
    return view;
  });
  const accessors = parts.map(({ accessor }, bufferView) => ({ bufferView, ...accessor }));
  const described =
    parts.length > 0 ? { ...root, accessors, bufferViews, buffers: [{ byteLength: binary }] } : root;
  const text = new TextEncoder().encode(JSON.stringify(described));
  const json = new Uint8Array(Math.ceil(text.length / 4) * 4).fill(0x20);
  json.set(text);
  const total = 12 + 8 + json.length + (binary > 0 ? 8 + binary : 0);
  if (total > maxBytes) {
    throw new CrinkleError({
      tag: "TooLarge",
      problem: "The mesh needs more than the 4 GiB that a .glb file can hold.",
      remedy: "Clip it, or write PLY.",
    });
  }
  const head = words(0x46546c67, 2, total, json.length, 0x4e4f534a);
  if (binary === 0) return [head, json];
  return [head, json, words(binary, 0x004e4942), ...parts.map(({ bytes }) => bytes)];
}

function words(...values: number[]): Uint8Array<ArrayBuffer> {
  const view = new DataView(new ArrayBuffer(4 * values.length));
  values.forEach((value, i) => {
    view.setUint32(4 * i, value, true);
  });
  return new Uint8Array(view.buffer);
}

function asBytes(array: Float32Array | Uint32Array | Uint16Array): Uint8Array<ArrayBuffer> {
  return bytesOf(array) as Uint8Array<ArrayBuffer>;
}

async function extremes(
  positions: Float32Array,
  yielder: Yielder,
): Promise<{ min: number[]; max: number[] }> {
  const min = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  const max = min.map((value) => -value);
  for (let at = 0; at < positions.length; at += 3) {
    if (at % (3 * itemsPerStep) === 0 && yielder.isDue()) await yielder.yield(0);
    for (let c = 0; c < 3; c++) {
      const x = positions[at + c];
      if (x < min[c]) min[c] = x;
      if (x > max[c]) max[c] = x;
    }
  }
  return { min, max };
}

/** Normals of length 1, and along z where there is none, because glTF requires unit normals. */
async function unitVectors(normals: Float32Array, yielder: Yielder): Promise<Float32Array> {
  const units = new Float32Array(normals.length);
  for (let at = 0; at < normals.length; at += 3) {
    if (at % (3 * itemsPerStep) === 0 && yielder.isDue()) await yielder.yield(at / normals.length);
    const length = Math.hypot(normals[at], normals[at + 1], normals[at + 2]);
    if (length > 0 && length < Number.POSITIVE_INFINITY)
      for (let c = 0; c < 3; c++) units[at + c] = normals[at + c] / length;
    else units[at + 2] = 1;
  }
  return units;
}

/** Linear intensities of sRGB bytes (IEC 61966-2-1), as fractions of 65535. */
const linear = Uint16Array.from({ length: 256 }, (_, byte) => {
  const s = byte / 255;
  return Math.round(65535 * (s <= 0.04045 ? s / 12.92 : ((s + 0.055) / 1.055) ** 2.4));
});

/** Red, green, blue and an opacity of 1 for each vertex. */
async function linearColors(
  count: number,
  color: NonNullable<MeshOptions["color"]>,
  yielder: Yielder,
): Promise<Uint16Array> {
  const colors = new Uint16Array(4 * count);
  const bytes = new Uint8Array(3);
  for (let i = 0; i < count; i++) {
    if (i % itemsPerStep === 0 && yielder.isDue()) await yielder.yield(i / count);
    color(i, bytes, 0);
    for (let c = 0; c < 3; c++) colors[4 * i + c] = linear[bytes[c]];
    colors[4 * i + 3] = 65535;
  }
  return colors;
}
