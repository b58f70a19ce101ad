/** Files that were chosen or dropped together, sorted into one to open and those it may refer to. */
export interface SortedFiles {
  readonly file: File;
  readonly companions: readonly File[];
  /** The file has no header of its own: its layout must be asked for. */
  readonly isRaw: boolean;
}

/** What the file dialog offers. */
export const acceptedFiles =
  ".vtk,.vti,.vtr,.nrrd,.nhdr,.raw,.bin,.img,.dat,.gz,.csv,.tsv,.txt,.ply,.vtp,.json";

/** Formats that name a data file, then those that stand alone. */
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

/** Whether a name promises a format with a header, so that its bytes are no plain numbers. */
export function hasHeader(name: string): boolean {
  return priorities.includes(extensionOf(name));
}

function extensionOf(name: string): string {
  return name.slice(name.lastIndexOf(".") + 1).toLowerCase();
}
