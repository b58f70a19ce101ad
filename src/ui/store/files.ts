/** Files that were chosen or dropped together, split into the one to open and those that it may refer to. */
export interface SortedFiles {
  readonly file: File;
  readonly companions: readonly File[];
  /** Those of the companions that hold data of their own. */
  readonly others: readonly File[];
  /** The file has no header of its own, so the user must be asked for its layout. */
  readonly isRaw: boolean;
}

/** Extensions that the file dialog accepts. */
export const acceptedFiles =
  ".vtk,.vti,.vtr,.nrrd,.nhdr,.mha,.mhd,.nii,.hdr,.npy,.npz,.tif,.tiff,.png,.jpg,.jpeg,.raw,.bin,.img,.dat,.gz,.csv,.tsv,.txt,.ply,.vtp,.json";

/** Formats that refer to a data file, then self-contained ones. */
const priorities = [
  "nhdr",
  "mhd",
  "hdr",
  "vti",
  "vtr",
  "vtk",
  "nrrd",
  "mha",
  "nii",
  "tif",
  "tiff",
  "png",
  "jpg",
  "jpeg",
  "npz",
  "npy",
  "vtp",
  "ply",
  "csv",
  "tsv",
  "txt",
];

export function sortFiles(files: readonly File[]): SortedFiles | undefined {
  const rank = (file: File) => {
    const at = priorities.indexOf(extensionOf(file.name));
    return at < 0 ? priorities.length : at;
  };
  const [file, ...companions] = [...files].sort((a, b) => rank(a) - rank(b));
  if (!file) return undefined;
  const isRaw = isNamedRaw(file);
  const hasData = (companion: File) => hasHeader(companion.name) || (isRaw && isNamedRaw(companion));
  return { file, companions, others: companions.filter(hasData), isRaw };
}

/** Whether a name implies a format without a header. */
export const isNamedRaw = ({ name }: { readonly name: string }): boolean =>
  /\.(raw|bin|img|dat)$/i.test(name);

/** A sentence about files that were chosen along with the one that was opened. */
export function notOpened(files: readonly File[]): string {
  const names = files.map(({ name }) => name);
  const shown = names.length > 3 ? [...names.slice(0, 2), `${names.length - 2} others`] : names;
  const list = shown.length === 1 ? shown[0] : `${shown.slice(0, -1).join(", ")} and ${shown.at(-1)}`;
  return `One data set is open at a time: ${list} ${names.length === 1 ? "was" : "were"} not opened.`;
}

/** Whether a name implies a format with a header. */
function hasHeader(name: string): boolean {
  return priorities.includes(extensionOf(name));
}

/** Without the .gz of a file within gzip. */
function extensionOf(name: string): string {
  const unpacked = name.replace(/\.gz$/i, "");
  return unpacked.slice(unpacked.lastIndexOf(".") + 1).toLowerCase();
}
