import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { chooseGpu, gpuFiles } from "./choice.ts";
import { commandWithout, hideFiles } from "./hide.ts";

describe("the GPUs of a machine", () => {
  const machine =
    (folders: Readonly<Record<string, readonly string[]>>) =>
    (canOpen = (_: string) => true) =>
      gpuFiles({ list: (folder) => folders[folder] ?? [], canOpen });

  it("are device files in the order of their numbers", () => {
    const names = ["nvidiactl", "nvidia10", "nvidia2", "nvidia-uvm", "nvidia0", "null"];
    const nvidia = machine({ "/dev": names, "/dev/dri": ["renderD128", "renderD129", "renderD130"] });
    expect(nvidia()).toEqual(["/dev/nvidia0", "/dev/nvidia2", "/dev/nvidia10"]);
    const others = machine({
      "/dev": ["null"],
      "/dev/dri": ["by-path", "renderD129", "card0", "renderD128"],
    });
    expect(others()).toEqual(["/dev/dri/renderD128", "/dev/dri/renderD129"]);
    expect(machine({})()).toEqual([]);
  });

  it("are only those that a confined job may open", () => {
    const files = machine({ "/dev": ["nvidia0", "nvidia1", "nvidia2"] });
    expect(files((path) => path === "/dev/nvidia1")).toEqual(["/dev/nvidia1"]);
  });
});

describe("a rank's GPU", () => {
  const four = [0, 1, 2, 3].map((k) => `/dev/nvidia${k}`);

  it("is the one that its number on the machine names; ranks take turns where they are more", () => {
    expect(chooseGpu(1, four, undefined)).toEqual({ own: four[1], others: [four[0], four[2], four[3]] });
    expect([0, 1, 2, 3, 4, 5].map((rank) => chooseGpu(rank, four, undefined)?.own)).toEqual([
      ...four,
      four[0],
      four[1],
    ]);
  });

  it("is nobody's choice where there are not several", () => {
    expect(chooseGpu(3, four.slice(0, 1), undefined)).toBeUndefined();
    expect(chooseGpu(0, [], "0,1")).toBeUndefined();
  });

  it("is among those that CUDA_VISIBLE_DEVICES lists, for all ranks or for each", () => {
    expect([0, 1, 2].map((rank) => chooseGpu(rank, four, "3,1")?.own)).toEqual([four[3], four[1], four[3]]);
    expect([0, 1].map((rank) => chooseGpu(rank, four, String(rank + 2))?.own)).toEqual([four[2], four[3]]);
    for (const text of ["GPU-8932f937", "7", "", "1,,2"]) expect(chooseGpu(1, four, text)?.own).toBe(four[1]);
  });
});

describe("hiding files", () => {
  let folder = "";
  const file = (name: string) => join(folder, name);

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "crinkle-hide-"));
    for (const name of ["own", "other", "third"]) writeFileSync(file(name), name);
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  it("leaves a command the others, where the system permits it", () => {
    const names = ["own", "other", "third"].map(file);
    const command = commandWithout([names[1], names[2]], ["cat", ...names]);
    if (!command) {
      console.info("left out: hiding files from commands, which this system does not permit");
      return;
    }
    const [program, ...args] = command;
    expect(spawnSync(program, args, { encoding: "utf8" }).stdout).toBe("own");
    expect(readFileSync(names[1], "utf8")).toBe("other");
  });

  it("works in this thread, or says why not", async () => {
    const reason = await hideFiles([file("third")]);
    if (reason === undefined) {
      expect(readFileSync(file("third"), "utf8")).toBe("");
      expect(readFileSync(file("own"), "utf8")).toBe("own");
      // The files of a folder that is removed may not be covered.
      const uncovered = spawnSync("umount", [file("third")]);
      expect(uncovered.status).toBe(0);
    } else expect(reason).toMatch(/\w/);
    const missing = await hideFiles([file("missing")]);
    expect(missing).toMatch(/no such file|not permitted|mount namespaces/i);
  });
});
