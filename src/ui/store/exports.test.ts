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
  await session.exports.exportMesh("vtp", "layer-1", { withFields: true, reverseFacets: true });
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
  expect(engine.calls).toContain('exportMesh "vtp" "layer-1" {"withFields":true,"reverseFacets":true}');
  expect(engine.calls).toContain("savePicture 3");
  expect(session.store.getState().status.message).toBe("Saved carotid-Wall-inner.stl");
});

test("a hidden layer names no picture, and its mesh is said to be of it", async () => {
  const { saved, session } = await startedSession();
  await session.layers.add("slice");
  session.layers.rename("layer-1", "Shown");
  session.layers.rename("layer-2", "Hidden");
  await session.layers.change("layer-2", { name: "hide" }, (layer) => ({ ...layer, isVisible: false }));
  await session.exports.savePicture(1);
  await session.exports.exportMesh("stl", "layer-2");
  expect(saved).toEqual(["Taylor-Green-vortex-Shown.png", "Taylor-Green-vortex-Hidden.stl"]);
  expect(session.store.getState().status.message).toBe(
    "Saved Taylor-Green-vortex-Hidden.stl, of a layer that is hidden",
  );
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
