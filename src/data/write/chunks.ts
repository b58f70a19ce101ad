/** A file as its chunks, in order: for `new Blob(chunks)` or a file handle's `writev`. */
export type Chunks = Uint8Array<ArrayBuffer>[];
