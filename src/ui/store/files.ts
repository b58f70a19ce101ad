/** Files that were chosen or dropped together, split into the one to open and those that it may refer to. */
export interface SortedFiles {
  readonly file: File;
  readonly companions: readonly File[];
  /** The file has no header of its own, so the user must be asked for its layout. */
  readonly isRaw: boolean;
}

/** Extensions that the file dialog accepts. */
export const acceptedFiles =
  ".vtk,.vti,.vtr,.nrrd,.nhdr,.raw,.bin,.img,.dat,.gz,.csv,.tsv,.txt,.ply,.vtp,.json";

/** Formats that refer to a data file, then self-contained ones. */
const priorities = ["nhdr", "vti", "vtr", "vtk", "nrrd", "vtp", "ply", "csv", "tsv", "txt"];

export function sortFiles(files: readonly File[]): SortedFiles | undefined {
  const rank = (file: File) => {
    const at = priorities.indexOf(extensionOf(file.name));
    return at < 0 ? priorities.length : at;
  };
  const [file, ...companions] = [...files].sort((a, b) => rank(a) - rank(b));
  if (!file) return undefined;
  return { file, companions, isRaw: ["raw", "bin", "img", "dat"].includes(extensionOf(file.name)) };
}

/** Whether a name implies a format with a header, so that its bytes are not raw numbers. */
export function hasHeader(name: string): boolean {
  return priorities.includes(extensionOf(name));
}

function extensionOf(name: string): string {
  return name.slice(name.lastIndexOf(".") + 1).toLowerCase();
}
