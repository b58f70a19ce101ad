import type { BenchRow } from "../src/bench/case.ts";
import { formatTable } from "../src/bench/report.ts";

/** Prints a run: a table at the end; JSON lines as they come with --json, the table then being for the eye only. */
export class Printer {
  readonly #isJson: boolean;
  readonly #rows: BenchRow[] = [];

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

  /** The exit code: 1 where a case's output was wrong. */
  end(): number {
    const table = `\n${formatTable(this.#rows)}\n`;
    if (this.#isJson) process.stderr.write(table);
    else process.stdout.write(table);
    return this.#rows.every(({ verified }) => verified) ? 0 : 1;
  }
}
