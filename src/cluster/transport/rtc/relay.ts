import type { FrameChannel } from "../channel.ts";
import { type Port, PortChannel } from "../port/port-channel.ts";
import { frameBytes, type RtcChannel } from "./rtc-channel.ts";

const nothing = new Uint8Array(0);

/**
 * Passes frames between a connection and a port to a worker, for browsers that cannot transfer the
 * connection's channels there. The links' windows bound what is queued.
 */
export function relay(connection: RtcChannel, port: Port): void {
  const inner = new PortChannel(port);
  const waiting: Uint8Array<ArrayBuffer>[] = [];
  let isPumping = false;
  let isOver = false;
  const pump = async () => {
    isPumping = true;
    for (let frame = waiting.shift(); frame; frame = waiting.shift()) {
      connection.post(frame, nothing);
      await connection.writable();
    }
    isPumping = false;
    if (isOver) connection.close();
  };
  connection.start({
    frame: (bytes) => inner.post(new Uint8Array(0), bytes),
    lost: () => inner.close(),
  });
  inner.start({
    frame: (bytes) => {
      waiting.push(bytes as Uint8Array<ArrayBuffer>);
      if (!isPumping) void pump();
    },
    lost: () => {
      isOver = true;
      if (!isPumping) connection.close();
    },
  });
}

/** The worker's end of a relay. Calls `over` once it is closed or lost. */
export function relayedChannel(
  port: Port,
  over: () => void,
): FrameChannel & { fail(problem: string): void; readonly opened: Promise<void> } {
  const inner = new PortChannel(port);
  return {
    path: "rtc",
    frameBytes,
    opened: Promise.resolve(),
    start(receiver) {
      const ended = (problem: string, how?: "expelled") => {
        over();
        receiver.lost(problem, how);
      };
      inner.start({ frame: (bytes) => receiver.frame(bytes), lost: ended });
    },
    post: (header, part) => inner.post(header, part),
    writable: () => undefined,
    close() {
      inner.close();
      over();
    },
    fail: (problem) => inner.fail(problem),
  };
}
