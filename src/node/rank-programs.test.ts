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

/** The calls of the communicator in a round of the program below: it agrees, makes another, then samples, sends and compares. */
const callsOfSort = [
  "allreduce",
  "dup",
  "allgather",
  "allgather",
  "alltoall",
  "allgather",
  "allgather",
  "allgather",
];
const deadly = process.env.CRINKLE_SWEEP === "1" ? callsOfSort.map((_, at) => at) : [4];

it.each(deadly)(
  "sorts all the same where a process is killed as it begins call %i",
  async (at) => {
    const folder = mkdtempSync(join(tmpdir(), "crinkle-program-"));
    const program = join(folder, "program.mjs");
    const library = pathToFileURL(resolve("dist/node/ranks.js"));
    writeFileSync(
      program,
      `import { createDistributedPrimitives, joinRanks, reductions } from "${library}";
const joined = await joinRanks({ count: 3, device: "cpu", log() {} });
const isVictim = joined.world.rank === 2;
const calls = [];
const mortal = (communicator) => new Proxy(communicator, {
  get(target, name) {
    const member = Reflect.get(target, name, target);
    if (typeof member !== "function") return member;
    return (...given) => {
      if (isVictim && calls.length === ${at}) process.kill(process.pid, "SIGKILL");
      calls.push(name);
      const made = member.apply(target, given);
      return name === "dup" ? made.then(mortal) : made;
    };
  },
});
const count = 100_000;
const valueAt = (i) => Math.imul(i + 1, 2654435761) >>> 8;
let world = mortal(joined.world);
let sorted;
for (;;) {
  try {
    const [finished] = await world.allreduce(Uint32Array.of(sorted ? 1 : 0), reductions.add);
    if (sorted && finished === world.size) break;
    const p = createDistributedPrimitives(await world.dup(), joined.local);
    const [from, to] = [world.rank, world.rank + 1].map((k) => Math.floor((k * count) / world.size));
    const own = Uint32Array.from({ length: to - from }, (_, i) => valueAt(from + i));
    sorted = await p.toHost(await p.sort(await p.fromParts("u32", own)));
  } catch (error) {
    if (!["RankFailed", "Revoked"].includes(error.tag)) throw error;
    world = await world.shrink();
  }
}
const expected = Uint32Array.from({ length: count }, (_, i) => valueAt(i)).sort();
const isSorted = sorted.length === count && sorted.every((value, i) => value === expected[i]);
console.log(\`\${isSorted ? "sorted" : "wrong"} on \${world.size}: \${calls.slice(0, 8).join(" ")}\`);
await joined.close();
`,
    );
    const rank = new RankProcess([], {}, program);
    try {
      expect(await rank.ends(60_000)).toBe(0);
      const lines = rank.out.trim().split("\n");
      expect(lines.length).toBe(2);
      for (const line of lines) {
        expect(line).toMatch(/^sorted on 2: /);
        // What the victim would have called next.
        expect(line.split(": ")[1].split(" ").slice(0, at)).toEqual(callsOfSort.slice(0, at));
      }
    } finally {
      rank.signal("SIGKILL");
      rmSync(folder, { recursive: true });
    }
  },
  90_000,
);
