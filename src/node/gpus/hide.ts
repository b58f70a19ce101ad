/** Hides device files from processes: in mount namespaces of their own, /dev/null lies over them. Linux alone has these. */
import { spawnSync } from "node:child_process";
import { getSystemErrorMap } from "node:util";
import { describeError } from "../../core/errors.ts";

/** Covers the files before "--", then becomes the command behind it. */
const script = 'while [ "$1" != -- ]; do mount --bind /dev/null "$1" || exit; shift; done; shift; exec "$@"';

/** The command, to be started so that it does not see these files; undefined where the system does not permit it. */
export function commandWithout(
  files: readonly string[],
  command: readonly string[],
): readonly string[] | undefined {
  // Who is not root may mount in a user namespace, where the system has them for everybody.
  const user = process.getuid?.() === 0 ? [] : ["--user", "--map-root-user"];
  const hiding = ["unshare", ...user, "--mount", "sh", "-c", script, "sh", ...files, "--"];
  const [program, ...args] = [...hiding, "true"];
  return spawnSync(program, args).status === 0 ? [...hiding, ...command] : undefined;
}

/** Flags of Linux's unshare and mount. */
const [newMounts, bind, below, fromOutside] = [0x20000, 0x1000, 0x4000, 0x80000];

/**
 * Hides files from this thread, its future children and threads, for good: only root may. What is mounted elsewhere from now
 * on is seen here, too. Resolves to the reason if it could not be done.
 */
export async function hideFiles(files: readonly string[]): Promise<string | undefined> {
  if (process.platform !== "linux") return `${process.platform} has no mount namespaces`;
  try {
    const { default: koffi } = await import("koffi");
    const system = koffi.load(null);
    const unshare = system.func("int unshare(int)");
    const mount = system.func("int mount(str, str, str, unsigned long, void *)");
    const steps: readonly (() => number)[] = [
      () => unshare(newMounts),
      () => mount("none", "/", null, below | fromOutside, null),
      ...files.map((file) => () => mount("/dev/null", file, null, bind, null)),
    ];
    for (const step of steps) {
      if (step() !== 0) return getSystemErrorMap().get(-koffi.errno())?.[1] ?? "it is not permitted";
    }
    return undefined;
  } catch (error) {
    return describeError(error);
  }
}
