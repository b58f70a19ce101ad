import type { Duplex } from "node:stream";

/** Rejects a request to upgrade with a status such as "404 Not Found". */
export function refuseUpgrade(socket: Duplex, status: string): void {
  socket.on("error", () => {});
  socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
}
