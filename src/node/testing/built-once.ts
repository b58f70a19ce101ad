import { ensureBuilt } from "../../../tools/build.mjs";

let built: Promise<void> | undefined;

/** Builds the command line where it is stale; the processes that this one starts need not look. */
export function builtOnce(): Promise<void> {
  built ??= ensureBuilt("node", console.error).then(() => {
    process.env.CRINKLE_IS_BUILT = "yes";
  });
  return built;
}
