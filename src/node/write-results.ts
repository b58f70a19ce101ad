import { CrinkleError } from "../core/errors.ts";
import type { DataSet, Field } from "../core/field.ts";
import { noJob } from "../core/job.ts";
import { isPointSet, type PointColumn, type PointSet } from "../core/point-set.ts";
import type { FieldValue } from "../engine/derived.ts";
import type { NamedValue } from "../engine/evaluate.ts";
import { extensionOf, fieldExtensions, fieldWriter, writeChunks } from "./write-file.ts";

const pointExtensions = [".vtp", ".csv", ".npy"] as const;

export const resultExtensions = [".vti", ".vtr", ".vtp", ".csv", ".npy"] as const;

/** Writes the results of an expression to the file that it was made for. */
export interface ResultWriter {
  /** Throws Usage where the file cannot hold values of a grid, or of points. */
  check(content: DataSet | PointSet): void;
  /** Throws BadArgument where there is no field to write, or several for a file of one. */
  write(
    content: DataSet | PointSet,
    results: readonly NamedValue[],
    download: (value: FieldValue) => Promise<Field>,
  ): Promise<void>;
}

/** For a file in the format of its extension, which `keeps` what was read, too. Throws Usage. */
export function resultWriter(path: string, keeps: boolean): ResultWriter {
  const extension = extensionOf(path, resultExtensions);
  if (keeps && extension === ".npy")
    throw refusal("Usage", `“${path}” holds one array.`, "Leave --keep out, or write another format.");
  return {
    check(content) {
      const isPoints = isPointSet(content);
      const fitting: readonly string[] = isPoints ? pointExtensions : fieldExtensions;
      if (fitting.includes(extension)) return;
      throw refusal(
        "Usage",
        `“${content.name}” holds ${isPoints ? "points" : "a grid"}, which ${extension} files do not.`,
        `--out takes a file named ${fitting.join(", ")}.`,
      );
    },
    async write(content, results, download) {
      const made: Field[] = [];
      for (const { name, value } of results)
        if (value.kind !== "quantity") made.push({ ...(await download(value)), name });
      if (made.length === 0) throw notAField(path, results);
      if (made.length > 1 && extension === ".npy") {
        const names = made.map(({ name }) => name).join(", ");
        throw refusal(
          "BadArgument",
          `“${path}” holds one array, and the results are ${names}.`,
          "Choose one by --field, or write another format.",
        );
      }
      const isHidden = ({ name }: { readonly name: string }) => made.some((field) => field.name === name);
      if (!isPointSet(content)) {
        const kept = keeps ? content.fields.filter((field) => !isHidden(field)) : [];
        await fieldWriter(path)(content.grid, [...kept, ...made]);
        return;
      }
      const kept = keeps ? content.columns.filter((column) => !isHidden(column)) : [];
      await writePoints(path, { ...content, columns: [...kept, ...made] });
    },
  };
}

/** Writes points with their columns, or the first column as .npy, in the format of the path's extension. Throws Usage, BadArgument. */
export async function writePoints(path: string, points: PointSet): Promise<void> {
  const extension = extensionOf(path, pointExtensions);
  if (extension === ".npy") return writeChunks(path, await columnNpy(points.columns[0]));
  const { writePointsCsv, writePointsVtp } = await import("../data/write/points.ts");
  await writeChunks(path, await (extension === ".csv" ? writePointsCsv : writePointsVtp)(points, noJob));
}

async function columnNpy({ components, dtype, data }: PointColumn) {
  const { npyDescription, writeNpyArray } = await import("../data/write/npy.ts");
  const rows = data.length / components;
  const bytes = new Uint8Array(data.buffer as ArrayBuffer, data.byteOffset, data.byteLength);
  return writeNpyArray(npyDescription(dtype), components === 1 ? [rows] : [components, rows], bytes);
}

function notAField(path: string, [{ name, value }]: readonly NamedValue[]): CrinkleError {
  const isHistogram = value.kind === "quantity" && value.quantity.kind === "histogram";
  return refusal(
    "BadArgument",
    `“${name}” is ${isHistogram ? "a histogram" : "the same everywhere"}, not a field that “${path}” could hold.`,
    "Omit --out: its numbers are printed.",
  );
}

const refusal = (tag: "Usage" | "BadArgument", problem: string, remedy: string) =>
  new CrinkleError({ tag, problem, remedy });
