import { describe, expect, test } from "vitest";
import { noJob } from "../core/job.ts";
import { writeVti } from "../data/write/vtk-xml.ts";
import { Engine } from "./engine.ts";
import { ballData } from "./testing/data.ts";

const ballFile = async (name: string) => new File(await writeVti(ballData([5, 5, 5]), noJob), name);

async function startEngine(): Promise<Engine> {
  const engine = new Engine();
  await engine.start({ device: "cpu" }, () => {});
  return engine;
}

describe("what is asked for in a data set", () => {
  test("is ended with a sentence where another has been opened when its turn comes", async () => {
    const engine = await startEngine();
    await engine.open({ kind: "file", file: await ballFile("first.vti") });
    await engine.compute("kept = 2 * r");
    const opening = engine.open({ kind: "file", file: await ballFile("second.vti") });
    const asked = {
      compute: engine.compute("s = r + 1"),
      run: engine.run("s = r + 1", { strategy: "auto" }),
      compare: engine.compare("s = r + 1", undefined, () => {}),
      histogram: engine.histogram("r"),
      removal: engine.removeDerived("kept"),
      mesh: engine.exportMesh("stl"),
      field: engine.exportField("r", "npy"),
    };
    const results = await Promise.allSettled(Object.values(asked));
    expect((await opening).name).toBe("second.vti");
    for (const [i, what] of Object.keys(asked).entries()) {
      expect([what, results[i]]).toMatchObject([
        what,
        {
          reason: {
            tag: "Cancelled",
            problem: expect.stringMatching(
              / was requested for “first\.vti”, but “second\.vti” has been opened since\.$/,
            ),
            remedy: "Request it again if you mean the data that is open now.",
          },
        },
      ]);
    }
    expect(results[0]).toMatchObject({ reason: { problem: expect.stringMatching(/^“s = r \+ 1” /) } });
    expect((await engine.compute("s = r + 1")).derived).toHaveLength(1);
  });

  test("stays wanted where nothing was open yet, and where the other could not be opened", async () => {
    const engine = await startEngine();
    const first = engine.open({ kind: "file", file: await ballFile("first.vti") });
    const early = engine.compute("s = r + 1");
    await first;
    expect((await early).derived).toHaveLength(1);
    const bad = engine.open({ kind: "file", file: new File(["nonsense"], "bad.vtk") });
    const late = engine.compute("t = r + 2");
    await expect(bad).rejects.toThrow("bad.vtk");
    expect((await late).derived).toHaveLength(1);
  });
});
