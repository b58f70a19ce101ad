import { readdir, readFile } from "node:fs/promises";
import type { DataSet } from "../../core/field.ts";
import { unattended } from "../../core/job.ts";
import { type ReadOptions, readDataSet } from "../read.ts";
import { bytesSource } from "../source.ts";

const folder = new URL("./fixtures/", import.meta.url);

/** The names of the files that make-fixtures.py wrote. */
export function fixtureNames(): Promise<string[]> {
  return readdir(folder);
}

export async function fixtureBytes(name: string): Promise<Uint8Array> {
  return new Uint8Array(await readFile(new URL(name, folder)));
}

export async function readFixture(name: string): Promise<DataSet> {
  return readBytes(await fixtureBytes(name), name);
}

export function readBytes(bytes: Uint8Array, name: string, options?: ReadOptions): Promise<DataSet> {
  return readDataSet(bytesSource(bytes, name), unattended, options);
}

export function readText(text: string, name: string): Promise<DataSet> {
  return readBytes(new TextEncoder().encode(text), name);
}

/** A data set as plain values, for comparing whole. */
export function plain({ grid, fields, notes }: DataSet) {
  return {
    grid: grid.kind === "uniform" ? grid : { ...grid, axes: grid.axes.map((axis) => [...axis]) },
    fields: fields.map(({ name, centering, components, dtype, data }) => ({
      name,
      centering,
      components,
      dtype,
      values: [...(data as Iterable<number | bigint>)],
    })),
    notes,
  };
}
