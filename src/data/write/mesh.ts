import type { JobContext } from "../../core/job.ts";
import type { TriangleMesh } from "../../core/mesh.ts";
import type { Chunks } from "./chunks.ts";
import type { MeshOptions } from "./mesh-options.ts";

export const meshFormats = ["stl", "ply", "obj", "glb", "vtp"] as const;

export type MeshFormat = (typeof meshFormats)[number];

/** Writes a mesh in one of the formats; what a format cannot hold is left out. Throws Cancelled or TooLarge. */
export async function writeMesh(
  mesh: TriangleMesh,
  format: MeshFormat,
  job: JobContext,
  options: MeshOptions = {},
): Promise<Chunks> {
  switch (format) {
    case "stl":
      return (await import("./stl.ts")).writeStl(mesh, job);
    case "ply":
      return (await import("./ply.ts")).writePly(mesh, job, options);
    case "obj":
      return (await import("./obj.ts")).writeObj(mesh, job);
    case "glb":
      return (await import("./glb.ts")).writeGlb(mesh, job, options);
    case "vtp":
      return (await import("./vtp.ts")).writeVtp(mesh, job, options);
  }
}
