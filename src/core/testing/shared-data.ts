/**
 * Real data sets that lie beside the project in ../shared/data, for tests in Node.
 * Returns undefined, after one line that says so, where the folder or the file is missing.
 */
export async function sharedData(name: string): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const { readFile } = await import("node:fs/promises");
  const { resolve } = await import("node:path");
  try {
    return new Uint8Array(await readFile(resolve(process.cwd(), "../shared/data", name)));
  } catch {
    console.info(`left out: ../shared/data/${name} is not beside this project`);
    return undefined;
  }
}
