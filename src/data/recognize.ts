import { CrinkleError } from "../core/errors.ts";
import { unsupported } from "./failure.ts";

export type Format =
  | "legacy-vtk"
  | "xml-vtk"
  | "nrrd"
  | "metaimage"
  | "nifti"
  | "npy"
  | "npz"
  | "png"
  | "jpeg"
  | "tiff"
  | "raw"
  | "csv"
  | "ply";

/** Number of bytes from the start that `recognize` needs. */
export const recognizedFrom = 1024;

interface Foreign {
  /** Texts one of which is at byte `at` (0 by default), bytes as characters. */
  readonly magic: readonly string[];
  readonly at?: number;
  /** Completes “is …”. */
  readonly what: string;
  readonly remedy: string;
}

const convert = "Convert it to .vti, .vtr, .vtk or .nrrd, for instance with ParaView.";
const unpack = "Unpack it first, and open the file inside.";
const noField = "Crinkle reads fields on grids.";
const noVolume = "Open the grid that it was made from.";

const foreign: readonly Foreign[] = [
  { magic: ["PK\x03\x04"], what: "a ZIP archive", remedy: unpack },
  { magic: ["BZh"], what: "compressed with bzip2", remedy: unpack },
  { magic: ["\xfd7zXZ"], what: "compressed with xz", remedy: unpack },
  { magic: ["\x28\xb5\x2f\xfd"], what: "compressed with zstd", remedy: unpack },
  { magic: ["\x89HDF"], what: "an HDF5 or NetCDF-4 file", remedy: convert },
  { magic: ["CDF\x01", "CDF\x02", "CDF\x05"], what: "a NetCDF file", remedy: convert },
  { magic: ["DICM"], at: 128, what: "a DICOM image", remedy: convert },
  { magic: ["GIF8"], what: "a GIF picture", remedy: "Save it as PNG." },
  { magic: ["%PDF"], what: "a PDF document", remedy: noField },
  { magic: ["solid "], what: "an STL mesh, which has no volume", remedy: noVolume },
];

/** Meshes whose first bytes do not say what they are. */
const meshExtensions: ReadonlySet<string> = new Set(["stl", "obj", "off", "glb", "gltf", "3ds", "fbx"]);

const byExtension: Record<string, Format> = {
  vtk: "legacy-vtk",
  vti: "xml-vtk",
  vtr: "xml-vtk",
  vtp: "xml-vtk",
  ply: "ply",
  csv: "csv",
  tsv: "csv",
  txt: "csv",
  nrrd: "nrrd",
  nhdr: "nrrd",
  nii: "nifti",
  mha: "metaimage",
  mhd: "metaimage",
  png: "png",
  jpg: "jpeg",
  jpeg: "jpeg",
  tif: "tiff",
  tiff: "tiff",
  npy: "npy",
  npz: "npz",
  raw: "raw",
  bin: "raw",
  img: "raw",
  dat: "raw",
};

/** The extension without its dot, lower case; empty if there is none. */
export function extensionOf(name: string): string {
  const dot = name.lastIndexOf(".");
  return dot < 0 ? "" : name.slice(dot + 1).toLowerCase();
}

/** The format that files with this extension should have. */
export function formatOfExtension(extension: string): Format | undefined {
  return byExtension[extension];
}

/** Whether a file begins as gzip's do. */
export const isGzip = (head: Uint8Array): boolean => head[0] === 0x1f && head[1] === 0x8b;

/** The format according to a file's first bytes, or else to its extension. Throws UnsupportedFormat, UnknownFormat. */
export function recognize(name: string, head: Uint8Array): Format {
  const text = String.fromCharCode(...head.subarray(0, recognizedFrom));
  if (/^# ?vtk DataFile/i.test(text)) return "legacy-vtk";
  if (/^NRRD\d{4}/.test(text)) return "nrrd";
  if (/^(\xef\xbb\xbf)?\s*</.test(text) && /<VTKFile[\s>]/.test(text)) return "xml-vtk";
  if (/^n[+i]1\0/.test(text.slice(344)) || /^n[+i]2\0/.test(text.slice(4))) return "nifti";
  if (/^(ObjectType|NDims)[ \t]*=/.test(text)) return "metaimage";
  if (text.startsWith("\x93NUMPY")) return "npy";
  if (text.startsWith("PK\x03\x04") && extensionOf(name) === "npz") return "npz";
  if (text.startsWith("\x89PNG\r\n")) return "png";
  if (text.startsWith("\xff\xd8\xff")) return "jpeg";
  if (text.startsWith("II*\0") || text.startsWith("MM\0*")) return "tiff";
  if (/^ply\r?\n/.test(text)) return "ply";
  const extension = extensionOf(name);
  if (byExtension[extension] === "raw") return "raw";
  if (byExtension[extension] === "metaimage" && /^\s*[\w.-]+[ \t]*=/.test(text)) return "metaimage";
  if (byExtension[extension] === "csv" && isText(head)) return "csv";
  throw foreignRefusal(name, text) ?? meshRefusal(name, extension) ?? unknownRefusal(name, extension);
}

/** Whether the bytes contain no control characters other than those of text. */
function isText(head: Uint8Array): boolean {
  return head.every((byte) => byte >= 0x20 || (byte >= 0x09 && byte <= 0x0d));
}

function foreignRefusal(name: string, text: string): CrinkleError | undefined {
  const known = foreign.find(({ magic, at = 0 }) => magic.some((start) => text.startsWith(start, at)));
  return known && unsupported(`“${name}” is ${known.what}.`, known.remedy);
}

function meshRefusal(name: string, extension: string): CrinkleError | undefined {
  if (!meshExtensions.has(extension)) return undefined;
  return unsupported(`“${name}” is named as a mesh, which has no volume.`, noVolume);
}

function unknownRefusal(name: string, extension: string): CrinkleError {
  const expected: Record<string, string> = {
    "legacy-vtk": "“# vtk DataFile Version”",
    "xml-vtk": "“<VTKFile”",
    nrrd: "“NRRD”",
    metaimage: "“ObjectType =”",
    nifti: "a NIfTI header",
    png: "“\\x89PNG”",
    jpeg: "“\\xff\\xd8”",
    tiff: "“II*” or “MM*”",
    npy: "“\\x93NUMPY”",
    npz: "“PK”",
    ply: "“ply”",
    csv: "text",
  };
  const start = expected[byExtension[extension] ?? ""];
  return start
    ? unsupported(
        `“${name}” is not a .${extension} file: it does not start with ${start}.`,
        "It may be damaged or have the wrong extension.",
      )
    : new CrinkleError({
        tag: "UnknownFormat",
        problem: `“${name}” has a format that Crinkle does not know.`,
        remedy:
          "It reads .vtk, .vti, .vtr, .nrrd, .nhdr, .mha, .mhd, .nii, .npy, .npz, .tif, .png, .jpg, raw numbers (named .raw, .bin, .img or .dat, or described by --dims and --dtype), and points from .csv, .ply and .vtp.",
      });
}
