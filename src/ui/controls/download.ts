/** Saves a blob as a file, as a click on a download link does. */
export function downloadBlob(name: string, blob: Blob): void {
  const url = URL.createObjectURL(blob);
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  // Some browsers read the blob only after the click has been handled.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
