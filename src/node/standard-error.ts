import { closeSync, fstatSync, openSync, readSync, unlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Calls a function, which must not be asynchronous, and keeps what C libraries print to standard error meanwhile. */
export type Quietly = <Result>(call: () => Result) => { readonly result: Result; readonly said: string };

const loudly: Quietly = (call) => ({ result: call(), said: "" });

/**
 * A function that keeps standard error from being written meanwhile, by the package koffi. Where that is not installed, and on
 * Windows, where each library has file descriptors of its own, everything is printed as usual.
 */
export async function withoutStandardError(): Promise<Quietly> {
  if (process.platform === "win32") return loudly;
  const koffi = await import("koffi").catch(() => undefined);
  if (!koffi) return loudly;
  const system = koffi.load(null);
  const dup = system.func("int dup(int)");
  const dup2 = system.func("int dup2(int, int)");
  return (call) => {
    const file = temporaryFile();
    const standard: number = file === undefined ? -1 : dup(2);
    if (file === undefined || standard < 0) return loudly(call);
    dup2(file, 2);
    try {
      const result = call();
      return { result, said: textOf(file) };
    } finally {
      dup2(standard, 2);
      closeSync(standard);
      closeSync(file);
    }
  };
}

/** An open file without a name; undefined where none can be made. */
function temporaryFile(): number | undefined {
  const path = join(tmpdir(), `crinkle-${process.pid}-${Date.now()}`);
  try {
    const file = openSync(path, "wx+", 0o600);
    unlinkSync(path);
    return file;
  } catch {
    return undefined;
  }
}

function textOf(file: number): string {
  const bytes = new Uint8Array(fstatSync(file).size);
  readSync(file, bytes, 0, bytes.length, 0);
  return new TextDecoder().decode(bytes);
}
