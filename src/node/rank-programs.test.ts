import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, it } from "vitest";
import { createDistributedPrimitives, joinRanks, operators, reductions } from "./rank-programs.ts";
import { RankProcess } from "./testing/rank-process.ts";

it("refuses numbers of ranks that are none, and to join twice", async () => {
  for (const count of [0, 1.5, Number.NaN])
    await expect(joinRanks({ count, device: "cpu" })).rejects.toMatchObject({ tag: "BadArgument" });
  const { world, local, device, close } = await joinRanks({ count: 1, device: "cpu" });
  const p = createDistributedPrimitives(await world.dup(), local);
  const values = await p.fromParts("f32", Float32Array.of(3, 1, 2));
  expect(await p.reduce(values, operators.max)).toBe(3);
  expect(await world.allreduce(Uint32Array.of(7), reductions.add)).toEqual(Uint32Array.of(7));
  expect(device).toBe("CPU");
  await expect(joinRanks()).rejects.toMatchObject({ tag: "BadArgument" });
  await close();
});

it("passes halos between the ranks of a program, and goes on without one that ends", async () => {
  const folder = mkdtempSync(join(tmpdir(), "crinkle-program-"));
  const program = join(folder, "program.mjs");
  const library = pathToFileURL(resolve("dist/node/ranks.js"));
  writeFileSync(
    program,
    `import { createDistributedPrimitives, joinRanks, operators, reductions } from "${library}";
const { world, local, close } = await joinRanks({ count: 3, device: "cpu" });
const p = createDistributedPrimitives(await world.dup(), local);
const shifted = await p.shift(p.counting("u32", 30), 2);
console.log(await p.reduce(shifted, operators.add));
if (world.rank === 1) {
  for (const other of [0, 2]) await world.recv(other);
  process.exit(0);
}
world.send(1, "done").catch(() => {});
const left = await world.barrier().then(() => world, () => world.shrink());
console.log(\`\${await left.allreduce(Uint32Array.of(1), reductions.add)} left\`);
await close();
`,
  );
  const rank = new RankProcess([], {}, program);
  try {
    expect(await rank.ends()).toBe(0);
    expect(rank.out.trim().split("\n").sort()).toEqual(["2 left", "2 left", "378", "378", "378"]);
  } finally {
    rank.signal("SIGKILL");
    rmSync(folder, { recursive: true });
  }
});
