// Checks every call of the communicator over the MPI that is installed: `node dist/bench/mpi.js [--launch 'COMMAND'] [--ranks
// 1,2,3,4,8] [--long BYTES]`; %n in the command is the number of ranks. Exits with 1 where a call gives a wrong result, or the
// ranks fail, or do not end with one that is killed or ends alone.
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import type { CheckResult } from "../src/cluster/testing/check.ts";

/** Built beside this program, of src/node/mpi/testing/check-rank.ts. */
const rankProgram = fileURLToPath(new URL("mpi-rank.js", import.meta.url));
const maxMs = 120_000;

const { values } = parseArgs({
  options: {
    launch: { type: "string", default: "mpirun -n %n" },
    ranks: { type: "string", default: "1,2,3,4,8" },
    long: { type: "string", default: "2000000" },
  },
});

function launch(ranks: number, ...args: string[]) {
  const [command, ...rest] = [
    ...values.launch.replaceAll("%n", String(ranks)).split(" "),
    process.execPath,
    rankProgram,
    ...args,
  ];
  const { status, stdout, error } = spawnSync(command, rest, {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"],
    timeout: maxMs,
    maxBuffer: 2 ** 26,
  });
  // Libraries may print warnings, too.
  const line = stdout?.split("\n").find((line) => line.startsWith("{"));
  return { how: error ? "a time-out" : `code ${status}`, status: error ? undefined : status, line };
}

interface Outcome {
  readonly library: string;
  readonly localRanks: readonly number[];
  readonly results: readonly CheckResult[];
}

/** What is said of a check by so many ranks, and whether all is right. */
function check(ranks: number): { readonly said: string; readonly isRight: boolean } {
  const { how, status, line } = launch(ranks, "check", values.long);
  if (status !== 0 || line === undefined) return { said: `the ranks ended with ${how}`, isRight: false };
  // The rank program's own line.
  const { library, localRanks, results } = JSON.parse(line) as Outcome;
  const wrong = results.filter(({ passed }) => !passed).map(({ name }) => name);
  const seconds = results.reduce((sum, { ms }) => sum + ms, 0) / 1000;
  const local = localRanks.length === ranks ? "" : `, but of ${localRanks.length} ranks`;
  const said = `${library}: ${results.length} calls in ${seconds.toFixed(1)} s${local}`;
  return {
    said: wrong.length > 0 ? `${said}; wrong: ${wrong.join(", ")}` : said,
    isRight: wrong.length === 0 && local === "",
  };
}

let isRight = true;
for (const ranks of values.ranks.split(",").map(Number)) {
  const checked = check(ranks);
  console.log(`${checked.isRight ? "✓" : "✗"} ${ranks} ${ranks === 1 ? "rank" : "ranks"}, ${checked.said}`);
  isRight &&= checked.isRight;
}
for (const [what, how] of [
  ["lost", "is killed"],
  ["left", "ends alone"],
]) {
  const end = launch(3, what);
  const hasEnded = end.status !== undefined && end.status !== 0;
  console.log(`${hasEnded ? "✓" : "✗"} 3 ranks, of which one ${how}, end with ${end.how}`);
  isRight &&= hasEnded;
}
process.exitCode = isRight ? 0 : 1;
