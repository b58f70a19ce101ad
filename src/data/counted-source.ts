import type { Source } from "./source.ts";

/** The same source; `onRead` gets the number of bytes of each read. */
export const countedSource = (source: Source, onRead: (bytes: number) => void): Source => ({
  name: source.name,
  size: source.size,
  read(from, to) {
    onRead(to - from);
    return source.read(from, to);
  },
});
