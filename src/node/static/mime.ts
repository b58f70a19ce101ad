const types: Readonly<Record<string, string>> = {
  css: "text/css; charset=utf-8",
  gz: "application/gzip",
  html: "text/html; charset=utf-8",
  ico: "image/x-icon",
  js: "text/javascript; charset=utf-8",
  json: "application/json; charset=utf-8",
  map: "application/json; charset=utf-8",
  mjs: "text/javascript; charset=utf-8",
  png: "image/png",
  svg: "image/svg+xml; charset=utf-8",
  txt: "text/plain; charset=utf-8",
  vti: "application/octet-stream",
  wasm: "application/wasm",
  webmanifest: "application/manifest+json; charset=utf-8",
  woff2: "font/woff2",
};

/** The media type that a file's extension stands for; octets where it is unknown. */
export function mediaType(path: string): string {
  return types[path.slice(path.lastIndexOf(".") + 1).toLowerCase()] ?? "application/octet-stream";
}

/** Whether a compressed form pays: text and WebAssembly. */
export function isCompressible(type: string): boolean {
  return /^text\/|charset=|wasm$/.test(type);
}
