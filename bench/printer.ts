import type { BenchRow } from "../src/bench/case.ts";
import { formatTable } from "../src/bench/report.ts";

/** Prints a run: a table at the end; JSON lines as they come with --json, the table then being for the eye only. */
export class Printer {
  readonly #isJson: boolean;
  readonly #rows: BenchRow[] = [];
  #hasFailed = false;

  constructor(isJson: boolean) {
    this.#isJson = isJson;
  }

  head(machine: string): void {
    process.stderr.write(`${machine}\n`);
  }

  row(row: BenchRow): void {
    this.#rows.push(row);
    if (this.#isJson) process.stdout.write(`${JSON.stringify(row)}\n`);
    else process.stderr.write(`${row.name}: ${row.ms} ms\n`);
  }

  /** A case that threw, as where it needs more memory than there is; the others go on. */
  failure(name: string, error: string): void {
    this.#hasFailed = true;
    process.stderr.write(`${name}: ${error}\n`);
  }

  /** The exit code: 1 where a case threw, or its output was wrong. */
  end(): number {
    const table = `\n${formatTable(this.#rows)}\n`;
    if (this.#isJson) process.stderr.write(table);
    else process.stdout.write(table);
    return !this.#hasFailed && this.#rows.every(({ verified }) => verified) ? 0 : 1;
  }
}
