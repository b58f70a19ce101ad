// A worker whose rank sends back what links bring it: over WebRTC that a page lends it.
import { FramedLink } from "../../framed-link.ts";
import { defaultLimits } from "../../link.ts";
import { borrowRtc } from "../borrow.ts";
import type { RtcConnection } from "../endpoint.ts";
import type { SignallingOptions } from "../options.ts";

export interface ToEcho {
  readonly port: MessagePort;
  readonly address: string;
  readonly signalling: SignallingOptions;
  /** Whom it dials; without, it waits. */
  readonly dial?: string;
}

declare const self: DedicatedWorkerGlobalScope;

function echo({ channel }: RtcConnection): void {
  const link = new FramedLink(channel, defaultLimits, () => performance.now());
  link.start({
    message: (message) => void link.send(message).catch(() => {}),
    ended: ({ how }) => self.postMessage(how),
  });
}

self.onmessage = async ({ data }: MessageEvent<ToEcho>) => {
  const { port, dial, ...options } = data;
  const endpoint = await borrowRtc(port, { ...options, incoming: echo });
  self.postMessage("open");
  if (dial !== undefined) echo(await endpoint.dial(dial));
};
