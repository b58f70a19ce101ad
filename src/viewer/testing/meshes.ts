import type { SurfaceBuffers } from "../viewer.ts";

/** A triangle mesh on the host, as the viewer's buffers hold it. */
export interface TestMesh {
  readonly positions: readonly number[];
  readonly normals: readonly number[];
  readonly scalars: readonly number[];
  readonly indices: readonly number[];
}

/** A rectangle in the plane z = `z` whose normal is +z; `scalars` at (−,−), (+,−), (+,+), (−,+). */
export function quadMesh(halfX: number, halfY: number, z: number, scalars: readonly number[]): TestMesh {
  return {
    positions: [-halfX, -halfY, z, halfX, -halfY, z, halfX, halfY, z, -halfX, halfY, z],
    normals: [0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1],
    scalars,
    indices: [0, 1, 2, 0, 2, 3],
  };
}

/** A sphere of rings and segments whose scalar is a function of the unit normal. */
export function sphereMesh(
  radius: number,
  rings: number,
  scalar: (x: number, y: number, z: number) => number,
): TestMesh {
  const positions: number[] = [];
  const normals: number[] = [];
  const scalars: number[] = [];
  const indices: number[] = [];
  const segments = 2 * rings;
  for (let i = 0; i <= rings; i++) {
    for (let j = 0; j <= segments; j++) {
      const theta = (Math.PI * i) / rings;
      const phi = (2 * Math.PI * j) / segments;
      const n = [Math.sin(theta) * Math.cos(phi), Math.sin(theta) * Math.sin(phi), Math.cos(theta)];
      normals.push(...n);
      positions.push(...n.map((c) => c * radius));
      scalars.push(scalar(n[0], n[1], n[2]));
      if (i === rings || j === segments) continue;
      const at = i * (segments + 1) + j;
      indices.push(at, at + segments + 1, at + 1, at + 1, at + segments + 1, at + segments + 2);
    }
  }
  return { positions, normals, scalars, indices };
}

/** Uploads a mesh into buffers with room for `spare` more bytes each, as a grown surface has. */
export function uploadMesh(device: GPUDevice, mesh: TestMesh, spare = 0): SurfaceBuffers {
  const { VERTEX, INDEX, INDIRECT, STORAGE, COPY_DST } = GPUBufferUsage;
  const upload = (
    label: string,
    data: Float32Array<ArrayBuffer> | Uint32Array<ArrayBuffer>,
    usage: number,
  ) => {
    const buffer = device.createBuffer({
      label,
      size: data.byteLength + spare,
      usage: usage | STORAGE | COPY_DST,
    });
    device.queue.writeBuffer(buffer, 0, data);
    return buffer;
  };
  return {
    vertices: upload("vertices", interleave(mesh), VERTEX),
    indices: upload("indices", new Uint32Array(mesh.indices), INDEX),
    indirect: upload("indirect", new Uint32Array([mesh.indices.length, 1, 0, 0, 0]), INDIRECT),
  };
}

function interleave({ positions, normals, scalars }: TestMesh): Float32Array<ArrayBuffer> {
  const words = new Float32Array(8 * scalars.length);
  scalars.forEach((scalar, i) => {
    words.set([...positions.slice(3 * i, 3 * i + 3), ...normals.slice(3 * i, 3 * i + 3), scalar], 8 * i);
  });
  return words;
}
