import { noJob } from "../../../core/job.ts";
import { joinEdgeMeshes } from "../../../core/join-edge-meshes.ts";
import { joinMeshes } from "../../../core/join-meshes.ts";
import type { EdgeMesh, MaybeEdgeMesh } from "../../../core/marching-cubes/weld.ts";
import type { TriangleMesh } from "../../../core/mesh.ts";
import { meshBounds } from "../../../core/mesh-measures.ts";
import { reverseFacets } from "../../../core/reverse-facets.ts";
import type { MeshArrays } from "../../../data/write/mesh-options.ts";
import { sessionMeshArrays } from "../../../engine/mesh-arrays.ts";
import {
  isosurfaceMeshes,
  type SurfaceRequest,
  type SurfaceResult,
  titleOfExpression,
} from "../../../engine/surface-mesh.ts";
import type { Terminal } from "../../command-line/command.ts";
import { meshWriter } from "../../write-file.ts";
import {
  checkAllFields,
  openFileSession,
  planeOption,
  type SurfaceOptions,
  sizeOf,
  valuePlace,
} from "./extract.ts";

type Request = Pick<SurfaceRequest, "soup"> & Pick<Parameters<typeof isosurfaceMeshes>[1], "shape">;

/**
 * Extracts the isosurface of each isovalue, and writes one mesh of all, or a file for each where the name has a place for the
 * isovalue. Reports the size of each and of all.
 */
export async function extractSeveral(
  path: string,
  request: Request,
  given: SurfaceOptions,
  terminal: Terminal,
) {
  const { "color-by": colorBy, clip, "all-fields": withFields, out } = given;
  checkAllFields(given);
  const plane = clip === undefined ? undefined : planeOption("clip", clip);
  const { isovalues } = request.shape;
  const title = colorBy && titleOfExpression(colorBy);
  const paths = out?.includes(valuePlace)
    ? isovalues.map((isovalue) => out.replaceAll(valuePlace, String(isovalue)))
    : undefined;
  const writers = paths?.map((each) => meshWriter(each, title));
  const writeAll = out === undefined || paths ? undefined : meshWriter(out, title);
  const session = await openFileSession(path, given, terminal);
  const fieldsAt = (mesh: TriangleMesh) =>
    withFields ? sessionMeshArrays(session, mesh, noJob) : Promise.resolve(undefined);

  const start = performance.now();
  const extracted = await isosurfaceMeshes(session, { ...request, colorBy, clip: plane });
  const made = given["reverse-facets"]
    ? extracted.map((each) => ({ ...each, mesh: reverseFacets(each.mesh) }))
    : extracted;
  const ms = performance.now() - start;
  for (const note of new Set(made.flatMap(({ notes }) => notes))) terminal.err(note);
  for (const [i, write] of writers?.entries() ?? []) await write(made[i].mesh, await fieldsAt(made[i].mesh));
  const whole = joined(made.map(({ mesh }) => mesh));
  if (writeAll) await writeAll(whole, withIsovalues(await fieldsAt(whole), isovalues, made));
  return {
    isovalues: made.map(({ mesh, area, bounds }, i) => ({
      value: isovalues[i],
      ...sizeOf(mesh, area, bounds),
      ...(paths ? { out: paths[i] } : {}),
    })),
    ...sizeOf(
      whole,
      made.reduce((sum, { area }) => sum + area, 0),
      meshBounds(whole),
    ),
    device: session.device.summary.kind,
    ms,
  };
}

const hasEdges = (mesh: MaybeEdgeMesh): mesh is EdgeMesh => mesh.edges !== undefined;

const joined = (meshes: readonly MaybeEdgeMesh[]): MaybeEdgeMesh =>
  meshes.every(hasEdges) ? joinEdgeMeshes(meshes) : joinMeshes(meshes);

/** With the isovalue of each vertex, for formats that hold arrays: which surface it is on. */
function withIsovalues(
  { vertices, triangles }: MeshArrays = { vertices: [], triangles: [] },
  isovalues: readonly number[],
  made: readonly SurfaceResult[],
): MeshArrays {
  const data = Float64Array.from(
    made.flatMap(({ mesh }, i) => new Array<number>(mesh.positions.length / 3).fill(isovalues[i])),
  );
  return { vertices: [{ name: "isovalue", components: 1, dtype: "f64", data }, ...vertices], triangles };
}
