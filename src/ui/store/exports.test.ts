import { expect, test, vi } from "vitest";
import { FakeEngine } from "../testing/fake-engine.ts";
import { createSession } from "./session.ts";

async function startedSession() {
  const engine = new FakeEngine();
  const saved: string[] = [];
  const session = createSession({ engine, saveFile: (name) => saved.push(name) });
  await session.start();
  return { engine, saved, session };
}

test("files are named after the data set and the surface's field", async () => {
  const { engine, saved, session } = await startedSession();
  await session.data.openFiles([new File(["x"], "carotid.vtk")]);
  await session.layers.showField("vectors[2]");
  await session.exports.savePicture(3);
  await session.exports.exportMesh("ply");
  await session.exports.exportMesh("vtp", "layer-1", true);
  await session.exports.exportField("vectors", "vtk");
  session.layers.rename("layer-1", "Wall: inner");
  await session.exports.exportMesh("stl");
  expect(saved).toEqual([
    "carotid-vectors-2.png",
    "carotid-vectors-2.ply",
    "carotid-vectors-2.vtp",
    "vectors.vti",
    "carotid-Wall-inner.stl",
  ]);
  expect(engine.calls).toContain('exportMesh "vtp" "layer-1" true');
  expect(engine.calls).toContain("savePicture 3");
  expect(session.store.getState().status.message).toBe("Saved carotid-Wall-inner.stl");
});

test("an export that fails saves nothing and says why", async () => {
  const { engine, saved, session } = await startedSession();
  vi.spyOn(engine, "exportMesh").mockRejectedValue({ tag: "BadArgument", problem: "No surface." });
  await session.exports.exportMesh("stl");
  expect(saved).toEqual([]);
  expect(session.store.getState().alert?.error).toEqual({
    tag: "BadArgument",
    problem: "No surface.",
    remedy: "",
  });
});
