import { readdir, readFile } from "node:fs/promises";
import type { DataSet } from "../../core/field.ts";
import { noJob } from "../../core/job.ts";
import { isPointSet, type PointSet } from "../../core/point-set.ts";
import { type ReadOptions, readData, readDataSet } from "../read.ts";
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
  return readDataSet(bytesSource(bytes, name), noJob, options);
}

/** Reads a file that holds points. */
export async function readPointsFixture(name: string): Promise<PointSet> {
  return readPoints(await fixtureBytes(name), name);
}

export async function readPoints(bytes: Uint8Array, name: string): Promise<PointSet> {
  const data = await readData(bytesSource(bytes, name), noJob);
  if (!isPointSet(data)) throw new TypeError(`${name} holds a grid`);
  return data;
}

export function readText(text: string, name: string): Promise<DataSet> {
  return readBytes(new TextEncoder().encode(text), name);
}

/** A data set as plain values, for comparison as a whole. */
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

/** A point set as plain values, for comparison as a whole. */
export function plainPoints({ positions, dimensions, columns, notes }: PointSet) {
  return {
    positions: [...positions],
    dimensions,
    columns: columns.map(({ data, ...column }) => ({
      ...column,
      values: [...(data as Iterable<number | bigint>)],
    })),
    notes,
  };
}
