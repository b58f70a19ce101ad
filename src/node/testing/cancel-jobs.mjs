// Run by cancel.test.ts: starts ranks, cancels a job on them several times, and prints what that took.
// Arguments: the module of ranks, a file, an expression that takes long, and one that takes none.
import { readFileSync } from "node:fs";
import { setTimeout } from "node:timers/promises";

const [library, file, long, short] = process.argv.slice(2);
/** @type {typeof import("../../embed/ranks.ts")} */
const { openRanks } = await import(library);

/** @type {number[]} */
const processes = [];
const ranks = await openRanks({
  count: 3,
  device: "cpu",
  data: file,
  log: (line) => processes.push(Number(/is process (\d+)/.exec(line)?.[1])),
});

/** Clock ticks of a process on its cores so far, of 10 ms each. @param {number} pid */
function ticksOf(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1].split(" ");
  return Number(fields[11]) + Number(fields[12]);
}

const ticks = () => processes.reduce((sum, pid) => sum + ticksOf(pid), 0);

/** Bytes of this process's arrays that are in use. What is only kept for reuse goes with the second collection. */
async function bytesInUse() {
  for (let pass = 0; pass < 2; pass++) {
    globalThis.gc?.();
    await setTimeout(20);
  }
  return process.memoryUsage().external;
}

/** Milliseconds between a cancel and the end of the job on all ranks. @param {number} after */
async function cancelled(after) {
  const stop = new AbortController();
  const job = ranks.statistics(file, long, { signal: stop.signal });
  job.catch(() => {});
  await setTimeout(after);
  const begun = performance.now();
  stop.abort();
  await job.then(
    () => Promise.reject(new Error("The job was over before it was cancelled.")),
    (error) => (error.tag === "Cancelled" ? undefined : Promise.reject(error)),
  );
  return performance.now() - begun;
}

await cancelled(300);
const before = await bytesInUse();
const ms = [];
for (const after of [200, 300, 400]) ms.push(await cancelled(after));
const left = (await bytesInUse()) - before;
const busyBefore = ticks();
await setTimeout(300);
const busy = ticks() - busyBefore;
const { ranks: reports } = await ranks.statistics(file, short);
console.log(JSON.stringify({ ms, left, busy, ranks: reports.length }));
await ranks.close();
