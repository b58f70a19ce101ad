import { mkdir, readFile, symlink } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { noJob } from "../../core/job.ts";
import type { DataSource } from "../../engine/ranks/data-source.ts";
import { TestFolder } from "../testing/cli-data.ts";
import { nodeEngine } from "./node-engine.ts";

const folder = new TestFolder();

describe("the data that a host's jobs can have a Node rank read", () => {
  const read = async (source: DataSource, data?: string) =>
    (await nodeEngine({ device: "cpu", data }).read(source, noJob))?.name;
  const path = (path: string) => ({ kind: "path", path, raw: null }) as const;

  it("are the file or the folder that it allows", async () => {
    expect(await read(path(folder.ball), folder.ball)).toBe("ball.vti");
    expect(await read(path(folder.ball), folder.path)).toBe("ball.vti");
    expect(await read(path(folder.ball), "/")).toBe("ball.vti");
  });

  it("are no other files, by whatever path, and none where nothing is allowed", async () => {
    await mkdir(folder.file("inside"), { recursive: true });
    await symlink(folder.ball, folder.file("inside", "link.vti"));
    expect(await read(path(folder.ball))).toBeUndefined();
    expect(await read(path(folder.ball), folder.shear)).toBeUndefined();
    expect(await read(path(folder.ball), folder.file("inside"))).toBeUndefined();
    expect(await read(path(folder.file("inside", "..", "ball.vti")), folder.file("inside"))).toBeUndefined();
    expect(await read(path(folder.file("inside", "link.vti")), folder.file("inside"))).toBeUndefined();
    expect(await read(path(`${folder.file("inside")}-too/x.vti`), folder.file("inside"))).toBeUndefined();
    expect(await read(path(folder.file("missing.vti")), folder.path)).toBeUndefined();
    expect(await read({ kind: "url", url: "http://localhost/x.vti", raw: null }, "/")).toBeUndefined();
    expect(await read({ kind: "host", name: "x" }, "/")).toBeUndefined();
  });

  it("are written into the folder that it allows, and nowhere else", async () => {
    await mkdir(folder.file("out"));
    await symlink(folder.ball, folder.file("out", "link.vti"));
    const bytes = [Uint8Array.of(1, 2, 3)];
    const { write } = nodeEngine({ device: "cpu", out: folder.file("out") });
    await write?.(folder.file("out", "q_1.vtp"), bytes);
    expect([...(await readFile(folder.file("out", "q_1.vtp")))]).toEqual([1, 2, 3]);
    for (const path of [
      folder.file("q_1.vtp"),
      folder.file("out", "..", "x"),
      folder.file("out", "link.vti"),
    ]) {
      await expect(write?.(path, bytes)).rejects.toMatchObject({ tag: "Refused" });
    }
    expect(nodeEngine({ device: "cpu" }).write).toBeUndefined();
  });

  it("are samples that it makes", async () => {
    const data = await nodeEngine({ device: "cpu" }).read({ kind: "sample", name: "tangle", size: 5 }, noJob);
    expect(data).toMatchObject({ grid: { dims: [5, 5, 5] } });
  });
});
