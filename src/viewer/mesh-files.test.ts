import { type BufferGeometry, Color, type Mesh, type Object3D, SRGBColorSpace, Vector3 } from "three";
import { GLTFLoader } from "three/examples/jsm/loaders/GLTFLoader.js";
import { OBJLoader } from "three/examples/jsm/loaders/OBJLoader.js";
import { PLYLoader } from "three/examples/jsm/loaders/PLYLoader.js";
import { STLLoader } from "three/examples/jsm/loaders/STLLoader.js";
import { describe, expect, test } from "vitest";
import { noJob } from "../core/job.ts";
import { emptyMesh, type TriangleMesh } from "../core/mesh.ts";
import { meshBounds, surfaceArea } from "../core/mesh-measures.ts";
import { torus, torusColor } from "../data/testing/torus.ts";
import { type MeshFormat, writeMesh } from "../data/write/mesh.ts";

const mesh = torus();
const options = { scalarName: "height", color: torusColor };

async function written(format: MeshFormat, from: TriangleMesh = mesh): Promise<ArrayBuffer> {
  return new Blob(await writeMesh(from, format, noJob, options)).arrayBuffer();
}

async function text(format: MeshFormat): Promise<string> {
  return new TextDecoder().decode(await written(format));
}

/** The one mesh below an object. */
function meshBelow(root: Object3D): Mesh<BufferGeometry> {
  const found: Mesh<BufferGeometry>[] = [];
  root.traverse((object) => {
    if ("isMesh" in object) found.push(object as Mesh<BufferGeometry>);
  });
  expect(found).toHaveLength(1);
  return found[0];
}

/** What a reader got, as a mesh with one vertex after the other. */
function plain(geometry: BufferGeometry): TriangleMesh {
  const { position, normal } = geometry.attributes;
  const count = geometry.index?.count ?? position.count;
  return {
    positions: Float32Array.from(position.array),
    normals: Float32Array.from(normal.array),
    scalars: undefined,
    indices: Uint32Array.from({ length: count }, (_, i) => geometry.index?.getX(i) ?? i),
  };
}

/** The same triangles, in the same order, with the same corners. */
function expectSameTriangles(got: TriangleMesh): void {
  expect(got.indices.length).toBe(mesh.indices.length);
  const corners = ({ positions, indices }: TriangleMesh) =>
    Float32Array.from(
      { length: 3 * indices.length },
      (_, i) => positions[3 * indices[Math.floor(i / 3)] + (i % 3)],
    );
  expect(corners(got)).toEqual(corners(mesh));
  expect(surfaceArea(got)).toBe(surfaceArea(mesh));
  expect(meshBounds(got)).toEqual(meshBounds(mesh));
}

function expectSameNormals(got: TriangleMesh, maxDifference = 0): void {
  const at = ({ normals, indices }: TriangleMesh, corner: number) =>
    new Vector3().fromArray(normals, 3 * indices[corner]);
  for (let corner = 0; corner < mesh.indices.length; corner++)
    expect(at(got, corner).distanceTo(at(mesh, corner))).toBeLessThanOrEqual(maxDifference);
}

describe("three's loaders read the meshes that are written", () => {
  test("STL", async () => {
    const got = plain(new STLLoader().parse(await written("stl")));
    expectSameTriangles(got);
    for (let i = 0; i < got.normals.length; i += 9) {
      const facet = new Vector3().fromArray(got.normals, i);
      expect(facet.length()).toBeCloseTo(1, 6);
      expect(facet.dot(new Vector3().fromArray(mesh.normals, 3 * mesh.indices[i / 3]))).toBeGreaterThan(0.8);
    }
  });

  test("PLY, with colours", async () => {
    const loader = new PLYLoader();
    loader.setCustomPropertyNameMapping({ height: ["height"] });
    const geometry = loader.parse(await written("ply"));
    expectSameTriangles(plain(geometry));
    expectSameNormals(plain(geometry));
    expect(Float32Array.from(geometry.attributes.height.array)).toEqual(mesh.scalars);
    expectColors(geometry, 255);
  });

  test("OBJ", async () => {
    const got = plain(meshBelow(new OBJLoader().parse(await text("obj"))).geometry);
    expectSameTriangles(got);
    expectSameNormals(got);
  });

  test("binary glTF, with colours and the scalar", async () => {
    const { asset, scene } = await new GLTFLoader().parseAsync(await written("glb"), "");
    expect(asset.version).toBe("2.0");
    const found = meshBelow(scene);
    const { geometry, material } = found;
    expectSameTriangles(plain(geometry));
    expectSameNormals(plain(geometry), 1e-6);
    expectColors(geometry, 65535);
    expect(Float32Array.from(geometry.attributes._scalar.array)).toEqual(mesh.scalars);
    expect(found.userData.scalar).toBe("height");
    expect(material).toMatchObject({ side: 2, vertexColors: true, metalness: 0 });
    const upwards = new Vector3(0, 0, 1).applyQuaternion(found.quaternion);
    expect(upwards.distanceTo(new Vector3(0, 1, 0)), "z points up").toBeLessThan(1e-6);
  });

  test("binary glTF of nothing is a scene of nothing", async () => {
    const { scene } = await new GLTFLoader().parseAsync(await written("glb", emptyMesh), "");
    expect(scene.children).toHaveLength(0);
  });

  test("binary glTF has unit normals and finite scalars alone", async () => {
    const odd: TriangleMesh = {
      positions: Float32Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0),
      normals: Float32Array.of(0, 0, 0, Number.NaN, 0, 0, 0, 3, 4),
      scalars: Float32Array.of(1, Number.NaN, 2),
      indices: Uint32Array.of(0, 1, 2),
    };
    const { scene } = await new GLTFLoader().parseAsync(await written("glb", odd), "");
    const { attributes } = meshBelow(scene).geometry;
    expect(Array.from(attributes.normal.array)).toEqual([
      ...[0, 0, 1],
      ...[0, 0, 1],
      ...Float32Array.of(0, 0.6, 0.8),
    ]);
    expect(attributes._scalar).toBeUndefined();
  });
});

/** Colours are the same as linear intensities, to half of one of their steps. */
function expectColors({ attributes: { color } }: BufferGeometry, steps: number): void {
  const bytes = new Uint8Array(3);
  for (let vertex = 0; vertex < color.count; vertex++) {
    torusColor(vertex, bytes, 0);
    const expected = new Color().setRGB(bytes[0] / 255, bytes[1] / 255, bytes[2] / 255, SRGBColorSpace);
    for (const [c, channel] of expected.toArray().entries())
      expect(Math.abs(color.getComponent(vertex, c) - channel)).toBeLessThanOrEqual(0.5001 / steps);
  }
}
